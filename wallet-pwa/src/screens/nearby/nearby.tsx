/** What is near, by ways that the ticket may take, and where it is on the map. */
import './nearby.css'
import { categoryOf } from '@gatehouse/proto/venue-categories.ts'
import type { NearbyAmenity } from '@gatehouse/proto/wire/venue.ts'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Model } from '../../model.ts'
import { Notice, Retry } from '../../pieces.tsx'
import type { Answer } from '../../wallet/box.ts'
import type { Dated } from '../../wallet/kept.ts'
import { ago } from '../../wallet/spoken.ts'
import { words } from '../../words/en.ts'
import { MapPane } from './map-pane.tsx'

const w = words.nearby
type Found = Answer<Dated<NearbyAmenity[]>>

export function NearbyScreen({ model }: { model: Model }): JSX.Element {
  const { wallet, tick } = model
  const ticket = wallet.current.value
  const plan = wallet.plan.value
  const { stepFree } = wallet.settings.value
  const [from, setFrom] = useState<string | null>(null)
  const [category, setCategory] = useState('')
  const [found, setFound] = useState<Found | null>(null)
  const [chosen, setChosen] = useState<string | null>(null)
  const [pane, setPane] = useState<'list' | 'map'>('list')

  const id = ticket?.id
  const visits = ticket?.view?.history.length
  const [tries, setTries] = useState(0)
  useEffect(() => {
    if (id === undefined) return
    let overtaken = false
    void wallet.nearby(id, { stepFree, from }).then((answer) => {
      if (!overtaken) setFound(answer)
    })
    return () => {
      overtaken = true
    }
    // Asked anew where the holder has moved on, and when the box is back.
  }, [id, stepFree, from, visits, wallet.reachable.value, tries])

  if (!ticket) return <NoTicket />
  const amenities = found?.ok ? found.value.value : []
  const names = [...new Set(amenities.map((one) => categoryOf(one.category).name))].sort()
  const shown = amenities.filter((one) => category === '' || categoryOf(one.category).name === category)
  const selected = shown.find((one) => one.id === chosen)
  const here = from ?? checkpointOf(ticket.view?.history.at(-1)?.checkpoint_name)

  function checkpointOf(name: string | undefined): string | undefined {
    return plan?.checkpoints.find((checkpoint) => checkpoint.name === name)?.id
  }

  return (
    <>
      <h1 tabIndex={-1}>{w.heading}</h1>
      {plan && !plan.map && <Notice tone="info">{w.noMap}</Notice>}
      <form class="nearby-asked" onSubmit={(event) => event.preventDefault()}>
        <label>
          {w.from}
          <select value={from ?? ''} onChange={(event) => setFrom(event.currentTarget.value || null)}>
            <option value="">{visits ? w.lastSeen : w.firstGate}</option>
            {plan?.gates.map((gate) => (
              <optgroup key={gate.id} label={gate.name}>
                {plan.checkpoints
                  .filter((checkpoint) => checkpoint.gate === gate.id)
                  .map((checkpoint) => (
                    <option key={checkpoint.id} value={checkpoint.id}>
                      {checkpoint.name}
                    </option>
                  ))}
              </optgroup>
            ))}
          </select>
        </label>
        <label>
          {w.show}
          <select value={category} onChange={(event) => setCategory(event.currentTarget.value)}>
            <option value="">{w.everything}</option>
            {[...new Set([...names, ...(category ? [category] : [])])].map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label class="switch">
          <input
            type="checkbox"
            checked={stepFree}
            onChange={(event) => wallet.set({ stepFree: event.currentTarget.checked })}
          />
          {w.stepFree}
        </label>
      </form>
      {plan?.map && (
        <fieldset class="nearby-views" aria-label={w.views}>
          {(['list', 'map'] as const).map((one) => (
            <button key={one} type="button" aria-pressed={pane === one} onClick={() => setPane(one)}>
              {w[one]}
            </button>
          ))}
        </fieldset>
      )}
      <div class={`nearby-panes nearby-shows-${pane}`}>
        <section class="nearby-found" aria-label={w.list}>
          <div aria-live="polite">
            <Outcome found={found} shown={shown.length} stepFree={stepFree} now={tick.value} />
          </div>
          {found && !found.ok && <Retry ask={async () => setTries(tries + 1)} />}
          <ol class="amenities">
            {shown.map((one) => (
              <li key={one.id}>
                <button
                  type="button"
                  aria-pressed={one.id === chosen}
                  onClick={() => {
                    setChosen(one.id === chosen ? null : one.id)
                    if (one.id !== chosen && plan?.map) setPane('map')
                  }}
                >
                  <Amenity of={one} />
                </button>
              </li>
            ))}
          </ol>
        </section>
        {plan?.map && (
          <section class="nearby-map" aria-label={w.map}>
            {selected && (
              <div class="amenity-chosen">
                <Amenity of={selected} />
              </div>
            )}
            <MapPane
              plan={plan}
              title={selected ? w.to(selected.name) : w.mapTitle(ticket.view?.event_name ?? plan.event_id)}
              stepFree={stepFree}
              {...(here !== undefined && { here })}
              {...(selected && { route: selected.route })}
            />
          </section>
        )}
      </div>
    </>
  )
}

function NoTicket(): JSX.Element {
  return (
    <>
      <h1 tabIndex={-1}>{w.heading}</h1>
      <p>{words.welcome.text}</p>
      <a class="button primary big" href="#/more">
        {words.more.add}
      </a>
    </>
  )
}

function Outcome({
  found,
  shown,
  stepFree,
  now,
}: {
  found: Found | null
  shown: number
  stepFree: boolean
  now: number
}): JSX.Element | null {
  if (!found) return <p class="quiet">{w.looking}</p>
  if (!found.ok) {
    return (
      <Notice tone="warn">
        {found.trouble === 'unreachable' || found.trouble === 'busy' ? w.failed : words.trouble[found.trouble].text}
      </Notice>
    )
  }
  const age = now - found.value.at
  return (
    <>
      {age > 2 * 60_000 && <p class="quiet">{w.old(ago(age))}</p>}
      {shown === 0 && <p>{stepFree ? w.noneStepFree : w.none}</p>}
    </>
  )
}

function Amenity({ of: one }: { of: NearbyAmenity }): JSX.Element {
  const { name, letter, colour } = categoryOf(one.category)
  const free = one.step_free === true ? w.stepFreeYes : one.step_free === false ? w.stepFreeNo : w.stepFreeUnverified
  return (
    <>
      <span class="amenity-sign" style={{ background: colour }} aria-hidden="true">
        {letter}
      </span>
      <span class="amenity-words">
        <strong>{one.name}</strong>
        <span class="quiet">
          {[one.name === name ? null : name, one.via.length > 0 ? w.via(one.via.join(', ')) : null]
            .filter(Boolean)
            .join(' · ')}
        </span>
        <span class={`amenity-free amenity-free-${one.step_free}`}>{free}</span>
      </span>
      <span class="amenity-way">
        <strong>{w.minutes(Math.max(1, Math.round(one.walking_seconds / 60)))}</strong>
        <span class="quiet">{w.metres(one.metres)}</span>
      </span>
    </>
  )
}
