/** Sales of today: totals, receipts, and the file for the books. */
import type { DaySales, SaleRow, SalesTotal } from '@gatehouse/proto/wire/sales.ts'
import type { JSX } from 'preact'
import { answered } from '../../session/answered.ts'
import { useAttempt } from '../../widgets/attempt.ts'
import { type Column, Table } from '../../widgets/table.tsx'
import { salesWords as words } from '../../words/late.ts'
import { Panel, Run, Said } from '../parts/parts.tsx'
import { saveAs } from '../parts/save.ts'
import { shownOf } from './price.ts'
import type { Desk } from './sales.tsx'

const say = words.sales

export function DayPanel(desk: Desk): JSX.Element {
  const { model, day, read } = desk
  const { client } = model.session
  const refreshing = useAttempt(read)
  const saving = useAttempt(async () => {
    const csv = await answered(client.GET('/v1/admin/sales.csv', { parseAs: 'text' }))
    saveAs(new Blob([String(csv)], { type: 'text/csv' }), `sales-${day.value?.day ?? ''}.csv`)
  })
  const { value } = day
  return (
    <Panel title={say.day} lead={say.dayLead}>
      <div class="part-row">
        <Run work={refreshing}>{say.refresh}</Run>
        <Run work={saving}>{say.csv}</Run>
      </div>
      <Said bad={saving.problem.value} />
      {value && <Totals day={value} />}
      {value && value.sales.length > 0 && <Receipts desk={desk} day={value} />}
    </Panel>
  )
}

function Totals({ day: { totals } }: { day: DaySales }): JSX.Element {
  const columns: readonly Column<SalesTotal>[] = [
    { name: say.totalsColumn.tier, cell: ({ tier_name }) => tier_name },
    { name: say.totalsColumn.paid, cell: ({ paid }) => say.paid[paid] },
    { name: say.totalsColumn.tickets, cell: ({ tickets }) => tickets, number: true },
    { name: say.totalsColumn.total, cell: ({ total, currency }) => shownOf(total, currency), number: true },
    { name: say.totalsColumn.box, cell: ({ box }) => box },
  ]
  const keyOf = ({ box, tier, paid, currency }: SalesTotal) => JSON.stringify([box, tier, paid, currency])
  return <Table caption={say.totals} columns={columns} rows={totals} keyOf={keyOf} empty={say.totalsEmpty} />
}

function Receipts({ desk: { model, read, shown }, day }: { desk: Desk; day: DaySales }): JSX.Element {
  const { client } = model.session
  const show = async ({ sale_id: id }: SaleRow) => {
    await model.act(async () => {
      shown.value = await answered(client.GET('/v1/admin/sales/{id}', { params: { path: { id } } }))
      scrollTo({ top: 0 })
      return say.shown(shown.value.receipt)
    })
  }
  const voidIt = async ({ sale_id: id, receipt }: SaleRow) => {
    const field = { name: 'reason', label: say.reason, required: true, suggestions: say.voidSuggestions }
    const form = { title: say.voidTitle, text: say.voidText, submit: say.voidSubmit, danger: true, fields: [field] }
    const done = await model.askAndAct(form, async ({ reason = '' }, actor) => {
      const body = { actor, reason: reason.trim() }
      const voided = await answered(client.POST('/v1/admin/sales/{id}/void', { params: { path: { id } }, body }))
      if (shown.value?.sale_id === id) shown.value = voided
      return say.voidDone(receipt)
    })
    if (done) await read()
  }
  const toneOf = ({ voided_at }: SaleRow) => (voided_at === null ? undefined : ('quiet' as const))
  return (
    <Table
      caption={say.list}
      columns={receiptColumns({ show, voidIt })}
      rows={day.sales}
      keyOf={({ receipt }) => receipt}
      toneOf={toneOf}
      empty={say.totalsEmpty}
    />
  )
}

interface ReceiptActions {
  show: (sale: SaleRow) => Promise<void>
  voidIt: (sale: SaleRow) => Promise<void>
}

function receiptColumns({ show, voidIt }: ReceiptActions): readonly Column<SaleRow>[] {
  return [
    { name: say.listColumn.receipt, cell: ({ receipt }) => receipt },
    { name: say.listColumn.tickets, cell: ({ tickets, tier_name }) => `${tickets.length} × ${tier_name}` },
    { name: say.listColumn.name, cell: ({ name }) => name ?? '' },
    {
      name: say.listColumn.total,
      cell: (sale) => (sale.paid === 'free' ? say.paid.free : shownOf(sale.total, sale.currency)),
      number: true,
    },
    { name: say.listColumn.by, cell: ({ sold_by }) => sold_by },
    { name: say.listColumn.state, cell: stateOf },
    {
      name: say.listColumn.action,
      cell: (sale) => (
        <div class="part-row">
          <button type="button" aria-label={say.show(sale.receipt)} onClick={() => void show(sale)}>
            {say.showShort}
          </button>
          {sale.voided_at === null && (
            <button
              type="button"
              class="danger"
              aria-label={say.voidIt(sale.receipt)}
              onClick={() => void voidIt(sale)}
            >
              {say.voidShort}
            </button>
          )}
        </div>
      ),
    },
  ]
}

function stateOf({ voided_at, voided_by, void_reason, admitted, tickets }: SaleRow): string {
  return voided_at === null ? say.inside(admitted, tickets.length) : say.voided(voided_by ?? '', void_reason ?? '')
}
