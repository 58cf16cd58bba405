/** The map of the venue, with the fullness of its zones, the rate of its gates, and its open incidents. */
import '../../widgets/panel.css'
import './map.css'
import { VenueMap } from '@gatehouse/proto/ui/venue-map.tsx'
import { viewOf } from '@gatehouse/proto/venue-drawing.ts'
import type { Incident } from '@gatehouse/proto/wire/incidents.ts'
import type { VenuePlan } from '@gatehouse/proto/wire/venue.ts'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { HEAT } from '../../live/fullness.ts'
import type { Live } from '../../live/live.ts'
import { isOver, isUnseen } from '../../live/state.ts'
import type { Model } from '../../model.ts'
import { answered } from '../../session/answered.ts'
import { useAttempt } from '../../widgets/attempt.ts'
import { ZoneFigure } from '../../widgets/zone.tsx'
import { liveWords } from '../../words/late.ts'
import { ageWords, rate } from '../../words/time.ts'
import { words } from '../../words/words.ts'
import { coloursOf, marksOf, planWith } from './on-map.ts'

const say = liveWords.map

/** Pixels. */
const BRIEF_BELOW = 560

export function Screen({ live, session: { client } }: Model): JSX.Element {
  const plan = useSignal<VenuePlan | null>(null)
  const { problem, run: load } = useAttempt(async () => {
    // Anyone may ask for it, so that it may be any age in the browser: here it is asked for anew.
    // The API document has a position as a list of numbers; it is always two.
    plan.value = (await answered(client.GET('/v1/venue', { cache: 'no-cache' }))) as VenuePlan
  })
  useEffect(() => void load(), [])
  return (
    <div class="map">
      <h1 class="visually-hidden">{words.screens.map}</h1>
      <div class="map-picture">
        {problem.value !== null && (
          <div role="alert">
            <p>{problem.value}</p>
            <button type="button" onClick={() => void load()}>
              {words.shell.again}
            </button>
          </div>
        )}
        {plan.value ? (
          <Picture plan={plan.value} live={live} />
        ) : (
          problem.value === null && <p>{words.shell.loading}</p>
        )}
      </div>
      <Side live={live} />
    </div>
  )
}

function Picture({ plan, live }: { plan: VenuePlan; live: Live }): JSX.Element {
  const frame = useRef<HTMLDivElement>(null)
  const width = useSignal(960)
  useEffect(() => {
    if (!frame.current) return
    // In steps of 40 pixels, so that turning a tablet does not draw the map anew for every pixel.
    const observer = new ResizeObserver(([entry]) => {
      const across = entry?.contentRect.width ?? 0
      if (across > 0) width.value = Math.min(1600, Math.max(320, Math.round(across / 40) * 40))
    })
    observer.observe(frame.current)
    return () => observer.disconnect()
  }, [])
  const now = live.stats.value
  const drawn = planWith(plan, now, { brief: width.value < BRIEF_BELOW })
  const shown = JSON.stringify([drawn.zones, drawn.gates, now && coloursOf(now.zones)])
  const picture = useMemo(
    () => (
      <VenueMap
        plan={drawn}
        width={width.value}
        title={say.title}
        {...(now && { zoneColours: coloursOf(now.zones) })}
        class="map-drawing"
      />
    ),
    [shown, width.value, plan],
  )
  if (!plan.map) return <p class="quiet">{say.none}</p>
  return (
    <div ref={frame} class="map-frame">
      {picture}
      <Marks plan={plan} width={width.value} incidents={live.incidents.value} />
    </div>
  )
}

interface MarksProps {
  plan: VenuePlan
  width: number
  incidents: readonly Incident[]
}

/** Over the drawing, in its own pixels. */
function Marks({ plan, width, incidents }: MarksProps): JSX.Element | null {
  if (!plan.map) return null
  const view = viewOf(plan.map, width)
  return (
    // The list beside the picture says the same in words.
    <svg class="map-marks" viewBox={`0 0 ${width} ${view.height}`} aria-hidden="true">
      {marksOf(incidents, plan.map, view).map(({ incident, at: [x, y] }) => (
        <g
          key={incident.incident_id}
          class="map-mark"
          data-unseen={isUnseen(incident)}
          transform={`translate(${x} ${y})`}
        >
          <path d="M0 4L17 33H-17Z" />
          <path class="map-mark-bang" d="M-1.500 14h3v9h-3zM-1.500 26h3v3h-3z" />
        </g>
      ))}
    </svg>
  )
}

/** The same in words, for whoever cannot see the picture, and exact for whoever can. */
function Side({ live: { stats, incidents, trendIn, boxNow } }: { live: Live }): JSX.Element {
  const now = stats.value
  const open = incidents.value.filter((one) => !isOver(one))
  return (
    <div class="map-side">
      <section aria-labelledby="map-zones">
        <h2 id="map-zones">{liveWords.overview.zones}</h2>
        <ul class="map-zones">
          {now?.zones.map((zone) => (
            <li key={zone.id}>
              <ZoneFigure zone={zone} trend={trendIn(zone)} />
            </li>
          ))}
        </ul>
        <ul class="map-legend" aria-label={say.legend}>
          {say.heat.map((text, i) => (
            <li key={text}>
              <span style={{ background: HEAT[i] }} aria-hidden="true" />
              {text}
            </li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="map-gates">
        <h2 id="map-gates">{words.screens.gates}</h2>
        <ul class="map-list">
          {now?.gates.map(({ id, name, per_minute, hold }) => (
            <li key={id}>
              {name} {hold && <span class="tag tag-bad">{liveWords.gates.held}</span>}
              <b>{say.rate(rate(per_minute))}</b>
            </li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="map-incidents">
        <h2 id="map-incidents">{words.screens.incidents}</h2>
        {open.length === 0 && <p class="quiet">{liveWords.incidents.none.open}</p>}
        <ul class="map-list">
          {open.map((one) => (
            <li key={one.incident_id}>
              <a href="#/incidents">
                {liveWords.incidents.named(words.incidentKinds[one.kind] ?? one.kind, one.gate_name)}
              </a>
              <b>{ageWords(boxNow.value - Date.parse(one.reported_at))}</b>
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}
