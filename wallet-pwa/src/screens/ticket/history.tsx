/** The gates that the holder has passed, the latest first. */
import type { TicketView } from '@gatehouse/proto/wire/attendee.ts'
import type { JSX } from 'preact'
import { moment } from '../../wallet/spoken.ts'
import { screenWords } from '../../words/late.ts'

export function History({ view: { history } }: { view: TicketView }): JSX.Element {
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
