/** `GET /v1/admin/stats`: the whole dashboard in one object, made from the running counts. Pure. */
import type { Hold } from '@gatehouse/proto/wire/incidents.ts'
import type { Contradiction, Stats } from '@gatehouse/proto/wire/stats.ts'
import type { Device } from '../ca/roster.ts'
import type { Event } from '../event/event.ts'
import type { IncidentState } from '../ledger/schema.ts'
import type { Mode } from '../rights/mode.ts'
import type { Seal, Sealer } from '../seal/sealer.ts'
import { perMinute, sparklineOf } from './minutes.ts'
import type { Presence } from './presence.ts'
import type { Tally } from './tally.ts'
import { stateByHand, stateOf, type Uncertainty, uncertaintyOf } from './uncertainty.ts'

export interface StatsSources {
  event: Event
  tally: Tally
  /** Valid tickets by tier. */
  sold: ReadonlyMap<string, number>
  devices: readonly Device[]
  presence: Pick<Presence, 'lastContact' | 'statusOf'>
  mode: Mode
  /** The state of the mesh; undefined for a box alone. */
  mesh?: Stats['mesh'] | undefined
  /** Other boxes that have contradicted themselves, where any has. */
  contradicted?: readonly Contradiction[]
  hlc: string
  /** Unix ms. */
  now: number
  /** The newest seal, if there is one, and why the box seals no more, if so. */
  seal: { newest: Pick<Seal, 'size' | 'at'> | undefined; refusal: Sealer['refusal'] }
  /** State of the shop's feed; undefined if no shop is mapped. */
  shop: Stats['shop']
  /** Wrong admin tokens since the start, where there were any. */
  wrongTokens?: Stats['wrong_tokens'] | undefined
  failedSignIns?: Stats['failed_sign_ins'] | undefined
  adminTokenUsed?: Stats['admin_token_used'] | undefined
  /** The rehearsal that runs, if one does. */
  rehearsal?: Stats['rehearsal'] | undefined
  /** The hold at a gate; null where people are admitted. */
  holdAt: (gate: string) => Hold | null
}

export function statsOf(sources: StatsSources): Stats {
  const { event, tally, sold, now } = sources
  const scanners = sources.devices.map((device) => scannerOf(device, sources))
  return {
    as_of: new Date(now).toISOString(),
    hlc: sources.hlc,
    event: event.id,
    event_name: event.name,
    time_zone: event.timezone,
    mode: sources.mode,
    ...(sources.mesh && { mesh: sources.mesh }),
    zones: zonesOf(sources, scanners),
    gates: gatesOf(sources),
    verdicts: Object.fromEntries(tally.verdicts),
    tiers: event.tiers.map(({ id, name, entry, static_code }) => ({
      id,
      name,
      entry,
      static_code,
      sold: sold.get(id) ?? 0,
      admitted: tally.admitted.get(id) ?? 0,
    })),
    scanners: scanners.map(({ wire }) => wire),
    ...incidentsOf(tally),
    seal: sealOf(sources),
    ...(sources.wrongTokens && { wrong_tokens: sources.wrongTokens }),
    ...(sources.failedSignIns && { failed_sign_ins: sources.failedSignIns }),
    ...(sources.adminTokenUsed && { admin_token_used: sources.adminTokenUsed }),
    ...(sources.shop && { shop: sources.shop }),
    ...(sources.rehearsal && { rehearsal: sources.rehearsal }),
    flags: sum(tally.openFlags.values()),
    flags_by_kind: Object.fromEntries(
      [...tally.openFlags].map(([kind, open]) => [kind, { open, resolved: tally.resolvedFlags.get(kind) ?? 0 }]),
    ),
    tickets: sum(sold.values()),
    admitted: sum(tally.admitted.values()),
    admissions: tally.admissions,
    exits: tally.exits,
    offline: tally.offline,
    supervised: tally.supervised,
    undone: tally.undone,
    entries: tally.size,
  }
}

function gatesOf({ event, tally, now, holdAt }: StatsSources): Stats['gates'] {
  return event.gates.map(({ id, name }) => ({
    id,
    name,
    per_minute: perMinute(tally.gateMinutes.get(id), now),
    sparkline: sparklineOf(tally.gateMinutes.get(id), now),
    verdicts: Object.fromEntries(tally.gateVerdicts.get(id) ?? []),
    hold: holdAt(id),
    checkpoints: event.checkpoints
      .filter(({ gate }) => gate === id)
      .map(({ id, name, direction, from, to, tiers, opens_at, closes_at }) => ({
        id,
        name,
        direction,
        from,
        to,
        tiers: [...tiers],
        ...(opens_at !== undefined && { opens_at }),
        ...(closes_at !== undefined && { closes_at }),
        per_minute: perMinute(tally.checkpointMinutes.get(id), now),
      })),
  }))
}

interface Scanner {
  wire: Stats['scanners'][number]
  uncertainty: Uncertainty
}

function scannerOf(device: Device, { event, tally, presence, mesh, now }: StatsSources): Scanner {
  const counted = tally.devices.get(device.id)
  const reported = presence.statusOf(device.id)
  // Without a contact since the start, the last scan before it; without a scan, the enrolment.
  const contact = presence.lastContact(device.id) ?? counted?.lastAt ?? device.enrolledAt
  const lastSeen = Math.max(contact, lastSeenElsewhere(counted?.box, { mesh, now }))
  const isByHand = counted?.byHand === true && reported === undefined
  const state = device.revokedAt !== null ? 'revoked' : (isByHand ? stateByHand : stateOf)(now - lastSeen)
  const checkpoint = reported?.checkpoint ?? counted?.checkpoint ?? null
  const offsetMs = reported?.offsetMs ?? counted?.offsetMs ?? null
  const stands = checkpoint === null ? device.checkpoints : [checkpoint]
  return {
    wire: {
      device_id: device.id,
      name: device.name,
      checkpoint,
      last_seen: new Date(lastSeen).toISOString(),
      state,
      clock_offset_ms: offsetMs,
      unsent: reported?.unsent ?? null,
      app_version: reported?.appVersion ?? null,
      battery: reported?.battery ?? null,
      scans: counted?.scans ?? 0,
    },
    uncertainty: uncertaintyOf({
      state: isByHand ? 'live' : state,
      lastSeen,
      now,
      unsent: reported?.unsent ?? 0,
      passages: counted?.passages,
      places: [...stands].flatMap((id) => event.checkpointById.get(id) ?? []),
    }),
  }
}

/** A scanner that last scanned at another box counts as seen there for as long as that box can be reached. Unix ms. */
function lastSeenElsewhere(box: string | null | undefined, { mesh, now }: Pick<StatsSources, 'mesh' | 'now'>): number {
  const there = box && mesh?.boxes.find(({ box_id }) => box_id === box)
  if (!there) return Number.NEGATIVE_INFINITY
  return there.heard ? now : Date.parse(there.last_heard ?? '') || Number.NEGATIVE_INFINITY
}

function zonesOf({ event, tally }: StatsSources, scanners: readonly Scanner[]): Stats['zones'] {
  return event.zones.map(({ id, name, capacity }) => {
    // The count falls below zero when people leave who were never counted in. It is kept, and shown as nobody.
    const occupancy = Math.max(0, tally.zones.get(id) ?? 0)
    const more = sum(scanners.map(({ uncertainty }) => (uncertainty.into.has(id) ? uncertainty.people : 0)))
    const fewer = sum(scanners.map(({ uncertainty }) => (uncertainty.outOf.has(id) ? uncertainty.people : 0)))
    return {
      id,
      name,
      occupancy,
      capacity,
      uncertain: Math.max(more, fewer),
      occupancy_min: Math.max(0, occupancy - fewer),
      occupancy_max: occupancy + more,
    }
  })
}

function incidentsOf({ incidents }: Tally): Pick<Stats, 'incidents' | 'response'> {
  const states: Record<IncidentState, number> = { open: 0, acknowledged: 0, assigned: 0, resolved: 0, cancelled: 0 }
  const answered: number[] = []
  const resolved: number[] = []
  for (const { state, reportedAt, answeredAt, resolvedAt } of incidents.values()) {
    // Somebody acted on it at a box whose entry was replicated here before the report.
    if (reportedAt === null) continue
    states[state]++
    if (answeredAt !== null) answered.push((answeredAt - reportedAt) / 1000)
    if (resolvedAt !== null) resolved.push((resolvedAt - reportedAt) / 1000)
  }
  return {
    incidents: states,
    response: { median_ack_seconds: medianOf(answered), median_resolve_seconds: medianOf(resolved) },
  }
}

function sealOf({ seal: { newest, refusal }, contradicted = [] }: StatsSources): Stats['seal'] {
  const state = { size: newest?.size ?? 0, at: newest ? new Date(newest.at).toISOString() : null, refusal }
  return contradicted.length === 0 ? state : { ...state, contradicted: [...contradicted] }
}

function medianOf(values: number[]): number | null {
  const sorted = values.sort((a, b) => a - b)
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  return low === undefined || high === undefined ? null : (low + high) / 2
}

function sum(numbers: Iterable<number>): number {
  let total = 0
  for (const number of numbers) total += number
  return total
}
