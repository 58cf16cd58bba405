/** One zone: people, of how many, how sure, and where it is going. */
import './zone.css'
import type { Stats } from '@gatehouse/proto/wire/stats.ts'
import type { JSX } from 'preact'
import { barOf, fullnessOf } from '../live/fullness.ts'
import type { Trend } from '../live/trend.ts'
import { liveWords } from '../words/late.ts'
import { count, percent, rate } from '../words/time.ts'

const say = liveWords.zones

export function ZoneFigure({ zone, trend }: { zone: Stats['zones'][number]; trend: Trend | null }): JSX.Element {
  const fullness = fullnessOf(zone)
  const bar = barOf(zone)
  return (
    <div class="zone" data-full={fullness}>
      <p class="zone-people">
        <span class="zone-name">{zone.name}</span>
        <b>{count(zone.occupancy)}</b>
        <span class="zone-of">{say.of(count(zone.capacity))}</span>
        <TrendMark trend={trend} />
        <span class="zone-percent">{percent(zone.occupancy, zone.capacity)}</span>
      </p>
      <div class="zone-bar" aria-hidden="true">
        <span class="zone-fill" style={{ width: `${bar.people}%` }} />
        <span class="zone-doubt" style={{ insetInlineStart: `${bar.from}%`, width: `${bar.to - bar.from}%` }} />
        <span class="zone-line" style={{ insetInlineStart: `${bar.capacity}%` }} />
      </div>
      {(fullness !== 'calm' || zone.uncertain > 0) && (
        <p class="zone-notes">
          {fullness !== 'calm' && <strong>{say.fullness[fullness]}</strong>}
          {zone.uncertain > 0 && (
            <span class="zone-of">{say.range(count(zone.occupancy_min), count(zone.occupancy_max))}</span>
          )}
        </p>
      )}
    </div>
  )
}

function TrendMark({ trend }: { trend: Trend | null }): JSX.Element | null {
  if (!trend) return null
  const arrow = { up: '▲', down: '▼', steady: '▶' }[trend.direction]
  return (
    <span class="zone-trend" data-trend={trend.direction}>
      <span aria-hidden="true">{arrow}</span>
      <span class="visually-hidden">{say.trend[trend.direction]} </span>
      {trend.direction === 'steady'
        ? say.steady
        : say.perMinute(`${trend.perMinute > 0 ? '+' : '−'}${rate(Math.abs(trend.perMinute))}`)}
    </span>
  )
}
