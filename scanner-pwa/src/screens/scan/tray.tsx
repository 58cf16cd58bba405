/** List of tickets to look at or to answer for. A scan takes none away from here: each has its own button. */
import type { JSX } from 'preact'
import type { Scanner } from '../../gate/model.ts'
import { isToSee, type TrayItem } from '../../gate/tray.ts'
import { askWords as say } from '../../words/core.ts'
import { speech } from '../../words/words.ts'
import { Icon } from '../icon.tsx'
import { Attention } from './details.tsx'
import type { ScanFlow } from './flow.ts'

interface TrayProps {
  scanner: Scanner
  flow: ScanFlow
}

export function Tray({ scanner, flow }: TrayProps): JSX.Element | null {
  const items = scanner.tray.value
  if (items.length === 0) return null
  return (
    <section class="tray" aria-label={say.tray.title(items.length)}>
      <h2>{say.tray.title(items.length)}</h2>
      <ul class="plain-list">
        {items.map((item) => (
          <Item key={item.scanId} item={item} scanner={scanner} flow={flow} />
        ))}
      </ul>
    </section>
  )
}

function Item({ item, scanner, flow }: TrayProps & { item: TrayItem }): JSX.Element {
  const { scanId, at, verdict, questions, waits } = item
  const { holder, product, tier_name: tier, seat_label: seat } = verdict
  const who = [holder, product ?? tier, seat, speech.clock(at)].filter(Boolean).join(' · ')
  return (
    <li class="tray-item">
      {isToSee(item) && <Attention {...verdict} />}
      <p>
        {waits && <b>{say.tray.waits}: </b>}
        {who}
      </p>
      <div class="tray-actions">
        {isToSee(item) && (
          <button type="button" aria-label={say.tray.seenNamed(who)} onClick={() => scanner.seen(scanId)}>
            {say.tray.seen}
          </button>
        )}
        {questions.length > 0 && (
          <>
            <button
              type="button"
              class="primary"
              aria-label={say.answerNamed(who)}
              onClick={() => flow.ask({ what: 'answers', scanId })}
            >
              {say.answer}
            </button>
            <button
              type="button"
              class="tray-drop"
              aria-label={say.tray.drop(who)}
              onClick={() => scanner.drop(scanId)}
            >
              <Icon name="close" />
            </button>
          </>
        )}
      </div>
    </li>
  )
}
