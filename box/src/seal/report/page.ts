/**
 * Draws the report as an HTML page without scripts, to read on a screen or to print on A4. The page proves nothing;
 * it names the file that does, and shows the newest seal so that people can photograph it.
 */
import QRCode from 'qrcode'
import { bar, hourChart } from './bars.ts'
import { type Html, html, markup } from './html.ts'
import { drawBoxes } from './page-boxes.ts'
import type { Counts, Report } from './shape.ts'
import { clockOf, table, words } from './table.ts'

/**
 * @param seal.checkpoint the newest seal's signed note; `verifierKey`: as /v1/meta has it
 * @returns a whole document
 */
export async function drawReport(report: Report, seal: { checkpoint: string; verifierKey: string }): Promise<string> {
  const qr = await QRCode.toString(seal.checkpoint, { type: 'svg', errorCorrectionLevel: 'M', margin: 4 })
  const { event, people, seals } = report
  const at = clockOf(event.timezone)
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Attendance report: ${event.name}</title>
<style>${markup(STYLE)}</style>
</head>
<body>
<header>
<h1>${event.name}</h1>
<p>Attendance report of ${report.box}, event ${event.id}<br>
recorded ${at(report.from)} to ${at(report.until)}, made ${at(report.made_at)} by ${report.software}<br>
times in ${event.timezone}</p>
</header>
<section class="figures">
${figure(people.arrived, 'people came in from outside')}
${figure(people.left, 'went out again')}
${figure(people.inside, 'more in than out')}
${figure(people.tickets, 'tickets admitted at least once')}
</section>
<p class="small">Of these, scanners let in ${report.offline.in} and out ${report.offline.out} while they were alone;
${people.without_ticket} showed a code of no ticket. Supervisors admitted ${countOf(report.kinds, 'supervisor_admit')}
refused tickets, and ${countOf(report.kinds, 'undo')} admissions were taken back. ${report.devices.enrolled} devices were
paired, ${report.devices.revoked} revoked.</p>

<h2>Zones</h2>
${table(
  ['Zone', '#In', '#Out', '#In less out', '#Capacity', ''],
  report.zones.map((zone) => [
    zone.name,
    zone.in,
    zone.out,
    zone.inside,
    zone.capacity,
    bar(zone.inside, Math.max(zone.capacity, zone.inside)),
  ]),
)}
<h2>Tickets</h2>
${table(
  ['Ticket type', '#Tickets admitted', '#Admissions', ''],
  report.tiers.map(({ name, tickets, admissions }) => {
    return [name, tickets, admissions, bar(admissions, most(report.tiers.map((tier) => tier.admissions)))]
  }),
)}
<h2>Gates</h2>
${table(
  ['Gate', '#In', '#Out', 'Answers', ''],
  report.gates.map((gate) => {
    const busiest = most(report.gates.map((other) => other.in + other.out))
    return [gate.name, gate.in, gate.out, countsText(gate.verdicts), bar(gate.in + gate.out, busiest)]
  }),
)}
${table(
  ['Checkpoint', 'Direction', '#People', 'Answers'],
  report.checkpoints.map((row) => [row.name, row.direction, row.people, countsText(row.verdicts)]),
)}
<h2>Hours</h2>
${hourChart(report.hours)}
${table(
  ['From', '#In', '#Out', '#First admissions'],
  report.hours.map((hour) => [hour.from.replace('T', ' '), hour.in, hour.out, hour.tickets]),
)}
<h2>Answers to scans</h2>
${table(['Verdict', '#Scans'], Object.entries(report.verdicts))}

<h2>Flags</h2>
${table(
  ['Opened', 'Kind', 'Ticket', '#Scans', 'Resolution'],
  report.flags.map((flag) => [
    at(flag.opened_at),
    words(flag.kind),
    flag.ticket ?? '',
    flag.scans.length,
    flag.resolutions
      .map(({ resolution, actor, at: when }) => html`${words(resolution)}, ${actor}, ${at(when)}<br>`)
      .concat(flag.state === 'open' ? html`open` : []),
  ]),
)}
<h2>Supervisors and undos</h2>
${table(
  ['When', 'What', 'Where', 'Who', 'Why', 'Ticket'],
  report.overrides.map((row) => [at(row.at), words(row.kind), row.checkpoint, row.actor, row.reason, row.ticket]),
)}
<h2>Incidents</h2>
<p class="small">${countsText(tally(report.incidents.map(({ kind, state }) => `${kind} ${state}`)))}</p>
${table(
  ['Reported', 'Kind', 'Gate', 'State', '#Taken on after', '#Resolved after', 'Actions'],
  report.incidents.map((incident) => [
    at(incident.reported_at),
    words(incident.kind),
    incident.gate,
    incident.state,
    duration(incident.acknowledged_after),
    duration(incident.resolved_after),
    incident.actions.map(({ action, actor, reason }) => html`${action}, ${actor}${reason ? `: ${reason}` : ''}<br>`),
  ]),
)}
<h2>Held gates</h2>
${table(
  ['From', 'Until', 'Gate', 'Who', 'Why', 'Ended by'],
  report.holds.map((hold) => [
    at(hold.placed_at),
    endOf(hold, at),
    hold.gate,
    hold.actor,
    hold.reason,
    hold.replaced_by ? 'another hold' : (hold.released_by ?? ''),
  ]),
)}
<h2>Modes</h2>
${table(
  ['From', 'Until', 'Mode', 'Who', 'Why'],
  report.modes.map((span) => {
    return [at(span.from), span.until ? at(span.until) : '', span.mode, span.actor ?? '', span.reason ?? '']
  }),
)}
${report.mesh ? drawBoxes(report, report.mesh, at) : ''}
<section class="seal">
<h2>The record</h2>
<p>${report.entries} entries, sealed ${seals.length} times, the last at ${at(seals.at(-1)?.at ?? report.until)}:
${countsText(report.kinds)}.</p>
<div class="qr">${markup(qr)}</div>
<p>Photograph this code, or keep the text. Whoever has it can tell later whether one of these entries was changed or
taken out.</p>
<pre>${seal.checkpoint}</pre>
<p>The box's verifier key. Note it where nobody can exchange it together with this page:</p>
<pre>${seal.verifierKey}</pre>
<h3>How to verify</h3>
<p>This page is a picture of the report, and anybody can print another. The report that counts is in the export, signed:
ask the organiser for the file, and for the key somebody else. Then, with nothing but Node.js 22.18 or newer and the one
file <code>verify-export.ts</code> of Gatehouse:</p>
<pre>node verify-export.ts FILE --key KEY --checkpoint SEAL</pre>
<p>SEAL is a file with the text under the code above. The command counts every number of this page again from the
entries. What it cannot show: who held the key, and whether somebody came in whom nobody scanned.</p>
</section>
</body>
</html>
`
  return page.markup
}

function figure(number: number, what: string): Html {
  return html`<p><b>${number}</b>${what}</p>`
}

function countsText(counts: Counts): string {
  return Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `${words(name)} ${count}`)
    .join(', ')
}

function tally(names: readonly string[]): Counts {
  const counts: { [name: string]: number } = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

function countOf(counts: Counts, name: string): number {
  return counts[name] ?? 0
}

function most(numbers: readonly number[]): number {
  return Math.max(0, ...numbers)
}

function duration(seconds: number | undefined): string {
  if (seconds === undefined) return ''
  return seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

function endOf({ released_at, expires_at }: Report['holds'][number], at: (iso: string) => string): string {
  if (released_at) return at(released_at)
  return expires_at ? `expires ${at(expires_at)}` : ''
}

const STYLE = `
@page { size: A4; margin: 15mm }
* { box-sizing: border-box }
body { font: 10pt/1.4 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; color: #111; background: #fff;
  max-width: 180mm; margin: 10mm auto; padding: 0 4mm }
h1 { font-size: 20pt; margin: 0 0 2mm }
h2 { font-size: 12pt; margin: 7mm 0 2mm; border-bottom: 0.3mm solid #111; break-after: avoid }
h3 { font-size: 10pt; margin: 4mm 0 1mm; break-after: avoid }
p { margin: 1mm 0 }
.small { font-size: 8.5pt }
.figures { display: flex; gap: 4mm; margin: 5mm 0 3mm; break-inside: avoid }
.figures p { flex: 1; border: 0.3mm solid #111; padding: 2mm; font-size: 8.5pt }
.figures b { display: block; font-size: 18pt; line-height: 1.1; font-variant-numeric: tabular-nums }
table { width: 100%; border-collapse: collapse; font-size: 8.5pt; margin: 0 0 3mm }
thead { display: table-header-group }
tr { break-inside: avoid }
th, td { text-align: left; vertical-align: top; padding: 0.8mm 1.5mm; border-bottom: 0.2mm solid #bbb; overflow-wrap: break-word }
th { white-space: nowrap }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
.bar { display: block; width: 30mm; height: 3mm; border: 0.2mm solid #bbb }
.chart { display: block; width: 100%; margin: 0 0 3mm; font-size: 9px }
.seal { break-before: page }
.qr svg { width: 55mm; height: 55mm }
pre { font: 8pt/1.5 ui-monospace, "DejaVu Sans Mono", monospace; white-space: pre-wrap; overflow-wrap: anywhere;
  border: 0.2mm solid #bbb; padding: 2mm; margin: 1mm 0 }
@media print { body { margin: 0; padding: 0; max-width: none } }
`
