// Draws the marks on a map, and the legend that explains them.

import { type Category, categoryOf } from './venue-categories.ts'
import type { VenueMap, VenuePlan } from './wire/venue.ts'
import { escapeXml } from './xml-text.ts'

export type Pixel = readonly [number, number]

export const INK = '#1f2933'
/** pathway_mode of GTFS */
export const STAIRS = 2
export const ESCALATOR = 4
export const LIFT = 5
export const NOT_STEP_FREE = 'stroke="#c62828" stroke-width="2.4" stroke-dasharray="7 4"'
export const UNVERIFIED = 'stroke="#b26a00" stroke-width="2" stroke-dasharray="1 5" stroke-linecap="round"'
export const MARGIN = 28

/** A tenth of a pixel is as fine as a screen shows. */
export function tenths(value: number): number {
  return Math.round(value * 10) / 10
}

export function liftSign(x: number, y: number): string {
  return (
    `<rect x="${tenths(x - 7)}" y="${tenths(y - 7)}" width="14" height="14" rx="2.5" fill="${INK}"/>` +
    `<path d="M${x} ${tenths(y - 4.5)}l3 3.5h-6zM${x} ${tenths(y + 4.5)}l3 -3.5h-6z" fill="#fff"/>`
  )
}

/** An amenity. */
export function symbol({ letter, colour }: Category, [x, y]: Pixel, radius: number, words: string): string {
  const size = tenths(letter.length > 1 ? radius * 0.95 : radius * 1.35)
  return (
    `<g role="img" aria-label="${escapeXml(words)}"><title>${escapeXml(words)}</title>` +
    `<circle cx="${x}" cy="${y}" r="${radius}" fill="${colour}" stroke="#fff" stroke-width="1.5"/>` +
    `<text x="${x}" y="${tenths(y + size * 0.36)}" font-size="${size}" font-weight="700" fill="#fff" text-anchor="middle"` +
    ` aria-hidden="true">${escapeXml(letter)}</text></g>`
  )
}

/** Explains the marks that are on this map. Hidden from screen readers, which read each mark's own title. */
export function drawLegend(
  { map, checkpoints }: VenuePlan & { map: VenueMap },
  width: number,
  top: number,
  stepFree: boolean,
): { svg: string; height: number } {
  const used = [
    ...new Map(map.amenities.map(({ category }) => [categoryOf(category).name, categoryOf(category)])).values(),
  ]
  used.sort((a, b) => (a.colour + a.name < b.colour + b.name ? -1 : 1))
  const modes = new Set(map.paths.map(({ mode }) => mode))
  const flight = (x: number, y: number) =>
    `<path d="M${x - 9} ${y}h18" stroke="${INK}" stroke-width="8" stroke-dasharray="1.6 2.2"/>`
  const dot = (fill: string, edge: string) => (x: number, y: number) =>
    `<circle cx="${x}" cy="${y}" r="4.6" fill="${fill}" stroke="${edge}" stroke-width="1.6"/>`
  const dashes = (style: string) => (x: number, y: number) => `<path d="M${x - 10} ${y}h20" ${style}/>`
  const rows: { name: string; draw: (x: number, y: number) => string }[] = [
    ...used.map((category) => ({
      name: category.name,
      draw: (x: number, y: number) => symbol(category, [x, y], 9, category.name),
    })),
    ...(modes.has(STAIRS) ? [{ name: 'Stairs', draw: flight }] : []),
    ...(modes.has(LIFT) ? [{ name: 'Lift', draw: liftSign }] : []),
    ...(stepFree ? [{ name: 'Not step-free', draw: dashes(NOT_STEP_FREE) }] : []),
    ...(stepFree ? [{ name: 'Not verified', draw: dashes(UNVERIFIED) }] : []),
    { name: 'Entrance', draw: dot('#0f7b3f', '#fff') },
    ...(checkpoints.some(({ direction }) => direction === 'out') ? [{ name: 'Exit', draw: dot('#fff', INK) }] : []),
  ]
  const column = 178
  const columns = Math.max(1, Math.floor((width - 2 * MARGIN) / column))
  const height = Math.ceil(rows.length / columns) * 26 + 26
  const cells = rows.map(({ name, draw }, i) => {
    const [x, y] = [MARGIN + 10 + (i % columns) * column, top + 20 + Math.floor(i / columns) * 26]
    return `${draw(x, y)}<text x="${x + 17}" y="${y + 4.5}" font-size="13" fill="${INK}">${escapeXml(name)}</text>`
  })
  const rule = `<path d="M${MARGIN} ${top}H${width - MARGIN}" stroke="#d9d1c1"/>`
  return { svg: `<g aria-hidden="true">${rule}${cells.join('')}</g>`, height }
}
