/** One of each, as a box sends it: for the tests of this app. */
import type { Incident } from '@gatehouse/proto/wire/incidents.ts'
import type { Neighbour } from '@gatehouse/proto/wire/mesh.ts'
import type { Stats } from '@gatehouse/proto/wire/stats.ts'

type Zone = Stats['zones'][number]
type Scanner = Stats['scanners'][number]

export function zone(given: Partial<Zone> = {}): Zone {
  const occupancy = given.occupancy ?? 100
  return {
    id: 'arena',
    name: 'Arena',
    capacity: 1_000,
    uncertain: 0,
    occupancy,
    occupancy_min: occupancy,
    occupancy_max: occupancy,
    ...given,
  }
}

export function scanner(given: Partial<Scanner> = {}): Scanner {
  return {
    device_id: 'd1',
    name: 'Scanner 1',
    checkpoint: 'north-in',
    last_seen: '2026-07-17T19:00:00.000Z',
    state: 'live',
    clock_offset_ms: 12,
    unsent: 0,
    app_version: '1.0.0',
    battery: 0.8,
    scans: 10,
    ...given,
  }
}

export function box(given: Partial<Neighbour> = {}): Neighbour {
  return {
    box_id: 'box-1',
    name: 'Box 1',
    self: false,
    role: 'core',
    url: 'https://10.0.0.1:8443',
    device_url: 'https://10.0.0.1:8444',
    heard: true,
    last_heard: '2026-07-17T19:00:00.000Z',
    behind: 0,
    ...given,
  }
}

export function stats(given: Partial<Stats> = {}): Stats {
  return {
    as_of: '2026-07-17T19:00:00.000Z',
    hlc: '1784314800000.0',
    event: 'quay',
    event_name: 'Quay',
    mode: 'STRICT',
    zones: [zone()],
    gates: [
      {
        id: 'north',
        name: 'North',
        per_minute: 3,
        sparkline: [0, 1, 2],
        verdicts: { ADMIT: 3 },
        hold: null,
        checkpoints: [
          { id: 'north-in', name: 'In', direction: 'in', from: null, to: 'arena', tiers: ['day'], per_minute: 3 },
        ],
      },
    ],
    verdicts: { ADMIT: 3 },
    tiers: [{ id: 'day', name: 'Day', entry: 'once', static_code: 'always', sold: 10, admitted: 3 }],
    scanners: [scanner()],
    incidents: { open: 0, acknowledged: 0, assigned: 0, resolved: 0, cancelled: 0 },
    response: { median_ack_seconds: null, median_resolve_seconds: null },
    seal: { size: 12, at: '2026-07-17T18:59:00.000Z', refusal: null },
    flags: 0,
    flags_by_kind: {},
    tickets: 10,
    admitted: 3,
    admissions: 3,
    exits: 0,
    offline: 0,
    supervised: 0,
    undone: 0,
    entries: 12,
    ...given,
  }
}

export function incident(given: Partial<Incident> = {}): Incident {
  return {
    incident_id: 'i1',
    kind: 'need_staff',
    state: 'open',
    emergency: false,
    checkpoint: 'north-in',
    gate: 'north',
    gate_name: 'North',
    zone: 'arena',
    queue_rate_per_min: 3,
    scans: 40,
    refusals: 12,
    idle_seconds: 90,
    queue: null,
    occupancy: 100,
    note: null,
    reported_by: 'd1',
    reported_by_name: 'Scanner 1',
    observed_at: '2026-07-17T19:00:00.000Z',
    reported_at: '2026-07-17T19:00:01.000Z',
    hlc: '1784314801000.0',
    version: 1,
    actions: [],
    ...given,
  }
}
