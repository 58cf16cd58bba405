/** Details of a verdict beside the ticket's tier: holder, product, add-ons, order; and attention, in a form of its own. */
import type { JSX } from 'preact'
import type { ScanRecord } from '../../gate/model.ts'
import { askWords as say } from '../../words/core.ts'
import { Icon } from '../icon.tsx'
import './details.css'

type Seen = Pick<ScanRecord['verdict'], 'attention' | 'note'>

export function Details({ record }: { record: ScanRecord }): JSX.Element | null {
  const { verdict, undone, blind } = record
  const { holder, product, addons = [], order } = verdict
  if (undone) return null
  const lines = [
    product,
    addons.length > 0 && say.addons(addons),
    order && say.order(order),
    order?.own_scan && say.ownScan(order.own_scan),
    blind && verdict.verdict === 'ADMIT' && say.blind,
  ].filter((line) => typeof line === 'string')
  return (
    <div class="verdict-details">
      <Attention {...verdict} />
      {holder && <p class="verdict-holder">{holder}</p>}
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </div>
  )
}

/** Black and yellow with a sign and a word: nothing else in this app looks like it. */
export function Attention({ attention, note }: Seen): JSX.Element | null {
  if (!attention && !note) return null
  return (
    <div class="attention">
      <Icon name="alarm" />
      <p>
        <b>{attention ? say.attention : say.note}</b>
        {attention && <span>{attention.text ?? (note ? '' : say.attentionNoText)}</span>}
        {note && <span>{attention ? `${say.note}: ${note}` : note}</span>}
      </p>
    </div>
  )
}
