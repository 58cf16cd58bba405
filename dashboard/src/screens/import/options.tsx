/** The options for reading a file: its format, and the tier of each product. */
import type { ShopFormat } from '@gatehouse/proto/wire/admin.ts'
import type { Stats } from '@gatehouse/proto/wire/stats.ts'
import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import { actionWords as words } from '../../words/late.ts'
import { Panel, Select } from '../parts/parts.tsx'
import type { Mapping } from './report.ts'
import type { Importing, Options } from './state.ts'

const say = words.import
const FORMATS: readonly { value: Options['format']; label: string }[] = [
  { value: 'auto', label: say.auto },
  ...Object.entries(say.formats).map(([value, label]) => ({ value: value as ShopFormat, label })),
]
/** Values of the select for a tier that is not chosen, and for a product that is left out. */
const [OPEN, OUT] = ['?', '-'] as const

type Tiers = Stats['tiers']

export function OptionsPanel({ state, tiers }: { state: Importing; tiers: Tiers }): JSX.Element {
  const { options, progress, report } = state
  const { format, mappings, matching } = options.value
  const set = (part: Partial<Options>) => {
    options.value = { ...options.value, ...part }
  }
  const change = (i: number, part: Partial<Mapping>) =>
    set({ mappings: mappings.map((each, at) => (at === i ? { ...each, ...part } : each)) })
  const submit = (event: Event) => {
    event.preventDefault()
    void state.look()
  }
  return (
    <Panel title={say.step.options}>
      <form class="part-form" onSubmit={submit}>
        {matching === null && (
          <Select label={say.format} value={format} set={(value) => set({ format: value })} options={FORMATS} />
        )}
        <fieldset class="part-field">
          <legend>{say.tiers}</legend>
          <p class="quiet">{say.tiersHint}</p>
          <ul class="import-map">
            {mappings.map((mapping, i) => (
              // Lines have no other name than their place: a product is typed into them.
              <li key={i} data-open={mapping.tier === null}>
                <Line
                  mapping={mapping}
                  tiers={tiers}
                  change={(part) => change(i, part)}
                  remove={() => set({ mappings: mappings.filter((_, at) => at !== i) })}
                />
              </li>
            ))}
          </ul>
          <div class="part-row">
            <button type="button" onClick={() => set({ mappings: [...mappings, { product: '', tier: null }] })}>
              {say.addTier}
            </button>
          </div>
        </fieldset>
        <div class="part-row">
          <button
            type="submit"
            class={report.value === null || state.stale() ? 'primary part-main' : 'part-main'}
            aria-busy={progress.value !== null}
          >
            {report.value === null ? say.look : say.lookAgain}
          </button>
        </div>
      </form>
    </Panel>
  )
}

interface LineProps {
  mapping: Mapping
  tiers: Tiers
  change: (part: Partial<Mapping>) => void
  remove: () => void
}

/** One product, and the tier that it becomes. */
function Line({ mapping: { product, tier }, tiers, change, remove }: LineProps): JSX.Element {
  const id = useId()
  return (
    <>
      <div class="part-field">
        <label for={id}>{say.product}</label>
        <input
          id={id}
          value={product}
          maxLength={400}
          autocomplete="off"
          onInput={(event) => change({ product: event.currentTarget.value })}
        />
      </div>
      <Select
        label={say.tierOf(product)}
        value={tier === null ? OPEN : tier === '' ? OUT : tier}
        set={(value) => change({ tier: value === OPEN ? null : value === OUT ? '' : value })}
        options={[
          { value: OPEN, label: say.chooseTier },
          ...tiers.map((each) => ({ value: each.id, label: each.name })),
          { value: OUT, label: say.leaveOut },
        ]}
      />
      <button type="button" aria-label={say.removeTier(product)} onClick={remove}>
        ×
      </button>
    </>
  )
}
