/** What somebody had to decide, and who did: the other half of the attendance report. */
import type { HoldEntry, HoldReleasedEntry, IncidentActionEntry, IncidentEntry } from '../incidents/entry.ts'
import type { SupervisorAdmitEntry, UndoEntry } from '../scan/entry.ts'
import type { FlagCase, Hold, IncidentCase, ModeSpan, Override, Report } from './report-shape.ts'

type Cases = Pick<Report, 'devices' | 'flags' | 'overrides' | 'incidents' | 'holds' | 'modes'>

interface FlagEntry {
  device: string | null
  flag: string
  flag_kind: string
  scans: string[]
  ticket: string | null
}

interface FlagResolvedEntry {
  actor: string
  flag: string
  resolution: string
  /** Absent before there were several boxes. */
  scans?: string[]
}

interface ModeEntry {
  actor: string
  mode: string
  reason: string
}

export class CaseList {
  readonly #devices = { enrolled: 0, revoked: 0 }
  readonly #flags = new Map<string, FlagCase>()
  /** The most records that anybody who resolved a case had seen. */
  readonly #seen = new Map<string, number>()
  readonly #overrides: Override[] = []
  readonly #incidents = new Map<string, IncidentCase>()
  readonly #holds = new Map<string, Hold>()
  readonly #modes: ModeSpan[] = []

  /**
   * @param at the box's clock at the entry, ISO 8601; `read` tells what its bytes say
   * @param own whether it is this box's: each has a mode of its own
   */
  add(kind: string, at: string, read: <T>() => T, own = true): void {
    // Nobody has said anything else yet.
    if (this.#modes.length === 0) this.#modes.push({ mode: 'STRICT', from: at })
    switch (kind) {
      case 'enrolment':
        this.#devices.enrolled++
        break
      case 'device_revoked':
        this.#devices.revoked++
        break
      case 'flag':
        this.#flag(at, read())
        break
      case 'flag_resolved':
        this.#flagResolved(at, read())
        break
      case 'supervisor_admit':
      case 'undo': {
        const { actor, reason, device, checkpoint, ticket, scan_id } = read<SupervisorAdmitEntry | UndoEntry>()
        this.#overrides.push({ kind, at, actor, reason, device, checkpoint, ticket, scan_id })
        break
      }
      case 'incident':
        this.#incident(read())
        break
      case 'incident_action':
        this.#incidentAction(read())
        break
      case 'hold':
        this.#hold(read())
        break
      case 'hold_released':
        this.#holdReleased(read())
        break
      case 'mode':
        if (own) this.#mode(at, read())
        break
    }
  }

  list(): Cases {
    return {
      ...{ devices: { ...this.#devices }, overrides: [...this.#overrides], modes: [...this.#modes] },
      flags: [...this.#flags.values()],
      incidents: [...this.#incidents.values()],
      holds: [...this.#holds.values()],
    }
  }

  /** Every entry of a case has all scans that its box knew of. */
  #flag(at: string, { flag, flag_kind: kind, ticket, device, scans }: FlagEntry): void {
    const there = this.#flags.get(flag)
    const about = { ...(ticket !== null && { ticket }), ...(device !== null && { device }) }
    const opened = there ?? { flag, kind, opened_at: at, ...about, resolutions: [] }
    this.#settle({ ...opened, scans: union(there?.scans, scans), state: 'open' })
  }

  #flagResolved(at: string, { flag, resolution, actor, scans }: FlagResolvedEntry): void {
    const there = this.#flags.get(flag)
    if (!there) return
    const resolutions = [...there.resolutions, { resolution, actor, at }]
    const seen = Array.isArray(scans) ? scans : there.scans
    this.#seen.set(flag, Math.max(this.#seen.get(flag) ?? 0, seen.length))
    this.#settle({ ...there, resolutions, scans: union(there.scans, seen) })
  }

  /** A resolution counts when it has seen as many records as there are. */
  #settle(found: FlagCase): void {
    const state = (this.#seen.get(found.flag) ?? -1) >= found.scans.length ? 'resolved' : 'open'
    this.#flags.set(found.flag, { ...found, state })
  }

  #incident({ incident, incident_kind: kind, checkpoint, gate, zone, device, at }: IncidentEntry): void {
    // One report that two boxes were sent.
    if (this.#incidents.has(incident)) return
    const where = { checkpoint, gate, ...(zone !== null && { zone }), device }
    this.#incidents.set(incident, { incident, kind, state: 'open', ...where, reported_at: at, actions: [] })
  }

  #incidentAction({ incident, action, actor, assignee, reason, at, to }: IncidentActionEntry): void {
    const there = this.#incidents.get(incident)
    if (!there) return
    const more = { ...(assignee !== null && { assignee }), ...(reason !== null && { reason }) }
    const after = secondsBetween(there.reported_at, at)
    this.#incidents.set(incident, {
      ...there,
      state: to,
      // Whoever assigns or resolves at once has taken it on; whoever cancels has not.
      ...(action !== 'cancel' && there.acknowledged_after === undefined && { acknowledged_after: after }),
      ...(action === 'resolve' && { resolved_after: after }),
      actions: [...there.actions, { action, actor, ...more, at }],
    })
  }

  #hold({ hold, gate, actor, reason, at, expires_at, replaces }: HoldEntry): void {
    if (replaces !== null) this.#endHold(replaces, { released_at: at, released_by: actor, replaced_by: hold })
    const until = expires_at !== null && { expires_at }
    this.#holds.set(hold, { hold, gate, actor, reason, placed_at: at, ...until })
  }

  #holdReleased({ hold, actor, at }: HoldReleasedEntry): void {
    this.#endHold(hold, { released_at: at, released_by: actor })
  }

  /** It ends once. */
  #endHold(hold: string, end: Partial<Hold>): void {
    const there = this.#holds.get(hold)
    if (there && there.released_at === undefined) this.#holds.set(hold, { ...there, ...end })
  }

  #mode(at: string, { mode, actor, reason }: ModeEntry): void {
    const last = this.#modes.pop()
    if (last) this.#modes.push({ ...last, until: at })
    this.#modes.push({ mode, from: at, actor, reason })
  }
}

/** Whole ones; a clock that was set back counts none. */
function secondsBetween(from: string, until: string): number {
  return Math.max(0, Math.floor((Date.parse(until) - Date.parse(from)) / 1000))
}

function union(there: readonly string[] | undefined, scans: readonly string[]): string[] {
  return [...new Set([...(there ?? []), ...scans])]
}
