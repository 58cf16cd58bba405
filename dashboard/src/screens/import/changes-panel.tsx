/** The tickets that an import changes, from what to what; and the question about tickets that were used or revoked. */
import type { ImportReport } from '@gatehouse/proto/wire/admin.ts'
import type { Stats } from '@gatehouse/proto/wire/stats.ts'
import type { JSX } from 'preact'
import { actionWords as words } from '../../words/late.ts'
import { speech } from '../../words/words.ts'
import { Choices, Panel } from '../parts/parts.tsx'
import { changeTexts, keptTiers } from './changes.ts'
import type { Importing } from './state.ts'

const say = words.import.changes

interface ChangesProps {
  report: ImportReport
  tiers: Stats['tiers']
}

export function ChangesPanel({ report, tiers }: ChangesProps): JSX.Element | null {
  const { changes = [], changed } = report
  if (changes.length === 0) return null
  const listedChanged = changes.filter(({ fields, tier_kept }) => !tier_kept || fields.length > 1).length
  return (
    <Panel title={say.title}>
      <ul>
        {changes.map((change) => (
          <li key={change.row} class="import-change">
            <span class="quiet">
              {words.import.row} {speech.number(change.row)}
            </span>
            <ul>
              {changeTexts(change, tiers).map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
            {change.state !== 'unused' && <span class="tag tag-bad">{say.states[change.state]}</span>}
          </li>
        ))}
      </ul>
      {changed > listedChanged && <p class="quiet">{words.import.moreRows(changed - listedChanged)}</p>}
    </Panel>
  )
}

/** Asked once a preview has found such tickets, and shown until another file is chosen. */
export function UsedTiersPanel({ state }: { state: Importing }): JSX.Element | null {
  const { report, options, progress } = state
  const { usedTiers } = options.value
  const kept = keptTiers(report.value)
  if (!report.value?.dry_run || (kept === 0 && usedTiers === null)) return null
  return (
    <Panel title={say.question}>
      <p>{say.why}</p>
      <Choices
        label={usedTiers === null ? say.asked(kept) : say.question}
        value={usedTiers ?? UNDECIDED}
        set={(value) => progress.value === null && value !== UNDECIDED && void state.decide(value)}
        options={[
          { value: 'keep', label: say.keep },
          { value: 'change', label: say.change },
        ]}
      />
    </Panel>
  )
}

const UNDECIDED = ''
