/** The map of the venue, with the fullness of its zones, the rate of its gates, and its open incidents. */
import '../../widgets/panel.css'
import './map.css'
import { useDark } from '@gatehouse/proto/ui/dark.ts'
import { VenueMap } from '@gatehouse/proto/ui/venue-map.tsx'
import { viewOf, type ZoneLook } from '@gatehouse/proto/venue-drawing.ts'
import type { Incident } from '@gatehouse/proto/wire/incidents.ts'
import type { VenuePlan } from '@gatehouse/proto/wire/venue.ts'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { heatLook } from '../../live/fullness.ts'
import type { Live } from '../../live/live.ts'
import { isOver, isUnseen } from '../../live/state.ts'
import type { Model } from '../../model.ts'
import { answered } from '../../session/answered.ts'
import { useAttempt } from '../../widgets/attempt.ts'
import { ZoneFigure } from '../../widgets/zone.tsx'
import { liveWords, mapWords } from '../../words/late.ts'
import { ageWords, rate } from '../../words/time.ts'
import { words } from '../../words/words.ts'
import { looksOf, marksOf, planWith, zoomed } from './on-map.ts'

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
  const across = useSignal(960)
  const zoom = useSignal(1)
  const dark = useDark()
  const width = across.value * zoom.value
  useEffect(() => {
    if (!frame.current) return
    // In steps of 40 pixels, so that turning a tablet does not draw the map anew for every pixel.
    const observer = new ResizeObserver(([entry]) => {
      const room = entry?.contentRect.width ?? 0
      if (room > 0) across.value = Math.min(1600, Math.max(320, Math.round(room / 40) * 40))
    })
    observer.observe(frame.current)
    return () => observer.disconnect()
  }, [])
  // The place in the middle before another zoom is there again.
  const middle = useRef<readonly [number, number]>([0.5, 0.5])
  const zoomBy = (step: 1 | -1) => {
    if (frame.current) middle.current = middleOf(frame.current)
    zoom.value = zoomed(zoom.value, step)
  }
  useLayoutEffect(() => {
    const shown = frame.current
    if (!shown) return
    shown.scrollLeft = middle.current[0] * shown.scrollWidth - shown.clientWidth / 2
    shown.scrollTop = middle.current[1] * shown.scrollHeight - shown.clientHeight / 2
  }, [zoom.value])
  const now = live.stats.value
  const drawn = planWith(plan, now, { brief: width < BRIEF_BELOW })
  const looks = now && looksOf(now.zones, dark)
  const shown = JSON.stringify([drawn.zones, drawn.gates, looks])
  const picture = useMemo(
    () => (
      <VenueMap
        plan={drawn}
        width={width}
        title={say.title}
        words={mapWords}
        {...(looks && { zoneLooks: looks })}
        class="map-drawing"
      />
    ),
    [shown, width, plan],
  )
  if (!plan.map) return <p class="quiet">{say.none}</p>
  return (
    <>
      <div class="map-zoom">
        {([-1, 1] as const).map((step) => (
          <button
            key={step}
            type="button"
            aria-label={step < 0 ? say.zoomOut : say.zoomIn}
            aria-disabled={zoomed(zoom.value, step) === zoom.value}
            onClick={() => zoomBy(step)}
          >
            {step < 0 ? '−' : '+'}
          </button>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <section ref={frame} class="map-frame" tabIndex={0} aria-label={say.title} data-zoomed={zoom.value > 1}>
        <div class="map-sheet" style={{ width: `${zoom.value * 100}%` }}>
          {picture}
          <Marks plan={plan} width={width} incidents={live.incidents.value} />
        </div>
      </section>
    </>
  )
}

/** The point in the middle of the frame, as shares of the sheet. */
function middleOf(frame: HTMLElement): readonly [number, number] {
  const { scrollLeft, scrollTop, scrollWidth, scrollHeight, clientWidth, clientHeight } = frame
  return [(scrollLeft + clientWidth / 2) / scrollWidth, (scrollTop + clientHeight / 2) / scrollHeight]
}

function swatch({ colour, opacity, marked }: ZoneLook): { background: string; borderWidth: string } {
  const share = Math.round(opacity * 100)
  return { background: `color-mix(in srgb, ${colour} ${share}%, transparent)`, borderWidth: marked ? '3px' : '1px' }
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
  const theme = useDark() ? 'dark' : 'light'
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
              <span style={swatch(heatLook(i, theme))} aria-hidden="true" />
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
