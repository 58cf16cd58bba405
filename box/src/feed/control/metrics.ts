/** The statistics in Prometheus' text format, version 0.0.4. */

import type { SnapshotProgress, SourceState, SourceStatus } from '../source.ts'
import type { EngineStats, SinkStats } from './delivery.ts'

export interface Statistics extends SourceStatus {
  readonly uptimeMs: number
  readonly engine: EngineStats
  readonly source: SourceState & { readonly snapshot: SnapshotProgress | null }
}

interface Family {
  readonly name: string
  readonly type: 'counter' | 'gauge'
  readonly help: string
  samples(statistics: Statistics): Sample[]
}

type Sample = [labels: Readonly<Record<string, string>>, value: number]

const STATES = ['starting', 'snapshot', 'streaming', 'reconnecting', 'failed', 'stopped'] as const

/** Every metric; the documentation has the same list. An unknown value has no sample. */
export const METRICS: readonly Family[] = [
  gauge('changefeed_uptime_seconds', 'Since the start.', (s) => s.uptimeMs / 1000),
  counter('changefeed_events_total', 'Changes read from the source.', (s) => s.engine.eventsTotal),
  gauge(
    'changefeed_stalled_seconds',
    'For how long the source has been waiting for a full queue; 0 when it is not.',
    (s) => s.engine.stalledMs / 1000,
  ),
  gauge('changefeed_positions_failing', "Whether the sinks' positions cannot be written.", (s) =>
    flag(s.engine.positionsError !== null),
  ),
  {
    name: 'changefeed_source_state',
    type: 'gauge',
    help: '1 for the state that the source is in.',
    samples: ({ source }) => STATES.map((state) => [{ state }, source.state === state ? 1 : 0]),
  },
  gauge('changefeed_snapshot_rows', 'Existing rows that the snapshot has read.', (s) => s.source.snapshot?.rows ?? 0),
  gauge('changefeed_slot_exists', 'Whether the replication slot is there.', (s) => flag(s.slot?.exists)),
  gauge('changefeed_slot_active', 'Whether the slot is being read.', (s) => flag(s.slot?.active)),
  gauge(
    'changefeed_slot_retained_wal_bytes',
    'Log that the database keeps for the slot.',
    (s) => s.slot?.retainedWalBytes,
  ),
  gauge('changefeed_publication_exists', 'Whether the publication is there.', (s) => flag(s.publication?.exists)),
  bySink('changefeed_sink_running', 'gauge', '1 while running, 0 while paused.', (sink) =>
    flag(sink.status === 'running'),
  ),
  bySink('changefeed_sink_failing', 'gauge', '1 while its last delivery failed.', (sink) =>
    flag(sink.lastError !== null),
  ),
  bySink('changefeed_sink_queue_events', 'gauge', 'Changes that wait for the sink.', (sink) => sink.queueDepth),
  bySink(
    'changefeed_sink_delivered_total',
    'counter',
    'Changes that the sink has taken.',
    (sink) => sink.deliveredCount,
  ),
  bySink(
    'changefeed_sink_dropped_total',
    'counter',
    'Changes that an ephemeral sink lost.',
    (sink) => sink.droppedCount,
  ),
  bySink(
    'changefeed_sink_dead_letters',
    'gauge',
    'Changes in its file of dead letters.',
    (sink) => sink.deadLetterCount,
  ),
  bySink('changefeed_sink_queue_bytes', 'gauge', 'Bytes that wait for the sink.', (sink) => sink.queueBytes),
  bySink(
    'changefeed_sink_queue_disk_bytes',
    'gauge',
    'Bytes that wait for the sink on disk.',
    (sink) => sink.queueDiskBytes,
  ),
  bySink('changefeed_sink_attempts', 'gauge', 'Failures of the batch that is under way.', (sink) => sink.attempts),
  bySink(
    'changefeed_sink_lag_seconds',
    'gauge',
    'Since the commit of the oldest change that waits.',
    (sink) => sink.lagMs / 1000,
  ),
  bySink('changefeed_sink_stalled', 'gauge', '1 while it waits for the full queue of another sink.', (sink) =>
    flag(sink.stalledBy.length > 0),
  ),
]

export function metricsText(statistics: Statistics): string {
  return METRICS.map(({ name, type, help, samples }) => {
    const lines = samples(statistics).map(([labels, value]) => `${name}${labelText(labels)} ${value}\n`)
    return lines.length === 0 ? '' : `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
  }).join('')
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}

function gauge(name: string, help: string, value: (statistics: Statistics) => number | undefined): Family {
  return one('gauge', name, help, value)
}

function counter(name: string, help: string, value: (statistics: Statistics) => number | undefined): Family {
  return one('counter', name, help, value)
}

function one(type: Family['type'], name: string, help: string, value: (s: Statistics) => number | undefined): Family {
  return { name, type, help, samples: (statistics) => known([{}, value(statistics)]) }
}

function bySink(
  name: string,
  type: Family['type'],
  help: string,
  value: (sink: SinkStats) => number | undefined,
): Family {
  const labels = ({ id, name, durability }: SinkStats) => ({ sink: id, name, durability })
  return {
    name,
    type,
    help,
    samples: ({ engine }) => engine.sinks.flatMap((sink) => known([labels(sink), value(sink)])),
  }
}

function known([labels, value]: [Sample[0], number | undefined]): Sample[] {
  return value === undefined ? [] : [[labels, value]]
}

function flag(value: boolean | undefined): number | undefined {
  return value === undefined ? undefined : Number(value)
}
