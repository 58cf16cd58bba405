/** Each gate: its rate, the verdicts that it gave, and the switch that holds it. */
import './gates.css'
import type { Stats } from '@gatehouse/proto/wire/stats.ts'
import type { JSX } from 'preact'
import { mixOf } from '../../live/mix.ts'
import type { Model } from '../../model.ts'
import { MixBar, MixLegend } from '../../widgets/mix.tsx'
import { Sparkline } from '../../widgets/spark.tsx'
import { liveWords } from '../../words/late.ts'
import { ageWords, count, rate } from '../../words/time.ts'
import { words } from '../../words/words.ts'
import { holdGate, releaseGate } from './hold.ts'

const say = liveWords.gates
type Gate = Stats['gates'][number]

export function Screen(model: Model): JSX.Element {
  const now = model.live.stats.value
  return (
    <>
      <h1>{words.screens.gates}</h1>
      {!now && <p class="quiet">{liveWords.overview.waiting}</p>}
      <ul class="gates">
        {now?.gates.map((gate) => (
          <li key={gate.id}>
            <GateCard model={model} gate={gate} zones={now.zones} />
          </li>
        ))}
      </ul>
    </>
  )
}

interface GateCardProps {
  model: Model
  gate: Gate
  zones: Stats['zones']
}

function GateCard({ model, gate, zones }: GateCardProps): JSX.Element {
  const { id, name, hold, sparkline } = gate
  const mix = mixOf(gate.verdicts)
  return (
    <section class="gate" data-held={hold !== null} aria-labelledby={`gate-${id}`}>
      <div class="gate-head">
        <h2 id={`gate-${id}`}>{name}</h2>
        <p class="gate-rate">
          <b>{rate(gate.per_minute)}</b> <span class="quiet">{say.inPerMinute}</span>
        </p>
      </div>
      {hold && (
        <p class="gate-hold">
          <strong>{say.held}</strong> {hold.reason} <span>{expiryWords(hold.expires_at, model.live.boxNow.value)}</span>
        </p>
      )}
      <div class="gate-spark">
        <Sparkline values={sparkline} label={say.lastHour(name)} />
        <p class="quiet">
          <span>{say.hourAgo}</span> <span>{say.most(count(Math.max(0, ...sparkline)))}</span> <span>{say.now}</span>
        </p>
      </div>
      <Checkpoints gate={gate} zones={zones} />
      {mix.scans === 0 ? (
        <p class="quiet">{say.noScans}</p>
      ) : (
        <>
          <MixBar verdicts={gate.verdicts} label={say.answersAt(name)} />
          <MixLegend mix={mix} />
        </>
      )}
      {model.session.may('holdGate') && <Actions model={model} gate={gate} />}
    </section>
  )
}

function Checkpoints({ gate, zones }: { gate: Gate; zones: Stats['zones'] }): JSX.Element {
  return (
    <ul class="gate-checkpoints">
      {gate.checkpoints.map((checkpoint) => (
        <li key={checkpoint.id}>
          <span class="gate-way" data-direction={checkpoint.direction}>
            {say.direction[checkpoint.direction] ?? checkpoint.direction}
          </span>
          <span class="gate-checkpoint">
            {checkpoint.name}
            <span class="quiet"> {wayWords(checkpoint, zones)}</span>
          </span>
          {/* The box counts admissions by the minute, and nobody who leaves. */}
          {checkpoint.direction === 'in' && (
            <span>
              <b>{rate(checkpoint.per_minute)}</b> <span class="quiet">{liveWords.overview.perMinute}</span>
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

function Actions({ model, gate }: { model: Model; gate: Gate }): JSX.Element {
  const { name, hold } = gate
  return (
    <div class="gate-actions">
      {hold && (
        <button
          type="button"
          class="primary"
          aria-label={`${say.release}: ${name}`}
          onClick={() => void releaseGate(model, gate)}
        >
          {say.release}
        </button>
      )}
      <button
        type="button"
        class={hold ? '' : 'danger'}
        aria-label={`${hold ? say.change : say.hold}: ${name}`}
        onClick={() => void holdGate(model, gate)}
      >
        {hold ? say.change : say.hold}
      </button>
    </div>
  )
}

function expiryWords(expiresAt: string | null, now: number): string {
  return expiresAt === null ? say.untilReleased : say.endsIn(ageWords(Date.parse(expiresAt) - now))
}

function wayWords({ from, to }: Gate['checkpoints'][number], zones: Stats['zones']): string {
  const nameOf = (id: string | null) => (id === null ? say.outside : (zones.find((zone) => zone.id === id)?.name ?? id))
  return say.way(nameOf(from), nameOf(to))
}
