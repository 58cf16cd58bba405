/** The tickets of a sale, to be handed over: codes to photograph, links, slips. */
import { Qr } from '@gatehouse/proto/ui/qr.tsx'
import type { Sale } from '@gatehouse/proto/wire/sales.ts'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { answered } from '../../session/answered.ts'
import { useAttempt } from '../../widgets/attempt.ts'
import { actionWords as shared, salesWords as words } from '../../words/late.ts'
import type { PageParts } from '../parts/page-parts.ts'
import { Copy, Panel, Run, Said } from '../parts/parts.tsx'
import { PageActions, PrintedPage, readPage } from '../parts/printed.tsx'
import type { Desk } from './sales.tsx'

const say = words.sales

export function SalePanel({ desk: { model, shown }, sale }: { desk: Desk; sale: Sale }): JSX.Element {
  const { session, toasts } = model
  const slip = useSignal<PageParts | null>(null)
  const draw = async (paper: 'a4' | '80mm') => {
    const params = { path: { id: sale.sale_id }, query: { paper } }
    const page = await answered(session.client.GET('/v1/admin/sales/{id}/slip', { params, parseAs: 'text' }))
    slip.value = readPage(page)
  }
  const a4 = useAttempt(() => draw('a4'))
  const strip = useAttempt(() => draw('80mm'))
  const { made, tier_name, receipt, voided_at, voided_by, void_reason } = sale
  return (
    <Panel title={say.shown(receipt)} lead={say.photograph} class="printed-panel">
      <Said
        good={voided_at === null ? say.made(made.length, receipt) : null}
        bad={voided_at === null ? null : say.voided(voided_by ?? '', void_reason ?? '')}
      />
      <ol class="sales-tickets">
        {made.map(({ ref, code, link }, i) => (
          <li key={ref}>
            <Qr class="sales-qr" text={code ?? link} label={say.qrLabel(i + 1)} />
            <p>{say.ticketOf(i + 1, made.length, tier_name)}</p>
            {code === null ? <p class="quiet">{say.phoneOnly}</p> : <code class="part-code">{code}</code>}
            <Copy text={link} label={shared.copy.link} toasts={toasts} />
          </li>
        ))}
      </ol>
      <div class="part-row">
        <button type="button" class="primary part-main" onClick={() => (shown.value = null)}>
          {say.next}
        </button>
        <Run work={a4} class="part-main">
          {say.slip}
        </Run>
        <Run work={strip} class="part-main">
          {say.strip}
        </Run>
        {slip.value && <PageActions parts={slip.value} name={`slip-${receipt}.html`} />}
      </div>
      <Said bad={a4.problem.value ?? strip.problem.value} />
      {slip.value && <PrintedPage parts={slip.value} label={say.slipLabel} />}
    </Panel>
  )
}
