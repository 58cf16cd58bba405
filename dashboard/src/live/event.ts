/**
 * Checks what comes over the stream. The box writes it, but this page may be an older one than the box (the
 * browser keeps it) and a proxy may cut a line: what is not of the form that the screens draw is left out, and never thrown.
 */
import type { Incident } from '@gatehouse/proto/wire/incidents.ts'
import type { Stats } from '@gatehouse/proto/wire/stats.ts'

export type LiveEvent = { kind: 'stats'; stats: Stats } | { kind: 'incident'; incident: Incident }

/** Null for what is neither, or of another form. */
export function readEvent(event: string, data: string): LiveEvent | null {
  const body = jsonOf(data)
  if (event === 'stats' && isStats(body)) return { kind: 'stats', stats: body }
  if (event === 'incident' && isIncident(body)) return { kind: 'incident', incident: body }
  return null
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type Check = (value: unknown) => boolean
const text: Check = (value) => typeof value === 'string'
const number: Check = (value) => typeof value === 'number' && Number.isFinite(value)
const time: Check = (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value))
const flag: Check = (value) => typeof value === 'boolean'
const or =
  (check: Check, other: unknown): Check =>
  (value) =>
    value === other || check(value)
const list =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check)
const each =
  (check: Check): Check =>
  (value) =>
    isObject(value) && Object.values(value).every(check)
const shape =
  (fields: Record<string, Check>): Check =>
  (value) =>
    isObject(value) && Object.entries(fields).every(([name, check]) => check(value[name]))

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const hold = shape({ gate: text, reason: text, expires_at: or(time, null) })
const statsShape = shape({
  as_of: time,
  event: text,
  event_name: text,
  mode: text,
  zones: list(
    shape({
      id: text,
      name: text,
      occupancy: number,
      capacity: number,
      uncertain: number,
      occupancy_min: number,
      occupancy_max: number,
    }),
  ),
  gates: list(
    shape({
      id: text,
      name: text,
      per_minute: number,
      sparkline: list(number),
      verdicts: each(number),
      hold: or(hold, null),
      checkpoints: list(shape({ id: text, name: text, direction: text, per_minute: number, tiers: list(text) })),
    }),
  ),
  verdicts: each(number),
  tiers: list(shape({ id: text, name: text, sold: number, admitted: number })),
  scanners: list(
    shape({
      device_id: text,
      name: text,
      checkpoint: or(text, null),
      last_seen: time,
      state: text,
      scans: number,
      clock_offset_ms: or(number, null),
      unsent: or(number, null),
      app_version: or(text, null),
      battery: or(number, null),
    }),
  ),
  incidents: each(number),
  response: shape({ median_ack_seconds: or(number, null), median_resolve_seconds: or(number, null) }),
  seal: shape({ size: number, at: or(time, null), refusal: or(text, null) }),
  flags: number,
  tickets: number,
  admitted: number,
  admissions: number,
  exits: number,
  offline: number,
  supervised: number,
  undone: number,
})

// Kind and state are text here and not one of a list: what a newer box knows and this page does not is shown all the same.
const incidentShape = shape({
  incident_id: text,
  kind: text,
  state: text,
  emergency: flag,
  checkpoint: text,
  gate: text,
  gate_name: text,
  zone: or(text, null),
  queue_rate_per_min: number,
  queue: or(number, null),
  occupancy: or(number, null),
  note: or(text, null),
  notes: or(list(shape({ note: or(text, null), at: time })), undefined),
  reported_by_name: or(text, null),
  observed_at: time,
  reported_at: time,
  version: number,
  assignee: or(text, undefined),
  alert: or(number, undefined),
  actions: list(shape({ action: text, actor: text, at: time })),
})

/** True for a value that has everything that a screen draws. */
export function isStats(value: unknown): value is Stats {
  return statsShape(value)
}

export function isIncident(value: unknown): value is Incident {
  return incidentShape(value)
}
