/** The verdict before, a press away: to read it again, or to take it back. */
import type { JSX } from 'preact'
import type { Scanner } from '../../gate/model.ts'
import { verdictWords } from '../../words/verdict.ts'
import { speech, words } from '../../words/words.ts'
import { Chip } from '../chip.tsx'
import type { ScanFlow } from './flow.ts'

export function LastScan({ scanner, flow }: { scanner: Scanner; flow: ScanFlow }): JSX.Element {
  const [last] = scanner.recent.value
  if (!last) return <p class="last-scan quiet">{words.scan.none}</p>
  const { word } = verdictWords(last, scanner.pairing.value?.supervisor)
  return (
    <button
      type="button"
      class="last-scan"
      aria-description={words.scan.last}
      onClick={() => flow.ask({ what: 'past', scanId: last.scanId })}
    >
      <Chip of={last.class} undone={last.undone} />
      <b>{word}</b>
      <span class="quiet">{[speech.clock(last.at), last.verdict.tier_name].filter(Boolean).join(' · ')}</span>
    </button>
  )
}
