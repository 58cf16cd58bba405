/** The last scans of this phone, newest first: a press opens the verdict again. */
import type { JSX } from 'preact'
import type { Scanner, ScanRecord } from '../gate/model.ts'
import { verdictWords } from '../words/verdict.ts'
import { clock, words } from '../words/words.ts'
import { Page } from './page.tsx'
import type { ScanFlow } from './scan/flow.ts'
import './recent.css'
import { Chip } from './chip.tsx'

const say = words.recent

export function RecentScreen({ scanner, flow }: { scanner: Scanner; flow: ScanFlow }): JSX.Element {
  const records = scanner.recent.value
  return (
    <Page title={say.title} lead={records.length === 0 ? say.none : say.lead}>
      <ol class="plain-list" aria-label={say.title}>
        {records.map((record) => (
          <li key={record.scanId}>
            <RecentScan record={record} open={() => flow.reopen(record)} />
          </li>
        ))}
      </ol>
    </Page>
  )
}

function RecentScan({ record, open }: { record: ScanRecord; open: () => void }): JSX.Element {
  const { word, fact } = verdictWords(record)
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
      <time dateTime={new Date(at).toISOString()}>{clock(at)}</time>
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
