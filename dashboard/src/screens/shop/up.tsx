/** Passages on their way to pretix, and those of them that wait. */
import { Facts } from '@gatehouse/proto/ui/facts.tsx'
import type { ShopWaiting } from '@gatehouse/proto/wire/shop.ts'
import type { JSX } from 'preact'
import { answered } from '../../session/answered.ts'
import { useAttempt } from '../../widgets/attempt.ts'
import { Table } from '../../widgets/table.tsx'
import { shopWords as say, actionWords as words } from '../../words/late.ts'
import { saidBy } from '../../words/said.ts'
import { speech } from '../../words/words.ts'
import { addressOf } from '../log/filters.ts'
import { Note, Panel, Run, Said } from '../parts/parts.tsx'
import type { DirectionProps } from './down.tsx'
import { upStateOf } from './state.ts'

export function Up({ model, pretix: { up, down }, now, read }: DirectionProps): JSX.Element {
  const retry = useAttempt(async () => {
    const { client } = model.session
    await answered(client.POST('/v1/admin/shop/retry'))
    model.toasts.toast(say.retried)
    await read()
  })
  const { word, tone } = upStateOf(up)
  const isStuck = up.asleep > 0 || up.last_error !== null || down.last_error !== null
  return (
    <Panel title={say.up}>
      <p class="link-state" data-state={tone} role="status">
        {say.upStates[word]}
      </p>
      {up.last_error && <Note tone="bad">{saidBy('pretix', up.last_error_coded, up.last_error)}</Note>}
      <Facts
        class="link-facts"
        rows={[
          [say.lag, up.lag_seconds === null ? null : say.seconds(up.lag_seconds)],
          [say.waiting, say.waits(up.waiting, up.asleep)],
          [say.sent, speech.number(up.sent)],
          [say.sentAt, up.sent_at && words.time.ago(now - Date.parse(up.sent_at))],
        ]}
      />
      {up.queue.length > 0 && <Queue queue={up.queue} />}
      <Said bad={retry.problem.value} />
      {isStuck && model.session.may('retryShop') && (
        <>
          <p class="quiet">{say.retryHint}</p>
          <Run work={retry} class="primary">
            {say.retry}
          </Run>
        </>
      )}
    </Panel>
  )
}

const { shop } = words.flags

function Queue({ queue }: { queue: readonly ShopWaiting[] }): JSX.Element {
  const why = (reason: string | null) => (reason === null ? say.notAsked : (shop.reasons[reason] ?? shop.other(reason)))
  return (
    <Table
      caption={say.queue}
      rows={queue}
      keyOf={({ at, ticket_ref }) => `${at} ${ticket_ref}`}
      empty={say.queueEmpty}
      columns={[
        { name: say.queueAt, cell: ({ at }) => words.time.at(at) },
        {
          name: say.queueTicket,
          cell: ({ ticket_ref: ref }) => (ref === null ? say.noTicket : <a href={addressOf({ ticket: ref })}>{ref}</a>),
        },
        { name: say.queueWhy, cell: ({ reason }) => why(reason) },
        {
          name: say.queueNext,
          cell: ({ next_at }) => (next_at === null ? say.queueAsleep : words.time.at(next_at)),
        },
      ]}
    />
  )
}
