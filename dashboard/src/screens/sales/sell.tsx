/** The form of a sale. */
import { PAID, type Paid, type SaleRequest, type SaleTier } from '@gatehouse/proto/wire/sales.ts'
import { type Signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { answered, Refused, sentenceOf } from '../../session/answered.ts'
import { useAttempt } from '../../widgets/attempt.ts'
import { salesWords as words } from '../../words/late.ts'
import { Choices, Panel, Said, Select } from '../parts/parts.tsx'
import { askWhenFull } from './over-capacity.ts'
import { shownOf, typedOf, unitsIn } from './price.ts'
import type { Desk } from './sales.tsx'

const say = words.sales
const MOST = 20

type Wanted = Omit<SaleRequest, 'sale_id' | 'actor' | 'override_reason'>

/** Sells what the form says. */
function useSelling(form: ReturnType<typeof useForm>, { model, day, read, shown }: Desk) {
  const { session } = model
  /** The same id as long as the same is wanted: a sale whose answer was lost is not made twice. */
  const asked = useRef({ wanted: '', id: '' })
  return useAttempt(
    async () => {
      const wanted = wantedIn(form, day.value?.currency ?? 'EUR')
      const text = JSON.stringify(wanted)
      if (asked.current.wanted !== text) asked.current = { wanted: text, id: crypto.randomUUID() }
      const body = { ...wanted, sale_id: asked.current.id, actor: await session.withActor() }
      const sale = await askWhenFull(
        model,
        (override_reason) =>
          answered(
            session.client.POST('/v1/admin/sales', {
              body: { ...body, ...(override_reason !== undefined && { override_reason }) },
            }),
          ),
        ({ tickets, receipt }) => say.made(tickets.length, receipt),
      )
      if (!sale) return
      asked.current = { wanted: '', id: '' }
      shown.value = sale
      void read()
    },
    { explain: (error) => (error instanceof Refused && error.code === 'unreachable' ? say.lost : sentenceOf(error)) },
  )
}

export function SellPanel(desk: Desk): JSX.Element {
  const form = useForm()
  const selling = useSelling(form, desk)
  const { currency = 'EUR', tiers = [] } = desk.day.value ?? {}
  const price = unitsIn(form.price.value, currency)
  const many = Number(form.many.value)
  const choose = (id: string) => {
    form.tier.value = id
    const usual = tiers.find((tier) => tier.id === id)?.price ?? null
    if (usual !== null) form.price.value = typedOf(usual, currency)
  }
  // Where there is nothing to choose from, it is chosen.
  const only = onlyTier(tiers)
  useEffect(() => {
    if (form.tier.value === '') choose(only)
  }, [only])
  const total = form.paid.value === 'free' ? say.paid.free : price === null ? '…' : shownOf(price * many, currency)
  return (
    <Panel title={say.sell}>
      <form
        class="part-form"
        onSubmit={(event) => {
          event.preventDefault()
          void selling.run()
        }}
      >
        <Select
          label={say.tier}
          options={[
            { value: '', label: say.noTier },
            ...tiers.map((tier) => ({ value: tier.id, label: labelOf(tier) })),
          ]}
          value={form.tier.value}
          set={choose}
        />
        <Entry label={say.many} field={form.many} type="numeric" />
        <Choices
          label={say.paid.label}
          options={PAID.map((paid) => ({ value: paid, label: say.paid[paid] }))}
          value={form.paid.value}
          set={(paid) => (form.paid.value = paid)}
        />
        {form.paid.value !== 'free' && <Entry label={say.price(currency)} field={form.price} type="decimal" />}
        <Entry label={say.name} field={form.name} />
        <Entry label={say.note} field={form.note} />
        <div class="part-row">
          <button type="submit" class="primary part-main" aria-busy={selling.busy.value}>
            {say.run(Number.isInteger(many) && many > 0 ? many : 1, total)}
          </button>
        </div>
      </form>
      <Said bad={selling.problem.value} />
    </Panel>
  )
}

function useForm() {
  return {
    tier: useSignal(''),
    many: useSignal('1'),
    paid: useSignal<Paid>('cash'),
    price: useSignal('0'),
    name: useSignal(''),
    note: useSignal(''),
  }
}

/** @throws Refused for what is not filled in */
function wantedIn(form: ReturnType<typeof useForm>, currency: string): Wanted {
  const [tier, paid] = [form.tier.value, form.paid.value]
  const [name, note] = [form.name.value.trim(), form.note.value.trim()]
  const tickets = Number(form.many.value)
  const price = paid === 'free' ? 0 : unitsIn(form.price.value, currency)
  if (tier === '') throw new Refused('bad_request', 0, say.noTier)
  if (!Number.isInteger(tickets) || tickets < 1 || tickets > MOST) throw new Refused('bad_request', 0, say.badMany)
  if (price === null) throw new Refused('bad_request', 0, say.badPrice)
  return { tier, tickets, paid, price, ...(name !== '' && { name }), ...(note !== '' && { note }) }
}

/** The id of the only tier; '' where there are several, or none. */
export function onlyTier(tiers: readonly Pick<SaleTier, 'id'>[]): string {
  return tiers.length === 1 ? (tiers[0]?.id ?? '') : ''
}

function labelOf({ name, most, sold }: SaleTier): string {
  return most === null ? name : `${name} (${say.tierLeft(Math.max(0, most - sold))})`
}

interface EntryProps {
  label: string
  field: Signal<string>
  type?: 'text' | 'numeric' | 'decimal'
}

function Entry({ label, field, type = 'text' }: EntryProps): JSX.Element {
  const id = useId()
  return (
    <div class="part-field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        inputMode={type}
        maxLength={120}
        value={field.value}
        autocomplete="off"
        onInput={(event) => (field.value = event.currentTarget.value)}
      />
    </div>
  )
}
