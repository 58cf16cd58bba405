/**
 * Draws a gate's paper list: one row for each ticket with a box to tick, the number of the sheet on every page, and what to do with
 * it. One HTML file without script, picture or link, so that a copy prints without the network. Pure.
 */
import type { Event } from '../event/event.ts'
import { html, markup } from '../seal/report/html.ts'
import { PRINT_STYLE } from '../seal/report/print-style.ts'
import { clockOf } from '../seal/report/table.ts'
import type { GateList, ListedTicket, ListOrder } from './gate-list.ts'

export interface GatePage {
  event: Event
  gate: string
  sheet: string
  order: ListOrder
  /** Unix ms. */
  madeAt: number
  /** The box that made it. */
  box: string
}

export function drawGateList(
  { rows, leftOut }: GateList,
  { event, gate, sheet, order, madeAt, box }: GatePage,
): string {
  const gateName = event.gateById.get(gate)?.name ?? gate
  const at = clockOf(event.timezone)(new Date(madeAt).toISOString())
  const [first, second] = order === 'name' ? ['Name', 'Order'] : ['Order', 'Name']
  // Ten thousand rows: joined as text, each made of escaped parts.
  const body = rows.map((row) => rowOf(row, event, order)).join('')
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${gateName}: paper list ${sheet}</title>
<style>${markup(PRINT_STYLE)}${markup(LIST_STYLE)}</style>
</head>
<body>
<h1>${gateName}: paper list ${sheet}</h1>
<p>${event.name}. Printed ${at} (${event.timezone}) by box ${box}. ${rows.length} tickets, by ${order}.
${leftOut > 0 ? `${leftOut} more may not enter (not paid, blocked, cancelled or revoked) and are not on it.` : undefined}</p>
<ol>
<li>For this gate only, and only while no scanner works. Do not copy it for a second gate.</li>
<li>Look for the name or the order, ask for a proof, tick the box. A ticked box: that ticket is used.</li>
<li>Write down when you began and when you stopped: from <u>&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;</u> to <u>&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;</u></li>
<li>Afterwards the desk types the sheet number ${sheet} and the short codes of the ticked rows, under Paper in the control room.</li>
</ol>
<table>
<thead>
<tr><th colspan="6" class="small">${gateName}, sheet <span class="code">${sheet}</span>, printed ${at}</th></tr>
<tr><th class="tick"></th><th>Short code</th><th>${first}</th><th>${second}</th><th>Ticket</th><th>Seat</th></tr>
</thead>
<tbody>
${markup(body)}</tbody>
</table>
</body>
</html>
`.markup
}

const LIST_STYLE = `
body { font-size: 10pt }
td { padding-block: .12rem }
u { text-decoration: none; border-bottom: 1px solid #000 }
`

function rowOf({ code, name, tier, seat, order, moved }: ListedTicket, event: Event, by: ListOrder): string {
  const [first, second] = by === 'name' ? [name, order] : [order, name]
  const tick = moved ? '☒' : '☐'
  return html`<tr><td class="tick">${tick}</td><td class="code">${code ?? 'ask desk'}</td><td>${first ?? ''}</td><td>${second ?? ''}</td><td>${event.tierById.get(tier)?.name ?? tier}${moved ? ', scanned before' : ''}</td><td>${seat ?? ''}</td></tr>
`.markup
}
