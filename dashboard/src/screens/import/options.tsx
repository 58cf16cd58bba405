/** How a file is read: its format, and which product is which tier. */
import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import { stats } from '../../live/live.ts'
import { words } from '../../words/en-actions.ts'
import { Panel } from '../parts/parts.tsx'
import type { Mapping } from './report.ts'
import type { Importing, Options } from './state.ts'

const say = words.import
const FORMATS = Object.entries(say.formats)
/** What the select shows for a tier that is not chosen, and for a product that is left out. */
const [OPEN, OUT] = ['?', '-']

export function OptionsPanel({ state }: { state: Importing }): JSX.Element {
  const id = useId()
  const { options, progress, report } = state
  const { format, mappings } = options.value
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
        <div class="part-field">
          <label for={`${id}-format`}>{say.format}</label>
          <select
            id={`${id}-format`}
            value={format}
            onChange={(event) => set({ format: event.currentTarget.value as Options['format'] })}
          >
            <option value="auto">{say.auto}</option>
            {FORMATS.map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        </div>
        <fieldset class="part-field">
          <legend>{say.tiers}</legend>
          <p class="quiet">{say.tiersHint}</p>
          <ul class="import-map">
            {mappings.map(({ product, tier }, i) => (
              // Lines have no other name than their place: a product is typed into them.
              <li key={i} data-open={tier === null}>
                <div class="part-field">
                  <label for={`${id}-product-${i}`}>{say.product}</label>
                  <input
                    id={`${id}-product-${i}`}
                    value={product}
                    maxLength={400}
                    autocomplete="off"
                    onInput={(event) => change(i, { product: event.currentTarget.value })}
                  />
                </div>
                <div class="part-field">
                  <label for={`${id}-tier-${i}`}>{say.tierOf(product)}</label>
                  <select
                    id={`${id}-tier-${i}`}
                    value={tier === null ? OPEN : tier === '' ? OUT : tier}
                    onChange={({ currentTarget: { value } }) =>
                      change(i, { tier: value === OPEN ? null : value === OUT ? '' : value })
                    }
                  >
                    <option value={OPEN}>{say.chooseTier}</option>
                    {stats.value?.tiers.map((each) => (
                      <option key={each.id} value={each.id}>
                        {each.name}
                      </option>
                    ))}
                    <option value={OUT}>{say.leaveOut}</option>
                  </select>
                </div>
                <button
                  type="button"
                  aria-label={say.removeTier(product)}
                  onClick={() => set({ mappings: mappings.filter((_, at) => at !== i) })}
                >
                  ×
                </button>
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
