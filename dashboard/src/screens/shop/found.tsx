/** The box's findings in a pretix, and what they would become here. */
import type { ShopFound } from '@gatehouse/proto/wire/shop.ts'
import type { Signal } from '@preact/signals'
import type { JSX } from 'preact'
import { Table } from '../../widgets/table.tsx'
import { shopWords } from '../../words/late.ts'
import { Note } from '../parts/parts.tsx'
import { mixedDates } from './mixed-dates.ts'
import type { Typed } from './wish.ts'

const say = shopWords.connect

interface FoundProps {
  found: ShopFound
  form: Signal<Typed>
  set: (dates: ReadonlySet<number>) => void
}

export function Found({ found, form, set }: FoundProps): JSX.Element {
  const { name, products, lists, rights, dates, writes_event, writes_mapping, folder } = found
  const mixed = mixedDates(dates, form.value.dates)
  return (
    <section aria-label={say.found(name)}>
      <h3>{say.found(name)}</h3>
      <Table
        caption={say.products}
        rows={products}
        keyOf={({ key }) => key}
        toneOf={({ tier }) => (tier === null ? 'warn' : undefined)}
        empty={say.noProducts}
        columns={[
          { name: say.product, cell: (product) => product.name },
          { name: say.tier, cell: ({ tier }) => (tier === null ? say.noTier : tier || say.nobody) },
        ]}
      />
      <Table
        caption={say.lists}
        rows={lists}
        keyOf={({ id }) => String(id)}
        empty={say.noLists}
        columns={[
          { name: say.list, cell: (list) => list.name },
          { name: say.checkpoints, cell: ({ checkpoints }) => checkpoints.join(', ') || say.noCheckpoints },
        ]}
      />
      {dates.length > 0 && <Dates dates={dates} chosen={form.value.dates} set={set} />}
      {mixed.length > 0 && <Note tone="bad">{say.datesMixed(mixed.map((date) => date.name).join(', '))}</Note>}
      {(['redeem', 'annul', 'sell'] as const).map(
        (right) =>
          !rights[right] && (
            <Note key={right} tone="bad">
              {say.rights[right]}
            </Note>
          ),
      )}
      {writes_event && <p>{say.writesEvent}</p>}
      {writes_mapping && <p>{say.writesMapping(folder)}</p>}
    </section>
  )
}

interface DatesProps {
  dates: ShopFound['dates']
  chosen: ReadonlySet<number>
  set: (dates: ReadonlySet<number>) => void
}

function Dates({ dates, chosen, set }: DatesProps): JSX.Element {
  const toggle = (id: number) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    set(next)
  }
  return (
    <fieldset class="part-field">
      <legend>{say.dates}</legend>
      <p class="quiet">{say.datesHint}</p>
      {dates.map(({ id, name, at }) => (
        <label key={id} class="part-tick">
          <input type="checkbox" checked={chosen.has(id)} onChange={() => toggle(id)} />
          {name}, {at.slice(0, 16).replace('T', ' ')}
        </label>
      ))}
    </fieldset>
  )
}
