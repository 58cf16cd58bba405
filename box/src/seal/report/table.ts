/** Building blocks of the printed report. */
import { type Html, html } from './html.ts'

/** Largest number of printed rows; the export has all of them. */
const MOST_ROWS = 200

type Cell = Html | string | number | readonly Html[]

/** A heading with `#` is over numbers. */
export function table(headings: readonly string[], rows: readonly (readonly Cell[])[]): Html {
  if (rows.length === 0) return html`<p class="small">None.</p>`
  const kind = headings.map((heading) => (heading.startsWith('#') ? 'number' : 'text'))
  const more = rows.length - MOST_ROWS
  return html`<table>
<thead><tr>${headings.map((heading, i) => html`<th class="${kind[i]}">${heading.replace('#', '')}</th>`)}</tr></thead>
<tbody>
${rows.slice(0, MOST_ROWS).map((row) => html`<tr>${row.map((cell, i) => html`<td class="${kind[i]}">${cell}</td>`)}</tr>\n`)}</tbody>
</table>${more > 0 ? html`<p class="small">And ${more} more, in the export.</p>` : ''}`
}

export function words(name: string): string {
  return name.replaceAll('_', ' ')
}

/** Times in the event's time zone; in UTC if this machine does not know the zone. */
export function clockOf(timeZone: string): (iso: string) => string {
  const form = { dateStyle: 'short', timeStyle: 'medium' } as const
  const format = (() => {
    try {
      return new Intl.DateTimeFormat('sv-SE', { ...form, timeZone })
    } catch {
      return new Intl.DateTimeFormat('sv-SE', { ...form, timeZone: 'UTC' })
    }
  })()
  return (iso) => format.format(Date.parse(iso))
}
