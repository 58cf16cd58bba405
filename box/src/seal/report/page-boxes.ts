/** The part of the printed report about several boxes: the boxes, when each was DEGRADED, and admissions in uncertain order. */
import { type Html, html } from './html.ts'
import type { DoubleUse, MeshReport, ModeSpan, Report } from './shape.ts'
import { table } from './table.ts'

/** @param at a time as the event's own clock showed it */
export function drawBoxes(report: Report, mesh: MeshReport, at: (iso: string) => string): Html {
  const own = { box: report.box, entries: report.entries, modes: report.modes, seals: report.seals }
  const boxes = [own, ...mesh.boxes]
  const apart = boxes.flatMap(({ box, modes }) => modes.filter(isApart).map((span) => ({ box, ...span })))
  const uncertain = mesh.double_uses.filter(({ order }) => order === 'uncertain').length
  return html`
<h2>Boxes</h2>
<p class="small">${boxes.length} boxes took part. What ${report.box} had heard of the others when this was made is in every
number above; entries, modes and seals that stand without a box are its own.</p>
${table(
  ['Box', '#Entries here', '#Sealed', 'Last seal', 'Signed too by'],
  boxes.map(({ box, entries, seals }) => {
    const newest = seals.at(-1)
    const witnesses = mesh.cosigned.filter((one) => one.box === box)
    return [
      box,
      entries,
      newest?.size ?? 0,
      newest ? at(newest.at) : '',
      witnesses.map(({ witness, size }) => html`${witness}, ${size} entries<br>`),
    ]
  }),
)}
<p class="small">A box signs another one's seal once it has held it against its own copy of that log: whoever changes such a log
afterwards has to change it at every box that signed.</p>
<h3>When a box did not hear the others</h3>
${table(
  ['Box', 'From', 'Until', 'Who', 'Why'],
  apart.map(({ box, from, until, actor, reason }) => [
    box,
    at(from),
    until ? at(until) : '',
    actor ?? '',
    reason ?? '',
  ]),
)}
<p class="small">Meanwhile it let in whoever had a valid ticket that it had not seen. ${mesh.provisional} people passed whom no other
box had been asked about: each is on the record, and provisional. Whoever came in twice by it is a case below.</p>
<h3>Used more than once</h3>
${table(
  ['Case', 'Who was first', 'Where'],
  mesh.double_uses.map((use) => [
    use.flag,
    firstOf(use),
    use.records.map((record) => html`${at(record.at)}, ${record.checkpoint}, ${record.box}, ${record.confidence}<br>`),
  ]),
)}
<p class="small">In this order as far as it is known: who was let in by the word of all boxes was first, and of two whom nobody asked
about, the one whose box shows the earlier time; somebody whom a scanner let in alone stands where its own clock says. Of ${uncertain}
nobody can tell who was first: the clocks are too close, or a scanner was alone.</p>
`
}

function isApart({ mode }: ModeSpan): boolean {
  return mode !== 'STRICT'
}

function firstOf({ order, records: [first] }: DoubleUse): string {
  if (!first) return 'not heard of yet'
  return order === 'certain' ? `${first.checkpoint}, ${first.box}` : 'uncertain'
}
