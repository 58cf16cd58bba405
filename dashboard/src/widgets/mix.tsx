/** The mix of verdicts as one bar: colour, shape and word of each class. */
import './mix.css'
import { Shape } from '@gatehouse/proto/ui/shape.tsx'
import type { VerdictClass } from '@gatehouse/proto/ui/verdict-class.ts'
import type { JSX } from 'preact'
import { type Mix, mixOf } from '../live/mix.ts'
import { liveWords } from '../words/late.ts'
import { count, percent } from '../words/time.ts'

interface MixBarProps {
  verdicts: Readonly<Record<string, number>>
  label: string
}

export function MixBar({ verdicts, label }: MixBarProps): JSX.Element {
  const mix = mixOf(verdicts)
  const spoken = mix.parts.map(({ of, scans }) => `${liveWords.verdictClasses[of]} ${count(scans)}`).join(', ')
  return (
    <div class="mix-bar" role="img" aria-label={`${label}: ${spoken || liveWords.nothingYet}`}>
      {mix.parts.map(({ of, share }) => (
        <span key={of} class={`mix-part mix-${of}`} style={{ flexGrow: share }} />
      ))}
    </div>
  )
}

/** The meaning of the colours, with counts. @param most shows the largest; the rest is left to the bar */
export function MixLegend({ mix, most = 9 }: { mix: Mix; most?: number }): JSX.Element {
  const shown = [...mix.parts].sort((a, b) => b.scans - a.scans).slice(0, most)
  return (
    <ul class="mix-legend">
      {shown.map(({ of, scans }) => (
        <li key={of}>
          <Chip of={of} />
          <span class="mix-word">{liveWords.verdictClasses[of]}</span>
          <b>{count(scans)}</b>
          <span class="quiet">{percent(scans, mix.scans)}</span>
        </li>
      ))}
    </ul>
  )
}

export function Chip({ of }: { of: VerdictClass }): JSX.Element {
  return (
    <span class={`mix-chip mix-${of}`}>
      <Shape of={of} />
    </span>
  )
}
