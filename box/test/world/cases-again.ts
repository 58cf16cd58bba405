/**
 * The report's flags, incidents, holds and double uses, computed a second time from the entries, with no code of the
 * box: the report's own fold has to agree with it. `verify-export.ts` checks totals only.
 */
import type { Fields, Replicated, Value } from '../../verify-export.ts'

interface Dated {
  /** The clock of the box that wrote it, ISO 8601. */
  at: string
  /** Its place among all that are counted. */
  n: number
  entry: Fields
}

interface Use {
  scan: string
  hlc: string
  box: string
  checkpoint: Value
  confirmed: boolean
  /** The scanner admitted them offline. */
  alone: boolean
  /** Time of the scan, unix ms: by the clock of the box, or for an offline scan by that of the scanner. */
  stood: number
}

export class CasesAgain {
  readonly #entries: Dated[] = []
  readonly #uses = new Map<string, Use>()
  #box = ''

  /** Takes the entries in the order in which `verify-export.ts` reads them. */
  readonly add = (entry: Fields, from?: Replicated): void => {
    const at = new Date(Number(textIn(entry, 'hlc').slice(0, 13))).toISOString()
    this.#entries.push({ at, n: this.#entries.length, entry })
    if (entry.kind === 'event' && !from) this.#box = textIn(entry, 'box')
    if (entry.kind === 'scan' || entry.kind === 'supervisor_admit') this.#use(entry, from?.box ?? this.#box)
  }

  /** As the report has them. */
  rows(): { flags: Fields[]; incidents: Fields[]; holds: Fields[]; double_uses: Fields[] } {
    const of = (kind: string) => this.#entries.filter(({ entry }) => entry.kind === kind)
    const flags = flagRows(of('flag'), of('flag_resolved'))
    return {
      flags,
      incidents: incidentRows(of('incident'), of('incident_action')),
      holds: holdRows(of('hold'), of('hold_released')),
      double_uses: doubleUseRows(flags, this.#uses),
    }
  }

  #use(entry: Fields, box: string): void {
    if (entry.slot === null || entry.direction !== 'in') return
    const [scan, hlc] = [textIn(entry, 'scan_id'), textIn(entry, 'hlc')]
    // Of one scan that two boxes admitted, the earlier one counts.
    if ((this.#uses.get(scan)?.hlc ?? '~') <= hlc) return
    const { checkpoint = null, confidence } = entry
    const alone = entry.offline_admitted === true
    const stood = alone ? Date.parse(textIn(entry, 'observed_at')) : Number(hlc.slice(0, 13))
    if (Number.isNaN(stood)) throw new Error('an admission at no instant')
    this.#uses.set(scan, { scan, hlc, box, checkpoint, confirmed: confidence === 'confirmed', alone, stood })
  }
}

function flagRows(opened: Dated[], resolved: Dated[]): Fields[] {
  const byFlag = Map.groupBy(opened, ({ entry }) => textIn(entry, 'flag'))
  return [...byFlag].map(([flag, entries]) => {
    const first = entries[0] as Dated
    // A resolution may be replicated before the case that a third box opened.
    const ends = resolved.filter(({ entry }) => entry.flag === flag)
    const scans = new Set<Value>()
    let seen = -1
    for (const { entry } of [...entries, ...ends].sort((a, b) => a.n - b.n)) {
      const named = Array.isArray(entry.scans) ? entry.scans : [...scans]
      for (const scan of named) scans.add(scan)
      // It counts for the records that its author had seen.
      if (entry.kind === 'flag_resolved') seen = Math.max(seen, named.length)
    }
    return pruned({
      flag,
      kind: first.entry.flag_kind,
      opened_at: first.at,
      ticket: first.entry.ticket,
      device: first.entry.device,
      scans: [...scans],
      state: seen >= scans.size ? 'resolved' : 'open',
      resolutions: ends.map(({ at, entry }) => ({ ...pick(entry, 'resolution', 'actor'), at })),
    })
  })
}

function incidentRows(reported: Dated[], taken: Dated[]): Fields[] {
  // One report that two boxes were sent is one: the earlier.
  const reports = Map.groupBy(reported, ({ entry }) => entry.incident)
  return [...reports.values()].map((all) => {
    const [entry = {}] = all.map((one) => one.entry).sort((a, b) => (textIn(a, 'hlc') < textIn(b, 'hlc') ? -1 : 1))
    const actions = taken
      .map((action) => action.entry)
      .filter(({ incident }) => incident === entry.incident)
      .sort((a, b) => (clockOf(a) < clockOf(b) ? -1 : 1))
    const seconds = (fields: Fields) => Date.parse(textIn(fields, 'at')) / 1000
    const after = (action: Fields | undefined) => action && Math.max(0, Math.floor(seconds(action) - seconds(entry)))
    const { state, steps } = stepsOf(actions)
    return pruned({
      ...pick(entry, 'incident', 'checkpoint', 'gate', 'zone', 'device'),
      kind: entry.incident_kind,
      reported_at: entry.at,
      state,
      acknowledged_after: after(steps.find(({ action }) => action !== 'cancel')),
      resolved_after: after(steps.find(({ action }) => action === 'resolve')),
      actions: actions.map((action) => pruned(pick(action, 'action', 'actor', 'assignee', 'reason', 'at'))),
    })
  })
}

/** Orders entries of two boxes that have the same clock reading. */
function clockOf({ hlc = null, action = null, actor = null, assignee = null, reason = null }: Fields): string {
  return JSON.stringify([hlc, action, actor, assignee, reason])
}

/** An incident's state never goes back; only the assignee may change. Actions that came too late do not count. */
function stepsOf(actions: readonly Fields[]): { state: string; steps: Fields[] } {
  const steps: Fields[] = []
  let [state, rank] = ['open', 0]
  for (const action of actions) {
    const to = { acknowledge: 'acknowledged', assign: 'assigned', resolve: 'resolved', cancel: 'cancelled' }
    const name = textIn(action, 'action') as keyof typeof to
    const reached = { acknowledge: 1, assign: 2, resolve: 3, cancel: 3 }[name]
    if (!(reached > rank || (name === 'assign' && rank === 2))) continue
    ;[state, rank] = [to[name], reached]
    steps.push(action)
  }
  return { state, steps }
}

function holdRows(placed: Dated[], released: Dated[]): Fields[] {
  return placed.map(({ entry }) => {
    // Whichever was first: it was taken away, or another one took its place.
    const ends = [...placed, ...released].filter(({ entry: { kind, hold, replaces } }) => {
      return (kind === 'hold' ? replaces : hold) === entry.hold
    })
    const when = (one: Dated) => textIn(one.entry, 'at')
    const end = ends.sort((a, b) => (when(a) < when(b) ? -1 : when(a) > when(b) ? 1 : a.n - b.n))[0]?.entry
    return pruned({
      ...pick(entry, 'hold', 'gate', 'actor', 'reason', 'expires_at'),
      placed_at: entry.at,
      released_at: end?.at,
      released_by: end?.actor,
      replaced_by: end?.kind === 'hold' ? end.hold : undefined,
    })
  })
}

/** Times of two boxes that differ by less have no certain order. */
const CLOSE_MS = 5_000

/** Each right that was used more than once: where, and in which order as far as reservations and clocks show. */
function doubleUseRows(cases: Fields[], uses: ReadonlyMap<string, Use>): Fields[] {
  return cases.flatMap(({ flag = null, kind, scans }) => {
    if (kind !== 'double_use' || !Array.isArray(scans)) return []
    const rank = ({ alone, hlc, box, scan }: Use) => (alone ? ['', '', scan] : [hlc, box, scan])
    const found = scans.flatMap((scan) => uses.get(String(scan)) ?? [])
    found.sort((a, b) => Number(b.confirmed) - Number(a.confirmed) || a.stood - b.stood || inTurn(rank(a), rank(b)))
    const [first, second] = found
    // A confirmed admission was first, and a box knows the order of its own scans.
    const isApart = first && second && (first.box === second.box || second.stood - first.stood > CLOSE_MS)
    // Scanners' clocks are not compared: an offline scanner may have admitted before all others.
    const isAnybodys = !first?.confirmed && found.some(({ alone }) => alone)
    const isKnown = !second || first?.confirmed !== second.confirmed || (isApart && !isAnybodys)
    const records = found.map(({ scan, box, checkpoint, stood, confirmed }) => ({
      scan_id: scan,
      box,
      checkpoint,
      at: new Date(stood).toISOString(),
      confidence: confirmed ? 'confirmed' : 'provisional',
    }))
    return [{ flag, order: isKnown ? 'certain' : 'uncertain', records }]
  })
}

function inTurn(a: readonly string[], b: readonly string[]): number {
  const i = a.findIndex((text, at) => text !== b[at])
  return i < 0 ? 0 : (a[i] ?? '') < (b[i] ?? '') ? -1 : 1
}

function pick(fields: Fields, ...names: string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, fields[name] ?? null]))
}

/** A report leaves out absent values. */
function pruned(fields: { [name: string]: Value | undefined }): Fields {
  const there = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(there) as Fields
}

function textIn(fields: Fields, name: string): string {
  const value = fields[name]
  if (typeof value !== 'string') throw new Error(`"${name}" is not text`)
  return value
}
