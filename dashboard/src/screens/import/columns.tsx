/** The columns of a file of no known shop: what stands in each, and the choice of what it is. */
import { IMPORT_FIELDS, type ImportColumns, MATCHED_STATUSES } from '@gatehouse/proto/wire/import-columns.ts'
import type { Stats } from '@gatehouse/proto/wire/stats.ts'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { actionWords as words } from '../../words/late.ts'
import { Note, Panel, Select } from '../parts/parts.tsx'
import { type Matching, withEveryTier, withField, withOnlyTier } from './matching.ts'
import type { Importing } from './state.ts'

const say = words.import.columns
const SHOWN_VALUES = 3
/** Value of the select while a column names the tier. */
const BY_COLUMN = '?'

interface Props {
  state: Importing
  tiers: Stats['tiers']
}

export function ColumnsPanel({ state, tiers }: Props): JSX.Element | null {
  const { columns, options } = state
  const { value: found } = columns
  const { matching } = options.value
  const set = (next: Matching) => {
    options.value = { ...options.value, matching: next }
  }
  const only = tiers.length === 1 ? tiers[0]?.id : undefined
  useEffect(() => {
    if (matching && only !== undefined) set(withOnlyTier(matching, only))
  }, [found, only])
  if (!found || !matching) return null
  return (
    <Panel title={say.title}>
      <Before found={found} />
      <details class="import-columns" open={!found.fits}>
        <summary>{say.show(found.columns.length)}</summary>
        <ul class="import-map">
          {found.columns.map(({ name, values, more }, i) => (
            <li key={name} data-open={false}>
              <div class="import-values">
                <strong>{name}</strong>
                <p class="quiet">
                  {values.length === 0 ? say.empty : values.slice(0, SHOWN_VALUES).join(' · ')}
                  {(more || values.length > SHOWN_VALUES) && ' …'}
                </p>
              </div>
              <Select
                label={say.is(name)}
                value={matching.fields[i] ?? ''}
                set={(field) => set(withField(matching, i, field, found.columns))}
                options={FIELDS}
              />
            </li>
          ))}
        </ul>
        {!matching.fields.includes('tier') && (
          <Select
            label={say.everyTier}
            value={matching.everyTier ?? BY_COLUMN}
            set={(tier) => set(withEveryTier(matching, tier === BY_COLUMN ? null : tier))}
            options={[
              { value: BY_COLUMN, label: say.byColumn },
              ...tiers.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        )}
        <Statuses matching={matching} set={set} />
        <p class="quiet">{say.kept}</p>
      </details>
    </Panel>
  )
}

const FIELDS = [
  { value: '' as const, label: say.unused },
  ...IMPORT_FIELDS.map((value) => ({ value, label: say.fields[value] })),
]

/** Says whether the box knows such columns from an earlier file. */
function Before({ found: { kept, fits, missing } }: { found: ImportColumns }): JSX.Element {
  if (!kept) return <p>{say.unknown}</p>
  const day = new Date(kept.kept_at).toLocaleDateString()
  if (fits) return <Note tone="good">{say.fits(day)}</Note>
  return (
    <Note tone="bad">
      {say.moved(day)} {missing.length > 0 && say.missing(missing.join(', '))}
    </Note>
  )
}

function Statuses({ matching, set }: { matching: Matching; set: (next: Matching) => void }): JSX.Element | null {
  const { statuses, fields } = matching
  if (!fields.includes('status') || statuses.length === 0) return null
  return (
    <fieldset class="part-field">
      <legend>{say.statusTitle}</legend>
      <div class="import-statuses">
        {statuses.map(({ word, status }, i) => (
          <Select
            key={word}
            label={say.means(word)}
            value={status}
            set={(chosen) => set({ ...matching, statuses: statuses.with(i, { word, status: chosen }) })}
            options={[
              { value: '' as const, label: say.asItSays },
              ...MATCHED_STATUSES.map((value) => ({ value, label: say.statuses[value] })),
            ]}
          />
        ))}
      </div>
    </fieldset>
  )
}
