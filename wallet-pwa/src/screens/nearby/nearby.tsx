/** The amenities nearby, by ways that the ticket may take, in a list and on the map. */
import './nearby.css'
import { categoryOf, nameIn } from '@gatehouse/proto/venue-categories.ts'
import type { NearbyAmenity, VenuePlan } from '@gatehouse/proto/wire/venue.ts'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Answer, NearbyQuestion } from '../../box/client.ts'
import type { Model } from '../../model.ts'
import { Notice, Retry } from '../../pieces.tsx'
import type { Dated } from '../../store/kept.ts'
import { ago } from '../../wallet/spoken.ts'
import type { WalletTicket } from '../../wallet/tickets.ts'
import type { Wallet } from '../../wallet/wallet.ts'
import { mapWords, screenWords } from '../../words/late.ts'
import { words } from '../../words/words.ts'
import { MapPane } from './map-pane.tsx'

const w = screenWords.nearby
type Found = Answer<Dated<NearbyAmenity[]>>

type Pane = 'list' | 'map'

export function NearbyScreen({ wallet, tick }: Model): JSX.Element {
  const ticket = wallet.current.value
  return ticket ? <Nearby wallet={wallet} tick={tick} ticket={ticket} /> : <NoTicket />
}

type NearbyProps = Pick<Model, 'wallet' | 'tick'> & { ticket: WalletTicket }

function Nearby({ wallet, tick, ticket }: NearbyProps): JSX.Element {
  const plan = wallet.plan.value
  const { stepFree } = wallet.settings.value
  const [from, setFrom] = useState<string | null>(null)
  const [category, setCategory] = useState('')
  const [chosen, setChosen] = useState<string | null>(null)
  const [pane, setPane] = useState<Pane>('list')
  const { found, again } = useFound(wallet, ticket, { stepFree, from })

  const amenities = found?.ok ? found.value.value : []
  const shown = amenities.filter((one) => category === '' || kindOf(one) === category)
  const selected = shown.find((one) => one.id === chosen)
  const lastSeen = ticket.view?.history.at(-1)?.checkpoint_name
  const here = from ?? plan?.checkpoints.find((checkpoint) => checkpoint.name === lastSeen)?.id
  const choose = (id: string) => {
    setChosen(id === chosen ? null : id)
    if (id !== chosen && plan?.map) setPane('map')
  }
  return (
    <>
      <h1 tabIndex={-1}>{w.heading}</h1>
      {plan && !plan.map && <Notice tone="info">{w.noMap}</Notice>}
      <form class="nearby-asked" onSubmit={(event) => event.preventDefault()}>
        <From plan={plan} from={from} set={setFrom} visited={!!ticket.view?.history.length} />
        <Category amenities={amenities} category={category} set={setCategory} />
        <StepFree on={stepFree} set={(on) => wallet.set({ stepFree: on })} />
      </form>
      {plan?.map && <Views pane={pane} set={setPane} />}
      <div class={`nearby-panes nearby-shows-${pane}`}>
        <section class="nearby-found" aria-label={w.list}>
          <div aria-live="polite">
            <Outcome found={found} shown={shown.length} stepFree={stepFree} now={tick.value} />
          </div>
          {found && !found.ok && <Retry ask={again} />}
          <Amenities shown={shown} chosen={chosen} choose={choose} />
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
              title={
                selected ? w.to(nameIn(mapWords, selected.name)) : w.mapTitle(ticket.view?.event_name ?? plan.event_id)
              }
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

/** The box's answer; null before the first. Asked anew where the holder has moved on, and when the box is back. */
function useFound(wallet: Wallet, { id, view }: WalletTicket, { stepFree, from }: NearbyQuestion) {
  const [found, setFound] = useState<Found | null>(null)
  const [tries, setTries] = useState(0)
  useEffect(() => {
    let overtaken = false
    void wallet.nearby(id, { stepFree, from }).then((answer) => {
      if (!overtaken) setFound(answer)
    })
    return () => {
      overtaken = true
    }
  }, [id, stepFree, from, view?.history.length, wallet.reachable.value, tries])
  return { found, again: () => setTries(tries + 1) }
}

interface FromProps {
  plan: VenuePlan | null
  from: string | null
  set: (checkpoint: string | null) => void
  visited: boolean
}

function From({ plan, from, set, visited }: FromProps): JSX.Element {
  return (
    <label>
      {w.from}
      <select value={from ?? ''} onChange={(event) => set(event.currentTarget.value || null)}>
        <option value="">{visited ? w.lastSeen : w.firstGate}</option>
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
  )
}

interface CategoryProps {
  amenities: readonly NearbyAmenity[]
  /** Name of the category in this language; '' for all of them. */
  category: string
  set: (category: string) => void
}

function Category({ amenities, category, set }: CategoryProps): JSX.Element {
  const names = [...new Set(amenities.map(kindOf))].sort(
    new Intl.Collator(document.documentElement.lang || undefined).compare,
  )
  return (
    <label>
      {w.show}
      <select value={category} onChange={(event) => set(event.currentTarget.value)}>
        <option value="">{w.everything}</option>
        {[...new Set([...names, ...(category ? [category] : [])])].map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Its kind, in this language. */
function kindOf({ category }: NearbyAmenity): string {
  return mapWords.categories[categoryOf(category).key]
}

function StepFree({ on, set }: { on: boolean; set: (on: boolean) => void }): JSX.Element {
  return (
    <label class="switch">
      <input type="checkbox" checked={on} onChange={(event) => set(event.currentTarget.checked)} />
      {w.stepFree}
    </label>
  )
}

/** On a narrow screen, where there is room for one of them. */
function Views({ pane, set }: { pane: Pane; set: (pane: Pane) => void }): JSX.Element {
  return (
    <fieldset class="nearby-views" aria-label={w.views}>
      {(['list', 'map'] as const).map((one) => (
        <button key={one} type="button" aria-pressed={pane === one} onClick={() => set(one)}>
          {w[one]}
        </button>
      ))}
    </fieldset>
  )
}

interface AmenitiesProps {
  shown: readonly NearbyAmenity[]
  chosen: string | null
  choose: (id: string) => void
}

function Amenities({ shown, chosen, choose }: AmenitiesProps): JSX.Element {
  return (
    <ol class="amenities">
      {shown.map((one) => (
        <li key={one.id}>
          <button type="button" aria-pressed={one.id === chosen} onClick={() => choose(one.id)}>
            <Amenity of={one} />
          </button>
        </li>
      ))}
    </ol>
  )
}

function NoTicket(): JSX.Element {
  return (
    <>
      <h1 tabIndex={-1}>{w.heading}</h1>
      <p>{words.welcome.text}</p>
      <a class="button primary big" href="#/more">
        {words.add}
      </a>
    </>
  )
}

interface OutcomeProps {
  found: Found | null
  shown: number
  stepFree: boolean
  now: number
}

function Outcome({ found, shown, stepFree, now }: OutcomeProps): JSX.Element | null {
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
  const { letter, colour } = categoryOf(one.category)
  const kind = kindOf(one)
  const name = nameIn(mapWords, one.name)
  const via = one.via.map((way) => nameIn(mapWords, way)).join(', ')
  const free = one.step_free === true ? w.stepFreeYes : one.step_free === false ? w.stepFreeNo : w.stepFreeUnverified
  return (
    <>
      <span class="amenity-sign" style={{ background: colour }} aria-hidden="true">
        {letter}
      </span>
      <span class="amenity-words">
        <strong>{name}</strong>
        <span class="quiet">
          {[name === kind ? null : kind, via === '' ? null : w.via(via)].filter(Boolean).join(' · ')}
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
