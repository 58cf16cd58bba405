/**
 * Draws the evacuation sheet as one HTML file without script, picture or link: it opens from a disk without any network, and prints
 * on A4. Pure.
 */
import type { Event } from '../event/event.ts'
import { type Html, html, markup } from '../seal/report/html.ts'
import { PRINT_STYLE } from '../seal/report/print-style.ts'
import { clockOf } from '../seal/report/table.ts'
import type { EvacuationFigures } from './evacuation.ts'
import type { PersonInside } from './inside.ts'

type NamedEvent = Pick<Event, 'timezone' | 'zoneById' | 'tierById' | 'checkpointById'>

/** @param people who may be inside; undefined where the page lists nobody by name */
export function drawEvacuation(
  figures: EvacuationFigures,
  event: NamedEvent,
  people: readonly PersonInside[] | undefined,
): string {
  const at = clockOf(event.timezone)
  const { total } = figures
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Evacuation sheet: ${figures.event_name}</title>
<style>${markup(PRINT_STYLE)}</style>
</head>
<body>
<h1>Evacuation sheet: ${figures.event_name}</h1>
<p class="big">Made at ${at(figures.made_at)} (${event.timezone})</p>
<p>People who may be inside at that time. A new sheet is made every minute: look for a newer one.</p>
<table>
<thead><tr><th>Zone</th><th class="number">Inside</th><th class="number">At least</th><th class="number">At most</th>
<th class="number">Capacity</th><th>Counted out</th></tr></thead>
<tbody>
${figures.zones.map(({ name, inside, least, most, capacity }) => html`<tr><th>${name}</th><td class="number big">${inside}</td><td class="number">${least}</td><td class="number">${most}</td><td class="number">${capacity}</td><td></td></tr>\n`)}<tr><th>Total</th><td class="number big">${total.inside}</td><td class="number">${total.least}</td><td class="number">${total.most}</td><td></td><td></td></tr>
</tbody>
</table>
${boxesOf(figures, at)}
<h2>Why the real number may differ</h2>
<ul>${figures.not_counted.map((sentence) => html`<li>${sentence}</li>\n`)}</ul>
${people ? namesOf(people, event, at) : html`<p class="small">${NO_NAMES[figures.names]}</p>`}
</body>
</html>
`.markup
}

const NO_NAMES: Readonly<Record<EvacuationFigures['names'], string>> = {
  listed: 'The list of names could not be made in time: use the figures, and open the sheet again for the names.',
  not_allowed: 'No names are listed: the event file does not allow it (evacuation_names).',
  erased: 'No names are listed: they were erased from this box.',
}

function boxesOf({ boxes }: EvacuationFigures, at: (iso: string) => string): Html | undefined {
  if (boxes.length === 0) return undefined
  const missing = boxes.filter(({ heard }) => !heard)
  return html`<h2>Boxes in these figures</h2>
${missing.length > 0 ? html`<p class="warn">Not heard: ${missing.map(({ name }) => name).join(', ')}. Their gates may have let in more people.</p>` : undefined}
<table>
<thead><tr><th>Box</th><th>In these figures</th></tr></thead>
<tbody>${boxes.map(({ name, self, heard, last_heard, behind }) => {
    const until = last_heard === null ? 'not heard since this box started' : `only until ${at(last_heard)}`
    return html`<tr><th>${name}</th><td>${self ? 'yes: this sheet is of this box' : heard ? (behind > 0 ? `yes, ${behind} entries are on the way` : 'yes') : until}</td></tr>\n`
  })}</tbody>
</table>`
}

function namesOf(people: readonly PersonInside[], event: NamedEvent, at: (iso: string) => string): Html[] {
  const byZone = Map.groupBy(people, ({ zone }) => zone)
  const zones = [...event.zoneById.keys(), ...byZone.keys()].filter((zone, i, all) => all.indexOf(zone) === i)
  return zones.flatMap((zone) => {
    const inside = byZone.get(zone)
    if (!inside) return []
    const named = inside.filter(({ name }) => name !== null).sort(byName)
    const nameless = inside.length - named.length
    return [
      html`<h2>${event.zoneById.get(zone)?.name ?? zone}: ${ticketsOf(inside.length)}, ${named.length} with a name</h2>
<table>
<thead><tr><th class="tick"></th><th>Name</th><th>Ticket</th><th>Seat</th><th>Came in</th></tr></thead>
<tbody>
${named.map((person) => personRow(person, event, at))}</tbody>
</table>
${nameless > 0 ? html`<p>And ${ticketsOf(nameless)} without a name.</p>` : undefined}`,
    ]
  })
}

function personRow(
  { name, tier, seat, since, checkpoint, people }: PersonInside,
  event: NamedEvent,
  at: (iso: string) => string,
) {
  const where = event.checkpointById.get(checkpoint)?.name ?? checkpoint
  return html`<tr><td class="tick">☐</td><td>${name ?? ''}${people > 1 ? ` (${people} people on this ticket)` : ''}</td><td>${event.tierById.get(tier)?.name ?? tier}</td><td>${seat ?? ''}</td><td>${at(new Date(since).toISOString())}, ${where}</td></tr>\n`
}

function ticketsOf(n: number): string {
  return n === 1 ? '1 ticket' : `${n} tickets`
}

const names = new Intl.Collator('en', { sensitivity: 'base' })

function byName(a: PersonInside, b: PersonInside): number {
  return names.compare(a.name ?? '', b.name ?? '')
}
