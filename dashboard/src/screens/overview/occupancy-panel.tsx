/** Each zone's people over the last day: as a chart, and as a table for whoever does not see it. */
import './occupancy.css'
import type { Occupancy } from '@gatehouse/proto/wire/stats.ts'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Model } from '../../model.ts'
import { answered } from '../../session/answered.ts'
import { Table } from '../../widgets/table.tsx'
import { liveWords } from '../../words/late.ts'
import { count, percent } from '../../words/time.ts'
import { speech } from '../../words/words.ts'
import { Select } from '../parts/parts.tsx'
import { useRead } from '../parts/read.ts'
import type { Chart } from './chart.ts'
import { type Points, peakOf, pointsOf, rowsOf } from './occupancy.ts'

const say = liveWords.overTime
/** The live figures end the line until then. */
const EVERY_MS = 60_000

export function OccupancyPanel({ live, session: { client } }: Model): JSX.Element | null {
  const { found, problem, read } = useRead<Occupancy>(() => answered(client.GET('/v1/admin/occupancy')))
  const chosen = useSignal('')
  useEffect(() => {
    void read()
    const timer = setInterval(() => document.visibilityState === 'visible' && void read(), EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  const all = found.value
  if (!all) return problem.value === null ? null : <p role="alert">{problem.value}</p>
  const zone = all.zones.find(({ id }) => id === chosen.value) ?? all.zones[0]
  const points = zone && pointsOf(all, zone.id, live.stats.value)
  if (!zone || !points) return null
  const clock = (at: number) =>
    speech.time(at, { hour: '2-digit', minute: '2-digit', timeZone: all.time_zone, timeZoneName: 'short' })
  const peak = peakOf(points)
  return (
    <section class="overview-panel overview-over-time" aria-labelledby="overview-over-time">
      <h2 id="overview-over-time">{say.title}</h2>
      {all.zones.length > 1 && (
        <Select
          label={say.zone}
          value={zone.id}
          set={(id) => (chosen.value = id)}
          options={all.zones.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      <p class="quiet">
        {say.now(count(points.people.at(-1) ?? 0), count(points.capacity))}
        {peak && ` ${say.peak(count(peak.people), clock(peak.at))}`}
      </p>
      <Line key={all.time_zone} points={points} timeZone={all.time_zone} />
      <details>
        <summary>{say.table}</summary>
        <Table
          caption={say.caption(points.name)}
          columns={[
            { name: say.time, cell: ({ at }) => clock(at) },
            { name: say.people, number: true, cell: ({ people }) => count(people) },
            { name: say.share, number: true, cell: ({ people }) => percent(people, points.capacity) },
          ]}
          rows={rowsOf(points)}
          keyOf={({ at }) => `${at}`}
          empty={liveWords.nothingYet}
        />
      </details>
    </section>
  )
}

/** For the eye alone: the sentence above it and the table below it say the same. */
function Line({ points, timeZone }: { points: Points; timeZone: string }): JSX.Element {
  const frame = useRef<HTMLDivElement>(null)
  const chart = useSignal<Chart | null>(null)
  useEffect(() => {
    let isGone = false
    // uPlot does not load where the system has no language, as under the locale C: then there is no picture.
    import('./chart.ts')
      .then(({ openChart }) => {
        if (frame.current && !isGone) chart.value = openChart(frame.current, timeZone, say)
      })
      .catch(console.error)
    return () => {
      isGone = true
      chart.value?.[Symbol.dispose]()
    }
  }, [])
  const shown = JSON.stringify(points)
  useEffect(() => chart.value?.show(points), [shown, chart.value])
  return <div ref={frame} class="overview-line" aria-hidden="true" />
}
