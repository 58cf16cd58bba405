/** What somebody had to decide, and who did: the other half of the attendance report. */
import type { HoldEntry, HoldReleasedEntry, IncidentActionEntry, IncidentEntry } from '../incidents/entry.ts'
import { next } from '../incidents/incident.ts'
import type { IncidentState } from '../ledger/schema.ts'
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

/** What was said of one case, in whatever order boxes told it. */
interface FlagStory {
  opened?: Pick<FlagCase, 'kind' | 'opened_at' | 'ticket' | 'device'>
  scans: string[]
  resolutions: FlagCase['resolutions']
  /** The most records that anybody who resolved it had seen. */
  seen: number
}

interface IncidentStory {
  report?: IncidentEntry & { hlc: string }
  actions: (IncidentActionEntry & { hlc: string })[]
}

interface HoldStory {
  placed?: HoldEntry
  ends: { at: string; by: string; replacedBy?: string }[]
}

/**
 * What another box did about a case may be heard before the case itself, from a third one: it waits here. A case of which nothing
 * but that was heard is not listed yet.
 */
export class CaseList {
  readonly #devices = { enrolled: 0, revoked: 0 }
  readonly #flags = new Map<string, FlagStory>()
  readonly #overrides: Override[] = []
  readonly #incidents = new Map<string, IncidentStory>()
  readonly #holds = new Map<string, HoldStory>()
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
      flags: [...this.#flags].flatMap(([flag, story]) => flagCase(flag, story)),
      incidents: [...this.#incidents].flatMap(([incident, story]) => incidentCase(incident, story)),
      holds: [...this.#holds].flatMap(([hold, story]) => holdOf(hold, story)),
    }
  }

  /** Every entry of a case has all scans that its box knew of. */
  #flag(at: string, { flag, flag_kind: kind, ticket, device, scans }: FlagEntry): void {
    const story = this.#flags.get(flag) ?? { scans: [], resolutions: [], seen: -1 }
    const about = { ...(ticket !== null && { ticket }), ...(device !== null && { device }) }
    const opened = story.opened ?? { kind, opened_at: at, ...about }
    listed(this.#flags, flag, { ...story, opened, scans: union(story.scans, scans) }, story.opened === undefined)
  }

  #flagResolved(at: string, { flag, resolution, actor, scans }: FlagResolvedEntry): void {
    const story = this.#flags.get(flag) ?? { scans: [], resolutions: [], seen: -1 }
    const known = Array.isArray(scans) ? scans : story.scans
    this.#flags.set(flag, {
      ...{ ...story, scans: union(story.scans, known), seen: Math.max(story.seen, known.length) },
      resolutions: [...story.resolutions, { resolution, actor, at }],
    })
  }

  #incident(report: IncidentEntry & { hlc: string }): void {
    const story = this.#incidents.get(report.incident) ?? { actions: [] }
    // One report that two boxes were sent, because the first did not answer, is the earlier one.
    if (story.report && story.report.hlc <= report.hlc) return
    listed(this.#incidents, report.incident, { ...story, report }, story.report === undefined)
  }

  #incidentAction(action: IncidentActionEntry & { hlc: string }): void {
    const story = this.#incidents.get(action.incident) ?? { actions: [] }
    this.#incidents.set(action.incident, { ...story, actions: [...story.actions, action] })
  }

  #hold(placed: HoldEntry): void {
    const { hold, actor, at, replaces } = placed
    if (replaces !== null) this.#endHold(replaces, { at, by: actor, replacedBy: hold })
    listed(this.#holds, hold, { ends: [], ...this.#holds.get(hold), placed }, true)
  }

  #holdReleased({ hold, actor, at }: HoldReleasedEntry): void {
    this.#endHold(hold, { at, by: actor })
  }

  #endHold(hold: string, end: HoldStory['ends'][number]): void {
    const story = this.#holds.get(hold)
    this.#holds.set(hold, { ...story, ends: [...(story?.ends ?? []), end] })
  }

  #mode(at: string, { mode, actor, reason }: ModeEntry): void {
    const last = this.#modes.pop()
    if (last) this.#modes.push({ ...last, until: at })
    this.#modes.push({ mode, from: at, actor, reason })
  }
}

/** Cases stand in the order in which they were opened, and not in that of what was done about them. */
function listed<Story>(stories: Map<string, Story>, id: string, story: Story, isNew: boolean): void {
  if (isNew) stories.delete(id)
  stories.set(id, story)
}

function flagCase(flag: string, { opened, scans, resolutions, seen }: FlagStory): FlagCase[] {
  if (!opened) return []
  const { kind, ...rest } = opened
  // A resolution counts when it has seen as many records as there are.
  return [{ flag, kind, ...rest, resolutions, scans, state: seen >= scans.length ? 'resolved' : 'open' }]
}

function incidentCase(incident: string, { report, actions }: IncidentStory): IncidentCase[] {
  if (!report) return []
  const { incident_kind: kind, checkpoint, gate, zone, device, at: reported_at } = report
  const where = { checkpoint, gate, ...(zone !== null && { zone }), device }
  let state: IncidentState = 'open'
  let [acknowledged, resolved]: (string | undefined)[] = []
  const inOrder = actions.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
  for (const { action, at } of inOrder) {
    // Two control rooms that did not hear each other: who came second has acted on what was over, and changed nothing.
    const after = next(state, action)
    if (!after) continue
    state = after
    // Whoever assigns or resolves at once has taken it on; whoever cancels has not.
    if (action !== 'cancel') acknowledged ??= at
    if (action === 'resolve') resolved = at
  }
  return [
    {
      ...{ incident, kind, state, ...where, reported_at },
      ...(acknowledged !== undefined && { acknowledged_after: secondsBetween(reported_at, acknowledged) }),
      ...(resolved !== undefined && { resolved_after: secondsBetween(reported_at, resolved) }),
      actions: inOrder.map(({ action, actor, assignee, reason, at }) => {
        return { action, actor, ...(assignee !== null && { assignee }), ...(reason !== null && { reason }), at }
      }),
    },
  ]
}

/** By the clocks; two boxes that show the same reading are told apart by what was done. */
function placeOf({ hlc, action, actor, assignee, reason }: IncidentStory['actions'][number]): string {
  return JSON.stringify([hlc, action, actor, assignee, reason])
}

function holdOf(hold: string, { placed, ends }: HoldStory): Hold[] {
  if (!placed) return []
  const { gate, actor, reason, at, expires_at } = placed
  // It ends once: of two who end it, the earlier one, whichever was heard of first.
  const [end] = ends.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
  return [
    {
      ...{ hold, gate, actor, reason, placed_at: at },
      ...(expires_at !== null && { expires_at }),
      ...(end && { released_at: end.at, released_by: end.by }),
      ...(end?.replacedBy !== undefined && { replaced_by: end.replacedBy }),
    },
  ]
}

/** Whole ones; a clock that was set back counts none. */
function secondsBetween(from: string, until: string): number {
  return Math.max(0, Math.floor((Date.parse(until) - Date.parse(from)) / 1000))
}

function union(there: readonly string[], scans: readonly string[]): string[] {
  return [...new Set([...there, ...scans])]
}
