/** A guest list, pasted: checked first, then added. */
import type { GuestLine, GuestsAnswer } from '@gatehouse/proto/wire/sales.ts'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useId } from 'preact/hooks'
import { answered, Refused } from '../../session/answered.ts'
import { useAttempt } from '../../widgets/attempt.ts'
import { type Column, Table } from '../../widgets/table.tsx'
import { salesWords as words } from '../../words/late.ts'
import { saidBy } from '../../words/said.ts'
import { Panel, Run, Said, Select } from '../parts/parts.tsx'
import { askWhenFull } from './over-capacity.ts'
import type { Desk } from './sales.tsx'
import { onlyTier } from './sell.tsx'

const say = words.sales

/** Text of the list, the box's answer to it, and the two things to do with it. */
function useGuestList({ model, read }: Desk) {
  const { session } = model
  const list = useSignal('')
  const tier = useSignal('')
  const answer = useSignal<GuestsAnswer | null>(null)
  /** Another one for another list: what is pressed twice adds nobody twice. */
  const listId = useSignal<string>(crypto.randomUUID())
  const send = async (dry_run: boolean, override_reason?: string) => {
    if (tier.value === '') throw new Refused('bad_request', 0, say.noTier)
    if (list.value.trim() === '') throw new Refused('bad_request', 0, say.guestsEmpty)
    const actor = await session.withActor()
    const wanted = { list_id: listId.value, list: list.value, tier: tier.value, dry_run, actor }
    const body = { ...wanted, ...(override_reason !== undefined && { override_reason }) }
    return answered(session.client.POST('/v1/admin/guests', { body }))
  }
  const checking = useAttempt(async () => {
    answer.value = await send(true)
  })
  const adding = useAttempt(async () => {
    const added = await askWhenFull(
      model,
      (reason) => send(false, reason),
      ({ guests, tickets }) => say.guestsAdded(guests, tickets),
    )
    if (!added) return
    answer.value = added
    void read()
  })
  const edit = (set: () => void) => {
    set()
    answer.value = null
    listId.value = crypto.randomUUID()
  }
  return { list, tier, answer, checking, adding, edit }
}

export function GuestPanel(desk: Desk): JSX.Element {
  const { list, tier, answer, checking, adding, edit } = useGuestList(desk)
  const tiers = desk.day.value?.tiers ?? []
  const only = onlyTier(tiers)
  useEffect(() => {
    if (tier.value === '') tier.value = only
  }, [only])
  const { value } = answer
  const bad = value?.lines.filter(({ problem }) => problem !== null).length ?? 0
  const mayAdd = value !== null && !value.added && bad === 0 && value.guests > 0
  return (
    <Panel title={say.guests} lead={say.guestsLead}>
      <form
        class="part-form"
        onSubmit={(event) => {
          event.preventDefault()
          void checking.run()
        }}
      >
        <Select
          label={say.guestsTier}
          options={[{ value: '', label: say.noTier }, ...tiers.map(({ id, name }) => ({ value: id, label: name }))]}
          value={tier.value}
          set={(chosen) => edit(() => (tier.value = chosen))}
        />
        <ListField value={list.value} set={(typed) => edit(() => (list.value = typed))} />
        <div class="part-row">
          <button type="submit" class={mayAdd ? 'part-main' : 'primary part-main'} aria-busy={checking.busy.value}>
            {say.check}
          </button>
          {mayAdd && (
            <Run work={adding} class="primary part-main">
              {say.add(value.guests, value.tickets)}
            </Run>
          )}
        </div>
      </form>
      <Said
        good={goodOf(value, bad)}
        bad={checking.problem.value ?? adding.problem.value ?? (bad > 0 ? say.guestsBad(bad) : null)}
      />
      {value && value.full.length > 0 && !value.added && (
        <p class="part-note">{saidBy('sale', value.full_coded, value.full.join(' '))}</p>
      )}
      {value && (
        <Table
          caption={say.guests}
          columns={columnsOf(new Map(tiers.map((one) => [one.id, one.name])))}
          rows={value.lines}
          keyOf={({ line }) => String(line)}
          toneOf={({ problem }) => (problem === null ? undefined : 'bad')}
          empty={say.guestsEmpty}
        />
      )}
    </Panel>
  )
}

function ListField({ value, set }: { value: string; set: (typed: string) => void }): JSX.Element {
  const id = useId()
  return (
    <div class="part-field">
      <label for={id}>{say.guestsField}</label>
      <textarea
        id={id}
        rows={6}
        maxLength={32_768}
        value={value}
        placeholder={say.guestsExample}
        onInput={(event) => set(event.currentTarget.value)}
      />
    </div>
  )
}

function goodOf(answer: GuestsAnswer | null, bad: number): string | null {
  if (!answer || bad > 0) return null
  return answer.added ? say.guestsAdded(answer.guests, answer.tickets) : say.guestsFine
}

function stateOf({ problem, problem_coded }: GuestLine): string {
  return problem === null ? say.fine : saidBy('sale', problem_coded, problem)
}

function columnsOf(names: ReadonlyMap<string, string>): readonly Column<GuestLine>[] {
  return [
    { name: say.guestsColumn.line, cell: ({ line }) => line, number: true },
    { name: say.guestsColumn.name, cell: ({ name }) => name ?? '', header: true },
    { name: say.guestsColumn.tickets, cell: ({ tickets }) => tickets, number: true },
    { name: say.guestsColumn.tier, cell: ({ tier }) => (tier === null ? '' : (names.get(tier) ?? tier)) },
    { name: say.guestsColumn.state, cell: stateOf },
  ]
}
