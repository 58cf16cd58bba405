/** Bars of the printed report: drawn as SVG, because printers leave out background colours. */
import { type Html, html } from './html.ts'
import type { HourRow } from './shape.ts'

const INK = '#1d3557'
const PALE = '#a8b8c8'

/** @param most value of the longest bar of the table */
export function bar(value: number, most: number): Html {
  const width = most > 0 ? Math.max(0, Math.round((value / most) * 1000) / 10) : 0
  return html`<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" role="presentation"><rect width="${width}" height="8" fill="${INK}"/></svg>`
}

const WIDTH = 720
const HEIGHT = 150
const BASE = HEIGHT - 26

/** Entries and exits of each hour, side by side. Hours that do not fit on the page are in the table only. */
export function hourChart(hours: readonly HourRow[]): Html | undefined {
  if (hours.length < 2 || hours.length > 120) return undefined
  const most = Math.max(1, ...hours.flatMap((hour) => [hour.in, hour.out]))
  const step = WIDTH / hours.length
  const every = Math.ceil(hours.length / 12)
  const columns = hours.map((hour, i) => {
    const column = (value: number, left: number, fill: string) => {
      const height = Math.max(0, (value / most) * (BASE - 14))
      return html`<rect x="${tenths(left)}" y="${tenths(BASE - height)}" width="${tenths(step * 0.4)}" height="${tenths(height)}" fill="${fill}"/>`
    }
    const left = i * step + step * 0.08
    const label =
      i % every === 0 ? html`<text x="${tenths(left)}" y="${BASE + 14}">${hour.from.slice(11, 16)}</text>` : ''
    return html`${column(hour.in, left, INK)}${column(hour.out, left + step * 0.42, PALE)}${label}`
  })
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="People in and out by hour">
<text x="0" y="10">${most} in an hour</text>
<line x1="0" x2="${WIDTH}" y1="${BASE}" y2="${BASE}" stroke="${INK}" stroke-width="0.5"/>
${columns}
<rect x="${WIDTH - 120}" y="3" width="8" height="8" fill="${INK}"/><text x="${WIDTH - 108}" y="10">in</text>
<rect x="${WIDTH - 60}" y="3" width="8" height="8" fill="${PALE}"/><text x="${WIDTH - 48}" y="10">out</text>
</svg>`
}

function tenths(number: number): number {
  return Math.round(number * 10) / 10
}
