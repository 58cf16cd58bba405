/**
 * Draws the slip of a sale: one ticket with its code on each page of A4, or one after the other on a strip of 80 mm. One HTML file
 * without script, link or font from elsewhere. Pure.
 */
import type { Sale, SoldTicket } from '@gatehouse/proto/wire/sales.ts'
import type { Event } from '../event/event.ts'
import { priceOf } from '../event/money.ts'
import { html, markup } from '../seal/report/html.ts'
import { PRINT_STYLE } from '../seal/report/print-style.ts'
import { clockOf } from '../seal/report/table.ts'

export type SlipPaper = 'a4' | '80mm'

const STYLES: Readonly<Record<SlipPaper, string>> = {
  a4: `
.slip { break-after: page; padding: 6mm; border: 1px dashed #000 }
.slip:last-child { break-after: auto }
.slip svg { width: 70mm; height: 70mm }
`,
  // Receipt printers print 72 mm of the 80, and cut after each page.
  '80mm': `
@page { size: 80mm 160mm; margin: 4mm }
body { padding: 0; width: 72mm; font-size: 10pt }
.slip { break-after: page; text-align: center }
.slip:last-child { break-after: auto }
.slip svg { width: 56mm; height: 56mm }
h1 { font-size: 1.2rem }
`,
}

const PAID: Readonly<Record<Sale['paid'], string>> = { cash: 'paid in cash', card: 'paid by card', free: 'free' }

export function drawSlip(sale: Sale, event: Event, paper: SlipPaper): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Receipt ${sale.receipt}: ${event.name}</title>
<style>${markup(paper === 'a4' ? PRINT_STYLE : PRINT_STYLE.replace(/@page[^}]*\}/, ''))}${markup(STYLES[paper])}</style>
</head>
<body>
${sale.made.map((ticket, i) => slipOf(ticket, i + 1, sale, event))}</body>
</html>
`.markup
}

function slipOf({ code, qr_svg }: SoldTicket, n: number, sale: Sale, event: Event) {
  const at = clockOf(event.timezone)
  const { made, tier_name, name, paid, price, currency, receipt, sold_at, sold_by, voided_at } = sale
  return html`<section class="slip">
<h1>${event.name}</h1>
${voided_at === null ? undefined : html`<p class="warn">VOID: this ticket opens no gate.</p>`}
<p class="big">${tier_name}</p>
${name === null ? undefined : html`<p>${name}</p>`}
<p>${markup(qr_svg)}</p>
<p class="code">${code === null ? 'Scan with your phone: the ticket opens there' : grouped(code)}</p>
<p>Ticket ${n} of ${made.length}, ${paid === 'free' ? 'free' : `${priceOf(price, currency)}, ${PAID[paid]}`}</p>
<p class="small">Receipt ${receipt}, ${at(sold_at)}, sold by ${sold_by}</p>
</section>
`
}

/** In fours, for whoever has to type it. */
function grouped(code: string): string {
  return code.match(/.{1,4}/g)?.join(' ') ?? code
}
