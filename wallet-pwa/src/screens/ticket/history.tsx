/** Being in, the day and the way there, and the gates that the holder has passed, the latest first. */
import type { TicketView } from '@gatehouse/proto/wire/attendee.ts'
import type { JSX } from 'preact'
import { Notice } from '../../pieces.tsx'
import { moment } from '../../wallet/spoken.ts'
import { screenWords } from '../../words/late.ts'
import { speech } from '../../words/words.ts'
import { admittedAt } from './admitted.ts'

export function History({ view: { history, event } }: { view: TicketView }): JSX.Element {
  const entry = admittedAt(history)
  return (
    <>
      {entry && (
        <Notice tone="good" live>
          {screenWords.history.admitted(entry.checkpoint_name, moment(entry.at))}
        </Notice>
      )}
      {event && <Occasion event={event} />}
      <Passages history={history} />
    </>
  )
}

function Occasion({ event }: { event: NonNullable<TicketView['event']> }): JSX.Element {
  const say = screenWords.occasion
  const { starts_at, doors_at, place, entrances, time_zone } = event
  // The event's own zone: people read it before they travel.
  const local = (iso: string) =>
    speech.time(Date.parse(iso), { dateStyle: 'full', timeStyle: 'short', timeZone: time_zone })
  const rows = [
    [say.begins, local(starts_at)],
    ...(doors_at === null ? [] : [[say.doors, local(doors_at)]]),
    ...(place === undefined ? [] : [[say.place, place]]),
    ...(entrances.length === 0 ? [] : [[say.entrances, entrances.join(', ')]]),
  ] as const
  return (
    <section class="part">
      <h2>{say.heading}</h2>
      <dl class="ticket-facts">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Passages({ history }: Pick<TicketView, 'history'>): JSX.Element {
  return (
    <section class="part">
      <h2>{screenWords.history.heading}</h2>
      {history.length === 0 && <p class="quiet">{screenWords.history.none}</p>}
      <ol class="history">
        {[...history].reverse().map(({ at, direction, checkpoint_name, gate_name }) => (
          <li key={at + checkpoint_name} class={`history-${direction}`}>
            <span>
              {direction === 'in' ? screenWords.history.in(checkpoint_name) : screenWords.history.out(checkpoint_name)}
            </span>
            <span class="quiet">
              {gate_name}, <time dateTime={at}>{moment(at)}</time>
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
