/** The last scans of this phone, newest first: a press opens a card with what was decided, and when. */
import type { ReadonlySignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { Scanner, ScanRecord } from '../gate/model.ts'
import { screenWords } from '../words/late.ts'
import { aged, verdictWords } from '../words/verdict.ts'
import { speech } from '../words/words.ts'
import { Page } from './page.tsx'
import type { ScanFlow } from './scan/flow.ts'
import './recent.css'
import { Chip } from './chip.tsx'

const say = screenWords.recent

interface RecentProps {
  scanner: Scanner
  flow: ScanFlow
  now: ReadonlySignal<number>
}

export function RecentScreen({ scanner, flow, now }: RecentProps): JSX.Element {
  const records = scanner.recent.value
  return (
    <Page title={say.title} lead={records.length === 0 ? say.none : say.lead}>
      <ol class="plain-list" aria-label={say.title}>
        {records.map((record) => (
          <li key={record.scanId}>
            <RecentScan
              record={record}
              now={now.value}
              supervisor={scanner.pairing.value?.supervisor === true}
              open={() => flow.ask({ what: 'past', scanId: record.scanId })}
            />
          </li>
        ))}
      </ol>
    </Page>
  )
}

interface RowProps {
  record: ScanRecord
  now: number
  supervisor: boolean
  open: () => void
}

function RecentScan({ record, now, supervisor, open }: RowProps): JSX.Element {
  const { word, fact } = verdictWords(aged(record, now), supervisor)
  const { verdict, at } = record
  return (
    <button type="button" class="recent" data-class={record.class} onClick={open}>
      <Chip of={record.class} undone={record.undone} />
      <span class="recent-text">
        <b>{word}</b>
        {fact && <span>{fact}</span>}
        <span class="quiet">
          {[verdict.tier_name, verdict.seat_label, ...marks(record)].filter(Boolean).join(' · ')}
        </span>
      </span>
      <span class="recent-when">
        <time dateTime={new Date(at).toISOString()}>{speech.clock(at)}</time>
        <span class="quiet">{say.ago(speech.short(now - at))}</span>
      </span>
    </button>
  )
}

function marks({ alone, sent, supervised, undone, afterwards, operator }: ScanRecord): string[] {
  return [
    ...(alone ? [say.alone] : []),
    ...(sent === undefined ? [] : [sent ? say.sent : say.unsent]),
    ...(supervised ? [say.supervised] : []),
    ...(undone ? [say.undone] : []),
    ...(afterwards?.flag ? [say.double] : []),
    ...(operator ? [operator] : []),
  ]
}
