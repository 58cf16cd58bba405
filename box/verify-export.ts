/**
 * Checks what a Gatehouse box has exported, without the box: this one file, Node 22.18 or newer, and nothing else.
 *
 *   node verify-export.ts FILE --key KEY [--checkpoint FILE]... [--json]
 *
 * It shares no line with the box on purpose. Whoever doubts one of the two has the other, and the format is described in
 * sealed-record.md exactly enough for a third. KEY comes from outside the file: a file that brings the key that it is
 * checked with proves nothing. Exit status: 0 genuine, 1 tampered with, 2 it could not be checked.
 */
import { createHash, createPublicKey, hash, type KeyObject, verify } from 'node:crypto'
import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync, realpathSync } from 'node:fs'
import { parseArgs } from 'node:util'

// ---------------------------------------------------------------------------------------------- canonical JSON (RFC 8785)

export type Value = string | number | boolean | null | Value[] | Fields
export interface Fields {
  [name: string]: Value
}

/** The one spelling of a JSON value. @throws Error for what JSON cannot say */
export function canonical(value: Value): string {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw new Error('half a surrogate pair')
    return JSON.stringify(value)
  }
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.keys(value).sort()
    return `{${members.map((name) => `${canonical(name)}:${canonical(value[name] as Value)}`).join(',')}}`
  }
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Error('a number without end')
  // Numbers as ECMAScript spells them, which is what the RFC asks.
  return JSON.stringify(value)
}

// A byte order mark is a byte like any other, and so is one that is no UTF-8.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The object on a line, if the line is its one spelling. @throws Error when not */
function parseLine(line: Uint8Array): Fields {
  const text = utf8.decode(line)
  const value = JSON.parse(text) as Value
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('not an object')
  if (canonical(value) !== text) throw new Error('not canonical')
  return value
}

// ------------------------------------------------------------------------------------------------- Merkle tree (RFC 6962)

const sha256 = (...parts: Uint8Array[]): Buffer => {
  if (parts.length === 1 && parts[0]) return hash('sha256', parts[0], 'buffer')
  return parts.reduce((all, part) => all.update(part), createHash('sha256')).digest()
}
const LEAF = Buffer.of(0)
const NODE = Buffer.of(1)

export const leafHash = (entry: Uint8Array): Buffer => sha256(Buffer.concat([LEAF, entry]))
const nodeHash = (left: Uint8Array, right: Uint8Array): Buffer => sha256(Buffer.concat([NODE, left, right]))

/** Grows leaf by leaf. Keeps one hash for each bit that is set in its size: its full subtrees, the largest first. */
export class Tree {
  size = 0
  readonly #subtrees: Buffer[] = []

  add(leaf: Buffer): void {
    let hash = leaf
    for (let below = this.size; below % 2 === 1; below = (below - 1) / 2) {
      hash = nodeHash(this.#subtrees.pop() as Buffer, hash)
    }
    this.#subtrees.push(hash)
    this.size++
  }

  root(): Buffer {
    return (
      this.#subtrees.reduceRight<Buffer | undefined>(
        (right, left) => (right ? nodeHash(left, right) : left),
        undefined,
      ) ?? sha256(Buffer.alloc(0))
    )
  }
}

/** Whether `proof` shows that the leaf is number `index` of the tree with this size and root (RFC 6962, 2.1.1). */
export function isIncluded(
  leaf: Uint8Array,
  place: { index: number; size: number; root: Uint8Array },
  proof: readonly Uint8Array[],
): boolean {
  const { index, size, root } = place
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size) || index < 0 || index >= size) return false
  if ([leaf, root, ...proof].some((part) => part.length !== 32)) return false
  const found = climb(leaf, index, size, [...proof])
  return found !== undefined && Buffer.compare(found, root) === 0
}

/** The root that the proof leads to, taken apart from the top: the last hash is the other half's. */
function climb(leaf: Uint8Array, index: number, size: number, proof: Uint8Array[]): Uint8Array | undefined {
  if (size === 1) return proof.length === 0 ? leaf : undefined
  const other = proof.pop()
  if (!other) return undefined
  let half = 1
  while (half * 2 < size) half *= 2
  if (index >= half) {
    const right = climb(leaf, index - half, size - half, proof)
    return right && nodeHash(other, right)
  }
  const left = climb(leaf, index, half, proof)
  return left && nodeHash(left, other)
}

// -------------------------------------------------------------------- signed notes and checkpoints (C2SP: signed-note.md,
// ----------------------------------------------------------------------------------------------------- tlog-checkpoint.md)

interface Key {
  /** Also what the log is called: `gatehouse/<event>/<box>`. */
  name: string
  /** Four bytes. */
  id: Buffer
  publicKey: KeyObject
}

export interface Checkpoint {
  size: number
  /** Base64. */
  root: string
}

/** It cannot be checked at all: no verdict about the file. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

const HOW_TO_GET_THE_KEY = `The key is not in the file: a file that brought it along would prove nothing. Ask somebody whom you trust for it:
  it is "verifier_key" in what the box answers at /v1/meta, it is printed on the report, and it looks like
  gatehouse/<event>/<box>+<8 digits>+<44 characters>`

/** @throws Unreadable for another form or algorithm, and for a key that was mistyped */
function parseKey(text: string): Key {
  const [, name, id, encoded] = /^([^+\s]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]{44})$/.exec(text.trim()) ?? []
  const bytes = encoded === undefined ? undefined : base64(encoded)
  if (!name || !id || bytes?.length !== 33 || bytes[0] !== 1) {
    throw new Unreadable(`This is not the key of a box: ${text}\n${HOW_TO_GET_THE_KEY}`)
  }
  const expected = sha256(Buffer.concat([Buffer.from(`${name}\n`), bytes])).subarray(0, 4)
  if (expected.toString('hex') !== id) throw new Unreadable(`A part of this key is mistyped: ${text}`)
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: bytes.subarray(1).toString('base64url') }
  return { name, id: expected, publicKey: createPublicKey({ key: jwk, format: 'jwk' }) }
}

/** The bytes of the one spelling that they have: padded, and with the bits that mean nothing zero. */
function base64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : undefined
}

/**
 * The text that this key has signed. @throws Error for anything else
 * @param alone no other signature may stand beside it: nothing would vouch for it. Witnesses may have signed what was kept
 *   elsewhere
 */
function openNote(note: string, key: Key, alone: boolean): string {
  const [, text, tail] = /^(.*?\n)\n((?:— [^\n]+\n)+)$/s.exec(note) ?? []
  if (text === undefined || tail === undefined || text.includes('\n\n')) throw new Error('not a signed note')
  const lines = tail.slice(0, -1).split('\n')
  if (alone && lines.length > 1) throw new Error('more than one signature')
  for (const line of lines) {
    const [, name, encoded = ''] = /^— (\S+) (\S+)$/.exec(line) ?? []
    const bytes = base64(encoded)
    if (!name || !bytes) throw new Error('not a signature line')
    if (name !== key.name || !bytes.subarray(0, 4).equals(key.id)) continue
    if (bytes.length === 68 && verify(null, Buffer.from(text), key.publicKey, bytes.subarray(4))) return text
    throw new Error('the signature is wrong')
  }
  throw new Error('signed by another key than the one given: is it the key of this box?')
}

function openCheckpoint(note: string, key: Key, alone: boolean): Checkpoint {
  const text = openNote(note, key, alone)
  const [, origin, size = '', root = '', more = ''] = /^([^\n]+)\n([1-9]\d{0,14})\n([^\n]+)\n(.*)$/s.exec(text) ?? []
  if (origin !== key.name) throw new Error('the checkpoint of another log')
  if (base64(root)?.length !== 32 || more !== '') throw new Error('not a checkpoint')
  return { size: Number(size), root }
}

// ------------------------------------------------------------------------------------------------------ the second count

interface HourTotals {
  in: number
  out: number
  tickets: number
}

interface Dated {
  /** The clock of the box that wrote it, ISO 8601. */
  at: string
  /** Its place among all that are counted. */
  n: number
  entry: Fields
}

/** An entry of another box, and what the box that heard it says of the passage in it. */
interface ToldBy {
  box: string
  /** The ticket has another admission: the turnout stays as it is. */
  again: boolean
  /** The passage was known already. */
  known: boolean
}

interface Use {
  scan: string
  hlc: string
  box: string
  checkpoint: Value
  confirmed: boolean
  /** Whether the scanner let them in, and no box was asked. */
  alone: boolean
  /** When somebody stood there, unix ms: by the clock of the box, or for a scanner that was alone as it says. */
  stood: number
}

interface HeardTotals {
  entries: number
  first: string
  modes: Dated[]
}

const QUARTER_MS = 900_000
const HOUR_MS = 3_600_000
/** Where instants that no event is at are counted: a scanner that was alone may have any clock. */
const LAST_HOUR = Date.UTC(9998, 11, 31, 23)
/** Entries that the report lists one by one. */
const LISTED = ['flag', 'flag_resolved', 'supervisor_admit', 'undo', 'incident', 'incident_action', 'hold'].concat(
  'hold_released',
  'mode',
)

/** What the entries say, counted without looking at how the box counts. @throws Error for an entry that makes no sense */
class Recount {
  /** People by a phrase: `into zone arena`, `through gate north in`. */
  readonly #people = new Map<string, number>()
  /** Answers by `all`, `gate <id>` and `checkpoint <id>`. */
  readonly #verdicts = new Map<string, Map<string, number>>()
  readonly #kinds = new Map<string, number>()
  readonly #quarters = new Map<number, HourTotals>()
  readonly #listed = new Map<string, Dated[]>(LISTED.map((kind) => [kind, []]))
  /** As the event last said, in the order in which each was first heard of. */
  readonly #zones = new Map<string, Fields>()
  readonly #tiers = new Map<string, Fields>()
  readonly #gates = new Map<string, Fields>()
  readonly #checkpoints = new Map<string, Fields>()
  #event: Fields | undefined
  #box: Value = ''
  #first = ''
  #last = ''
  /** By box, of those that were heard. */
  readonly #heard = new Map<string, HeardTotals>()
  readonly #devices = { enrolled: 0, revoked: 0 }
  #provisional = 0
  /** Who was let in by a right, by scan; where there are several boxes. */
  readonly #uses: Map<string, Use> | undefined
  #n = 0

  constructor(several: boolean) {
    if (several) this.#uses = new Map()
  }

  /** @param told where it is another box's */
  add(entry: Fields, told?: ToldBy): void {
    const kind = textIn(entry, 'kind')
    const at = new Date(Number(textIn(entry, 'hlc').slice(0, 13))).toISOString()
    const dated = { at, n: this.#n++, entry }
    if (told) this.#hear(told.box, kind, dated)
    else {
      this.#first ||= at
      this.#last = at
      add(this.#kinds, kind, 1)
    }
    if (!told || kind !== 'mode') this.#listed.get(kind)?.push(dated)
    if (kind === 'enrolment') this.#devices.enrolled++
    else if (kind === 'device_revoked') this.#devices.revoked++
    else if (kind === 'event') this.#define(entry, told === undefined)
    else if (kind === 'scan') this.#scan(entry, told)
    else if (kind === 'supervisor_admit') this.#pass(entry, { people: 1, first: entry.occurrence === 1, told })
    else if (kind === 'undo') this.#pass(entry, { people: -1, first: entry.occurrence === 0, told })
    if (kind === 'scan' || kind === 'supervisor_admit') this.#use(entry, told)
  }

  #use(entry: Fields, told: ToldBy | undefined): void {
    if (entry.slot === null || entry.direction !== 'in') return
    const [scan, hlc] = [textIn(entry, 'scan_id'), textIn(entry, 'hlc')]
    // One scan that two boxes let in is the earlier one.
    if ((this.#uses?.get(scan)?.hlc ?? '~') <= hlc) return
    const { checkpoint = null, confidence } = entry
    const box = told?.box ?? String(this.#box)
    const alone = entry.offline_admitted === true
    const stood = alone ? Date.parse(textIn(entry, 'observed_at')) : Number(hlc.slice(0, 13))
    if (Number.isNaN(stood)) throw new Error('an admission at no instant')
    this.#uses?.set(scan, { scan, hlc, box, checkpoint, confirmed: confidence === 'confirmed', alone, stood })
  }

  #hear(box: string, kind: string, dated: Dated): void {
    const heard = this.#heard.get(box) ?? { entries: 0, first: dated.at, modes: [] }
    this.#heard.set(box, heard)
    heard.entries++
    if (kind === 'mode') heard.modes.push(dated)
  }

  /** @param own what another box says of the event adds what this one does not know, and changes nothing */
  #define(entry: Fields, own: boolean): void {
    const event = fieldsIn(entry, 'event')
    if (own) {
      this.#box = textIn(entry, 'box')
      this.#event = event
    }
    for (const [list, known] of Object.entries({
      ...{ zones: this.#zones, tiers: this.#tiers, gates: this.#gates, checkpoints: this.#checkpoints },
    })) {
      for (const item of listIn(event, list)) {
        const id = textIn(item, 'id')
        if (own || !known.has(id)) known.set(id, item)
      }
    }
  }

  #scan(scan: Fields, told: ToldBy | undefined): void {
    const checkpoint = textIn(scan, 'checkpoint')
    const verdict = textIn(scan, 'verdict')
    for (const where of ['all', `gate ${textIn(this.#way(checkpoint), 'gate')}`, `checkpoint ${checkpoint}`]) {
      const answers = this.#verdicts.get(where) ?? new Map<string, number>()
      this.#verdicts.set(where, answers)
      add(answers, verdict, 1)
    }
    const alone = scan.offline_admitted === true
    // Nobody moved: no right was used up, and no scanner had let anybody through.
    if (scan.slot === null && !alone) return
    const first = scan.direction === 'in' && scan.ticket !== null && scan.occurrence === 1
    const moved = this.#pass(scan, { people: 1, first, told, at: textIn(scan, alone ? 'observed_at' : 'at') })
    if (alone && moved) add(this.#people, `alone ${textIn(scan, 'direction')}`, 1)
  }

  /** @returns whether it moved anybody */
  #pass(
    entry: Fields,
    { people, told, ...passage }: { people: 1 | -1; first: boolean; told: ToldBy | undefined; at?: string },
  ): boolean {
    if (told?.known) return false
    const first = told ? entry.direction === 'in' && entry.ticket !== null && !told.again : passage.first
    const at = passage.at ?? textIn(entry, 'at')
    if (people === 1 && entry.confidence === 'provisional') this.#provisional++
    const checkpoint = textIn(entry, 'checkpoint')
    const direction = textIn(entry, 'direction')
    if (direction !== 'in' && direction !== 'out') throw new Error(`a passage ${direction}`)
    const { gate, from, to } = this.#way(checkpoint)
    const ways = [
      from === null ? 'arrived' : `from zone ${from}`,
      to === null ? 'left' : `into zone ${to}`,
      `through checkpoint ${checkpoint}`,
      `through gate ${gate} ${direction}`,
    ]
    if (entry.ticket === null) ways.push('without ticket')
    if (direction === 'in') ways.push(`admissions of tier ${entry.tier}`)
    if (first) ways.push('tickets', `tickets of tier ${entry.tier}`)
    for (const way of ways) add(this.#people, way, people)

    const instant = Date.parse(at)
    if (Number.isNaN(instant)) throw new Error(`no instant: ${at}`)
    const quarter = Math.floor(Math.min(Math.max(instant, 0), LAST_HOUR) / QUARTER_MS)
    const totals = this.#quarters.get(quarter) ?? { in: 0, out: 0, tickets: 0 }
    this.#quarters.set(quarter, totals)
    totals[direction] += people
    if (first) totals.tickets += people
    return true
  }

  #way(checkpoint: string): Fields {
    const way = this.#checkpoints.get(checkpoint)
    if (!way) throw new Error(`no event before it has the checkpoint ${checkpoint}`)
    return way
  }

  /**
   * @param told the report in question, for what no entry says: origin, software, made_at, and hours (see `checkHours`)
   * @param others of the other boxes, where there are any; `cosigned`: the seals that boxes have signed of each other
   */
  report(
    told: Fields,
    seals: Value[],
    others?: readonly { box: string; key: string; seals: Value[] }[],
    cosigned: Value[] = [],
  ): Fields {
    const event = this.#event
    if (!event) throw new Error('no entry tells the event')
    const n = (what: string) => this.#people.get(what) ?? 0
    const verdicts = (where: string) => Object.fromEntries(this.#verdicts.get(where) ?? [])
    const listed = (kind: string) => this.#listed.get(kind) ?? []
    const flags = flagCases(listed('flag'), listed('flag_resolved'))
    return pruned({
      ...{
        format: 'gatehouse/attendance-report/v1',
        origin: told.origin,
        software: told.software,
        made_at: told.made_at,
      },
      ...{ box: this.#box, event: pick(event, 'id', 'name', 'timezone', 'starts_at', 'ends_at') },
      entries: [...this.#kinds.values()].reduce((sum, some) => sum + some, 0),
      ...{ from: this.#first, until: this.#last, kinds: Object.fromEntries(this.#kinds) },
      people: {
        ...{ arrived: n('arrived'), left: n('left'), inside: n('arrived') - n('left') },
        ...{ tickets: n('tickets'), without_ticket: n('without ticket') },
      },
      offline: { in: n('alone in'), out: n('alone out') },
      devices: { ...this.#devices },
      verdicts: verdicts('all'),
      zones: [...this.#zones].map(([id, zone]) => {
        const [entered, left] = [n(`into zone ${id}`), n(`from zone ${id}`)]
        return { ...pick(zone, 'id', 'name', 'capacity'), in: entered, out: left, inside: entered - left }
      }),
      tiers: [...this.#tiers].map(([id, tier]) => ({
        ...pick(tier, 'id', 'name'),
        ...{ tickets: n(`tickets of tier ${id}`), admissions: n(`admissions of tier ${id}`) },
      })),
      gates: [...this.#gates].map(([id, gate]) => ({
        ...pick(gate, 'id', 'name'),
        ...{ in: n(`through gate ${id} in`), out: n(`through gate ${id} out`), verdicts: verdicts(`gate ${id}`) },
      })),
      checkpoints: [...this.#checkpoints].map(([id, checkpoint]) => ({
        ...pick(checkpoint, 'id', 'name', 'gate', 'direction'),
        ...{ people: n(`through checkpoint ${id}`), verdicts: verdicts(`checkpoint ${id}`) },
      })),
      hours: told.hours,
      flags,
      overrides: [...listed('supervisor_admit'), ...listed('undo')]
        .sort((a, b) => a.n - b.n)
        .map(({ at, entry }) => ({
          ...pick(entry, 'kind', 'actor', 'reason', 'device', 'checkpoint', 'ticket', 'scan_id'),
          at,
        })),
      incidents: incidentCases(listed('incident'), listed('incident_action')),
      holds: holdCases(listed('hold'), listed('hold_released')),
      modes: modeSpans(this.#first, listed('mode')),
      seals,
      mesh: others && {
        ...{ provisional: this.#provisional, double_uses: doubleUses(flags, this.#uses), cosigned },
        boxes: others.map(({ box, key, seals }) => {
          const heard = this.#heard.get(box)
          return {
            box,
            key,
            entries: heard?.entries ?? 0,
            modes: heard ? modeSpans(heard.first, heard.modes) : [],
            seals,
          }
        }),
      },
    })
  }

  /**
   * What is wrong with the report's hours. Only quarters of an hour are compared, and which hours a quarter may be in is
   * the report's own word: a table of time zones that is older than the box's must not call a good report a forgery.
   */
  checkHours(told: Value | undefined): string | undefined {
    if (!Array.isArray(told)) return 'the report has no hours'
    const rows: { start: number; totals: Fields; counted: HourTotals }[] = []
    for (const row of told) {
      const start = typeof row === 'object' && row && !Array.isArray(row) ? hourStart(row.from) : undefined
      if (start === undefined) return 'an hour that is none'
      if (start < (rows.at(-1)?.start ?? Number.NEGATIVE_INFINITY)) return 'its hours are out of order'
      rows.push({ start, totals: row as Fields, counted: { in: 0, out: 0, tickets: 0 } })
    }
    let next = 0
    for (const [quarter, { in: entered, out, tickets }] of [...this.#quarters].sort(([a], [b]) => a - b)) {
      const at = quarter * QUARTER_MS
      // Where two cover it, because a clock went back by half an hour, it is the earlier one's.
      while (next < rows.length && (rows[next]?.start ?? 0) + HOUR_MS <= at) next++
      const row = rows[next]
      if (!row || row.start > at) return `no hour of the report has what happened at ${new Date(at).toISOString()}`
      row.counted.in += entered
      row.counted.out += out
      row.counted.tickets += tickets
    }
    const wrong = rows.find(
      ({ totals, counted }) => canonical(totals) !== canonical({ from: totals.from ?? null, ...counted }),
    )
    return wrong && `hours: ${canonical(wrong.totals)}, and the entries say ${canonical({ ...wrong.counted })}`
  }
}

/** The instant of `2026-07-17T16:00+01:00`; undefined for any other text. */
function hourStart(from: Value | undefined): number | undefined {
  if (typeof from !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:00[+-]\d\d:(00|15|30|45)$/.test(from)) return undefined
  const start = Date.parse(from)
  return Number.isNaN(start) ? undefined : start
}

function flagCases(opened: Dated[], resolved: Dated[]): Fields[] {
  const byFlag = Map.groupBy(opened, ({ entry }) => textIn(entry, 'flag'))
  return [...byFlag].map(([flag, entries]) => {
    const first = entries[0] as Dated
    // Another box's word about a case may have come before the case, from a third one.
    const ends = resolved.filter(({ entry }) => entry.flag === flag)
    const scans = new Set<Value>()
    let seen = -1
    for (const { entry } of [...entries, ...ends].sort((a, b) => a.n - b.n)) {
      const named = Array.isArray(entry.scans) ? entry.scans : [...scans]
      for (const scan of named) scans.add(scan)
      // It counts for as many records as whoever resolved it had seen.
      if (entry.kind === 'flag_resolved') seen = Math.max(seen, named.length)
    }
    return pruned({
      ...{
        flag,
        kind: first.entry.flag_kind,
        opened_at: first.at,
        ticket: first.entry.ticket,
        device: first.entry.device,
      },
      ...{ scans: [...scans], state: seen >= scans.size ? 'resolved' : 'open' },
      resolutions: ends.map(({ at, entry }) => ({ ...pick(entry, 'resolution', 'actor'), at })),
    })
  })
}

function incidentCases(reported: Dated[], taken: Dated[]): Value {
  // One report that two boxes were sent is one: the earlier.
  const reports = Map.groupBy(reported, ({ entry }) => entry.incident)
  return [...reports.values()].map((all) => {
    const [entry = {}] = all.map((one) => one.entry).sort((a, b) => (textIn(a, 'hlc') < textIn(b, 'hlc') ? -1 : 1))
    const actions = taken
      .map((action) => action.entry)
      .filter(({ incident }) => incident === entry.incident)
      .sort((a, b) => (clockOf(a) < clockOf(b) ? -1 : 1))
    const after = (action: Fields | undefined) => action && Math.max(0, Math.floor(seconds(action) - seconds(entry)))
    const seconds = (fields: Fields) => Date.parse(textIn(fields, 'at')) / 1000
    const { state, steps } = stepsOf(actions)
    return pruned({
      ...pick(entry, 'incident', 'checkpoint', 'gate', 'zone', 'device'),
      ...{ kind: entry.incident_kind, reported_at: entry.at, state },
      acknowledged_after: after(steps.find(({ action }) => action !== 'cancel')),
      resolved_after: after(steps.find(({ action }) => action === 'resolve')),
      actions: actions.map((action) => pruned(pick(action, 'action', 'actor', 'assignee', 'reason', 'at'))),
    })
  })
}

/** What two boxes did at one reading of their clocks has an order all the same. */
function clockOf({ hlc = null, action = null, actor = null, assignee = null, reason = null }: Fields): string {
  return JSON.stringify([hlc, action, actor, assignee, reason])
}

/** An incident goes on, and never back; only who was sent may change. Actions that came too late are no steps. */
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

function holdCases(placed: Dated[], released: Dated[]): Value {
  return placed.map(({ entry }) => {
    // Whichever was first: it was taken away, or another one took its place.
    const ends = [...placed, ...released].filter(({ entry: { kind, hold, replaces } }) => {
      return (kind === 'hold' ? replaces : hold) === entry.hold
    })
    const when = (one: Dated) => textIn(one.entry, 'at')
    const end = ends.sort((a, b) => (when(a) < when(b) ? -1 : when(a) > when(b) ? 1 : a.n - b.n))[0]?.entry
    return pruned({
      ...pick(entry, 'hold', 'gate', 'actor', 'reason', 'expires_at'),
      ...{ placed_at: entry.at, released_at: end?.at, released_by: end?.actor },
      replaced_by: end?.kind === 'hold' ? end.hold : undefined,
    })
  })
}

/** Clocks of two boxes that differ by less say nothing about who was first. */
const CLOSE_MS = 5_000

/** Of each right that several came in by: where, and in which order as far as claims and clocks say. */
function doubleUses(cases: Fields[], uses: ReadonlyMap<string, Use> | undefined): Value {
  return cases.flatMap(({ flag = null, kind, scans }) => {
    if (kind !== 'double_use' || !Array.isArray(scans)) return []
    const rank = ({ alone, hlc, box, scan }: Use) => (alone ? ['', '', scan] : [hlc, box, scan])
    const found = scans.flatMap((scan) => uses?.get(String(scan)) ?? [])
    found.sort((a, b) => Number(b.confirmed) - Number(a.confirmed) || a.stood - b.stood || inTurn(rank(a), rank(b)))
    const [first, second] = found
    // Who was let in by the word of all boxes was first, and a box knows the order of its own scans.
    const isApart = first && second && (first.box === second.box || second.stood - first.stood > CLOSE_MS)
    // Nobody holds a scanner's clock against another: alone, it may have let them in before all others.
    const isAnybodys = !first?.confirmed && found.some(({ alone }) => alone)
    const isKnown = !second || first?.confirmed !== second.confirmed || (isApart && !isAnybodys)
    const records = found.map((use) => ({
      ...{ scan_id: use.scan, box: use.box, checkpoint: use.checkpoint, at: new Date(use.stood).toISOString() },
      confidence: use.confirmed ? 'confirmed' : 'provisional',
    }))
    return { flag, order: isKnown ? 'certain' : 'uncertain', records }
  })
}

function inTurn(a: readonly string[], b: readonly string[]): number {
  const i = a.findIndex((text, at) => text !== b[at])
  return i < 0 ? 0 : (a[i] ?? '') < (b[i] ?? '') ? -1 : 1
}

function modeSpans(first: string, changes: Dated[]): Value {
  const spans = [{ at: first, n: -1, entry: { mode: 'STRICT' } as Fields }, ...changes]
  return spans.map(({ at, entry }, i) =>
    pruned({ ...pick(entry, 'mode', 'actor', 'reason'), from: at, until: spans[i + 1]?.at }),
  )
}

/** What is absent is left out of a report. */
function pruned(fields: { [name: string]: Value | undefined }): Fields {
  const there = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(there) as Fields
}

function pick(fields: Fields, ...names: string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, fields[name] ?? null]))
}

function add(counts: Map<string, number>, what: string, more: number): void {
  counts.set(what, (counts.get(what) ?? 0) + more)
}

function textIn(fields: Fields, name: string): string {
  const value = fields[name]
  if (typeof value !== 'string') throw new Error(`"${name}" is no text`)
  return value
}

function numberIn(fields: Fields, name: string): number {
  const value = fields[name]
  if (typeof value !== 'number') throw new Error(`"${name}" is no number`)
  return value
}

function fieldsIn(fields: Fields, name: string): Fields {
  const value = fields[name]
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`"${name}" is no object`)
  return value
}

function listIn(fields: Fields, name: string): Fields[] {
  const value = fields[name]
  if (!Array.isArray(value)) throw new Error(`"${name}" is no list`)
  return value as Fields[]
}

// --------------------------------------------------------------------------------------------------------------- the file

export interface Problem {
  /** Counted from 1. */
  line: number
  kind: ProblemKind
  detail: string
}

export type ProblemKind =
  /** The file ends before it should, or goes on after. */
  | 'cut_short'
  | 'trailing'
  /** Not the one spelling of a JSON object, or without what such a line has. */
  | 'line'
  /** A seal that the key has not signed, or out of order; or one whose root is not that of the entries. */
  | 'seal'
  | 'root'
  /** What another box wrote is not what this one says that it heard. */
  | 'heard'
  /** A box has not signed what it is said to have signed of another's. */
  | 'cosignature'
  /** An entry's own number, or its clock, does not follow the one before. */
  | 'index'
  | 'clock'
  /** An entry that cannot be counted. */
  | 'entry'
  /** A total that the entries do not give; a report that the key has not signed. */
  | 'total'
  | 'report'
  /** A checkpoint that was kept elsewhere says something else. */
  | 'checkpoint'

export interface Findings {
  genuine: boolean
  /** The first of each kind. */
  problems: Problem[]
  event: string
  box: string
  /** What was checked: the entries and seals that were read, and what they come to. */
  entries: number
  seals: number
  checkpoint: Checkpoint
  /** The newest seal as the box signed it. */
  note: string
  /** Sizes of the checkpoints, kept elsewhere, that the entries still lead to. */
  kept: number[]
  /** The other boxes of the event, as this one heard them. Empty for a box alone. */
  others: OtherFindings[]
  /** Nothing to rely on unless `genuine`. */
  report: Fields
  /** What was not, and cannot be from this file. */
  unchecked: string[]
}

export interface OtherFindings {
  box: string
  /** Entries of its log that are told, and its newest seal of them: the rest is held by the seals of whoever heard it. */
  entries: number
  sealed: number
  /** Whether its key was given, too, and not only the one that the file names. */
  known: boolean
  /** Boxes that have signed its newest seal. */
  witnesses: string[]
}

/** Long enough for every entry of ours, short enough for the memory of any machine. */
const LONGEST_LINE = 32 * 1024 * 1024
const HLC = /^\d{13}\.\d{6}$/
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** The file is not what should come next, and nothing after it can be told apart. */
class Lost extends Error {}

/**
 * @param chunks the file
 * @param options.key in the form of C2SP signed-note, from outside the file
 * @param options.otherKeys those of other boxes that are known, too
 * @param options.checkpoints signed notes that were kept elsewhere
 * @throws Unreadable when it is no export, or there is nothing to check it with
 */
export function verifyExport(
  chunks: Iterable<Uint8Array>,
  options: { key: string; otherKeys?: readonly string[]; checkpoints?: readonly string[] },
): Findings {
  const key = parseKey(options.key)
  const lines = linesOf(chunks)
  const { entries, seals, boxes, cosignatures } = readHeader(lines)
  const check = new Check(
    key,
    (options.checkpoints ?? []).map((note) => keptCheckpoint(note, key)),
    boxes && { boxes, known: (options.otherKeys ?? []).map(parseKey) },
  )
  try {
    for (let i = 0; i < seals; i++) check.seal(take(lines))
    check.sealsEnd(entries)
    for (const { box, seals } of boxes ?? []) for (let i = 0; i < seals; i++) check.otherSeal(box, take(lines))
    for (let i = 0; i < cosignatures; i++) check.cosignature(take(lines))
    for (let i = 0; i < entries; i++) {
      const heard = check.entry(take(lines))
      if (heard) check.heard(heard, () => take(lines))
    }
    check.report(take(lines))
    check.signature(take(lines))
    const more = lines.next()
    if (!more.done) check.problem('trailing', more.value, 'the export has ended already')
  } catch (error) {
    if (!(error instanceof Lost)) throw error
    check.problem('cut_short', undefined, error.message)
  }
  return check.findings()
}

interface Line {
  number: number
  bytes: Buffer
}

/** A line is good until the next one is asked for. */
function* linesOf(chunks: Iterable<Uint8Array>): Generator<Line, undefined> {
  let number = 0
  let held: Buffer[] = []
  let length = 0
  for (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    let from = 0
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
      const rest = bytes.subarray(from, end)
      number++
      yield { number, bytes: held.length === 0 ? rest : Buffer.concat([...held, rest]) }
      held = []
      length = 0
      from = end + 1
    }
    if (from === bytes.length) continue
    length += bytes.length - from
    if (length > LONGEST_LINE) {
      if (number === 0) return undefined
      throw new Lost(`line ${number + 1} has no end`)
    }
    // Copied: whoever reads the file may use its buffer again.
    held.push(Buffer.from(bytes.subarray(from)))
  }
  if (length > 0) throw new Lost(`line ${number + 1} has no end`)
  return undefined
}

function take(lines: Generator<Line, undefined>): Line {
  const { done, value } = lines.next()
  if (done) throw new Lost('the file ends too early')
  return value
}

interface Header {
  entries: number
  seals: number
  /** Of the other boxes; absent for a box alone. */
  boxes?: OtherHeader[]
  cosignatures: number
}

interface OtherHeader {
  box: string
  /** As the file has it: empty where nobody knew it. */
  key: string
  seals: number
}

function readHeader(lines: Generator<Line, undefined>): Header {
  try {
    const header = parseLine(take(lines).bytes)
    const { entries = null, seals = null } = header
    if (!isCount(entries) || !isCount(seals)) throw new Error('no counts')
    if (canonical(header) === canonical({ entries, format: 'gatehouse/export/v1', seals })) {
      return { entries, seals, cosignatures: 0 }
    }
    const { cosignatures = null } = header
    const boxes = listIn(header, 'boxes').map((other): OtherHeader => {
      const { box = null, key = null, seals = null } = other
      if (typeof box !== 'string' || typeof key !== 'string' || !isNatural(seals)) throw new Error('no other box')
      return { box, key, seals }
    })
    const whole = { boxes: boxes.map((other) => ({ ...other })), cosignatures, entries, seals }
    if (canonical(header) !== canonical({ ...whole, format: 'gatehouse/export/v2' })) throw new Error('another header')
    if (!isNatural(cosignatures)) throw new Error('no counts')
    if (new Set(boxes.map(({ box }) => box)).size !== boxes.length) throw new Error('a box twice')
    return { entries, seals, boxes, cosignatures }
  } catch (cause) {
    if (isOfTheSystem(cause)) throw cause
    throw new Unreadable('This is not an export of a Gatehouse box, or its first line is damaged.', { cause })
  }
}

function isCount(value: Value | undefined): value is number {
  return isNatural(value) && value > 0
}

function isNatural(value: Value | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

function keptCheckpoint(note: string, key: Key): Checkpoint {
  try {
    return openCheckpoint(note, key, false)
  } catch (cause) {
    throw new Unreadable(`The checkpoint that was kept elsewhere cannot be used: ${(cause as Error).message}.`, {
      cause,
    })
  }
}

interface SeenSeal {
  size: number
  root: string
  at: string
  note: string
}

/** The log of another box, as it is told: mostly in order, and an emergency ahead of what was written before it. */
class OtherLog {
  readonly box: string
  /** Undefined where nobody knew it. */
  readonly key: Key | undefined
  readonly known: boolean
  readonly seals: SeenSeal[] = []
  readonly witnesses = new Map<number, string[]>()
  readonly tree = new Tree()
  told = 0
  /** Leaves that came ahead, and their clocks, by index. */
  readonly #ahead = new Map<number, { leaf: Buffer; hlc: Value | undefined }>()
  #clock = ''
  #sealsPassed = 0

  constructor(box: string, key: Key | undefined, known: boolean) {
    this.box = box
    this.key = key
    this.known = known
  }

  has(index: number): boolean {
    return index < this.tree.size || this.#ahead.has(index)
  }

  /** @throws Error for a clock that goes back, or a seal of other entries */
  add(index: number, leaf: Buffer, hlc: Value | undefined): void {
    this.told++
    this.#ahead.set(index, { leaf, hlc })
    for (let next = this.#ahead.get(this.tree.size); next; next = this.#ahead.get(this.tree.size)) {
      this.#ahead.delete(this.tree.size)
      this.tree.add(next.leaf)
      if (typeof next.hlc !== 'string' || !HLC.test(next.hlc) || next.hlc <= this.#clock) {
        throw new Error(`the clock of entry ${this.tree.size - 1} of ${this.box} is not after the one before`)
      }
      this.#clock = next.hlc
      const seal = this.seals[this.#sealsPassed]
      if (seal?.size !== this.tree.size) continue
      this.#sealsPassed++
      if (this.tree.root().toString('base64') !== seal.root) {
        throw new Error(`the first ${seal.size} entries of ${this.box} are not those that it has sealed`)
      }
    }
  }

  /** Whether every seal was reached. */
  isWhole(): boolean {
    return this.#sealsPassed === this.seals.length
  }
}

/** What has been seen of the file so far. */
class Check {
  readonly #key: Key
  readonly #kept: readonly Checkpoint[]
  readonly #keptHeld: number[] = []
  readonly #tree = new Tree()
  readonly #recount: Recount
  readonly #problems = new Map<ProblemKind, Problem>()
  readonly #seals: SeenSeal[] = []
  /** Undefined for a box alone. */
  readonly #others: Map<string, OtherLog> | undefined
  readonly #ownWitnesses = new Map<number, string[]>()
  /** Of each log and witness the newest: seals are in order. */
  readonly #cosignatures = new Map<string, { box: string; witness: string; size: number }>()
  #cosigned = ''
  #sealsPassed = 0
  #note = ''
  #clock = ''
  #report: { fields: Fields; digest: string } | undefined
  /** It got this far. */
  #complete = false

  constructor(
    key: Key,
    kept: readonly Checkpoint[],
    others: { boxes: readonly OtherHeader[]; known: readonly Key[] } | undefined,
  ) {
    this.#key = key
    this.#kept = kept.toSorted((a, b) => a.size - b.size)
    this.#recount = new Recount(others !== undefined)
    if (!others) return
    this.#others = new Map()
    const [, event = ''] = key.name.split('/')
    for (const { box, key: text } of others.boxes) {
      const known = others.known.find(({ name }) => name === `gatehouse/${event}/${box}`)
      const named = this.#keyOf(box, text, event)
      if (known && named && !known.id.equals(named.id)) {
        this.problem('seal', undefined, `the key of ${box} is another than the one given`)
      }
      this.#others.set(box, new OtherLog(box, known ?? named, known !== undefined))
    }
  }

  #keyOf(box: string, text: string, event: string): Key | undefined {
    if (text === '') return undefined
    try {
      const key = parseKey(text)
      if (key.name === `gatehouse/${event}/${box}` && key.name !== this.#key.name) return key
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
    }
    this.problem('seal', undefined, `the key of ${box} is not the key of a box of this event`)
    return undefined
  }

  problem(kind: ProblemKind, line: Line | undefined, detail: string): void {
    if (this.#problems.has(kind)) return
    // It quotes the file, and is shown on terminals, which obey some characters.
    this.#problems.set(kind, { line: line?.number ?? 0, kind, detail: detail.replaceAll(/\p{C}/gu, '?') })
  }

  seal(line: Line): void {
    const seal = this.#readSeal(line, this.#key, this.#seals)
    if (seal) this.#note = seal.note
  }

  /** Each box has signed its own. */
  otherSeal(box: string, line: Line): void {
    const log = this.#others?.get(box)
    if (log?.key) this.#readSeal(line, log.key, log.seals)
    else this.problem('seal', line, `nobody knows by which key ${box} has signed it`)
  }

  #readSeal(line: Line, key: Key, seals: SeenSeal[]): SeenSeal | undefined {
    const fields = this.#parse(line)
    if (!fields) return undefined
    try {
      if (Object.keys(fields).join() !== 'at,note' || !ISO.test(textIn(fields, 'at'))) throw new Error('not a seal')
      const note = textIn(fields, 'note')
      const { size, root } = openCheckpoint(note, key, true)
      if (size <= (seals.at(-1)?.size ?? 0)) throw new Error('it covers no more than the one before')
      const seal = { size, root, at: textIn(fields, 'at'), note }
      seals.push(seal)
      return seal
    } catch (error) {
      this.problem('seal', line, (error as Error).message)
      return undefined
    }
  }

  /** A box has held another's seal against its own copy, and signed it (C2SP: tlog-cosignature.md). */
  cosignature(line: Line): void {
    const fields = this.#parse(line)
    if (!fields) return
    try {
      if (Object.keys(fields).join() !== 'box,line,size,witness') throw new Error('not a cosignature')
      const [box, witness, size] = [textIn(fields, 'box'), textIn(fields, 'witness'), numberIn(fields, 'size')]
      const place = `${box} ${String(size).padStart(16, '0')} ${witness}`
      if (place <= this.#cosigned) throw new Error('out of order')
      this.#cosigned = place
      const [, , self = ''] = this.#key.name.split('/')
      const log = this.#others?.get(box)
      const seal = (box === self ? this.#seals : (log?.seals ?? [])).find((one) => one.size === size)
      const key = witness === self ? this.#key : this.#others?.get(witness)?.key
      if (!seal || !key || witness === box)
        throw new Error(`of no seal or no box that is here: ${box} ${size} by ${witness}`)
      requireCosigned(textIn(fields, 'line'), seal.note, key)
      this.#cosignatures.set(`${box} ${witness}`, { box, witness, size })
      const witnesses = box === self ? this.#ownWitnesses : log?.witnesses
      witnesses?.set(size, [...(witnesses.get(size) ?? []), witness])
    } catch (error) {
      this.problem('cosignature', line, (error as Error).message)
    }
  }

  /** The entries that this one says were heard, which come next. @throws Lost at the file's end */
  heard(entry: Fields, next: () => Line): void {
    const log = this.#others?.get(String(entry.box))
    const { from = null, to = null, digest = null } = entry
    if (!log || !isNatural(from) || !isNatural(to)) throw new Lost(`an entry says that it heard nobody who is here`)
    const [again, known] = [new Set(numbersIn(entry, 'again')), new Set(numbersIn(entry, 'known'))]
    const hash = createHash('sha256')
    for (let index = from; index < to; index++) {
      // An emergency that came ahead was told already.
      if (log.has(index)) continue
      const line = next()
      const leaf = leafHash(line.bytes)
      hash.update(leaf)
      const fields = this.#parse(line)
      if (!fields) continue
      if (fields.index !== index) this.problem('heard', line, `entry ${index} of ${log.box} calls itself another`)
      try {
        log.add(index, leaf, fields.hlc)
      } catch (error) {
        this.problem('heard', line, (error as Error).message)
      }
      try {
        this.#recount.add(fields, { box: log.box, again: again.has(index), known: known.has(index) })
      } catch (error) {
        this.problem('entry', line, `entry ${index} of ${log.box} cannot be counted: ${(error as Error).message}`)
      }
    }
    if (hash.digest('hex') !== digest) {
      this.problem('heard', undefined, `entries ${from} to ${to - 1} of ${log.box} are not those that were heard`)
    }
  }

  sealsEnd(entries: number): void {
    const last = this.#seals.at(-1)
    if (last?.size === entries) return
    this.problem(
      'seal',
      undefined,
      `the newest seal covers ${last?.size ?? 0} entries, and the file says it has ${entries}`,
    )
  }

  /** @returns what it says, where that is what was heard from another box */
  entry(line: Line): Fields | undefined {
    const index = this.#tree.size
    this.#tree.add(leafHash(line.bytes))
    const fields = this.#parse(line)
    if (fields) this.#read(fields, index, line)
    for (let seal = this.#seals[this.#sealsPassed]; seal?.size === index + 1; seal = this.#seals[this.#sealsPassed]) {
      if (this.#tree.root().toString('base64') !== seal.root) {
        const from = this.#seals[this.#sealsPassed - 1]?.size ?? 0
        this.problem('root', line, `entries ${from} to ${index} are not all as they were sealed`)
      }
      this.#sealsPassed++
    }
    for (const { size, root } of this.#kept.filter((checkpoint) => checkpoint.size === index + 1)) {
      if (this.#tree.root().toString('base64') === root) this.#keptHeld.push(size)
      else
        this.problem(
          'checkpoint',
          line,
          `the checkpoint that was kept elsewhere is of another history up to entry ${index}`,
        )
    }
    return this.#others && fields?.kind === 'heard' ? fields : undefined
  }

  #read(fields: Fields, index: number, line: Line): void {
    if (fields.index !== index)
      this.problem('index', line, `entry ${index} calls itself ${canonical(fields.index ?? null)}`)
    const { hlc } = fields
    if (typeof hlc !== 'string' || !HLC.test(hlc) || hlc <= this.#clock) {
      this.problem('clock', line, `the clock of entry ${index} is not after the one before`)
    } else this.#clock = hlc
    try {
      this.#recount.add(fields)
    } catch (error) {
      this.problem('entry', line, `entry ${index} cannot be counted: ${(error as Error).message}`)
    }
  }

  report(line: Line): void {
    const fields = this.#parse(line)
    if (!fields) return
    this.#report = { fields, digest: sha256(line.bytes).toString('hex') }
    try {
      const shown = (seals: readonly SeenSeal[]) => seals.map(({ size, root, at }) => ({ size, root, at }))
      const others = [...(this.#others?.values() ?? [])].map(({ box, key, seals }) => ({
        ...{ box, key: key ? verifierKeyOf(key) : '', seals: shown(seals) },
      }))
      const cosigned = [...this.#cosignatures.values()]
      const counted = this.#recount.report(fields, shown(this.#seals), this.#others && others, cosigned)
      const hours = this.#recount.checkHours(fields.hours)
      const difference = hours ?? firstDifference(fields, counted, '')
      if (difference) this.problem('total', line, difference)
      for (const name of ['software', 'made_at']) textIn(fields, name)
      if (fields.origin !== this.#key.name) throw new Error('it is of another log')
      const { id } = fieldsIn(counted, 'event')
      if (this.#key.name !== `gatehouse/${id}/${counted.box}`)
        throw new Error('the entries are of another event or box')
    } catch (error) {
      this.problem('report', line, (error as Error).message)
    }
  }

  signature(line: Line): void {
    const fields = this.#parse(line)
    if (!fields || !this.#report) return
    try {
      if (Object.keys(fields).join() !== 'note') throw new Error('not a signature')
      const { size, root } = this.#seals.at(-1) ?? { size: 0, root: '' }
      const [, event = ''] = this.#key.name.split('/')
      const expected = [
        'gatehouse/attendance-report/v1',
        event,
        `sha256 ${this.#report.digest}`,
        `checkpoint ${this.#key.name} ${size} ${root}`,
        ...[...(this.#others?.values() ?? [])].flatMap(({ box, seals }) => {
          const newest = seals.at(-1)
          return newest ? [`checkpoint gatehouse/${event}/${box} ${newest.size} ${newest.root}`] : []
        }),
        '',
      ].join('\n')
      if (openNote(textIn(fields, 'note'), this.#key, true) !== expected) {
        throw new Error('the signature is under another report, or under another seal')
      }
      this.#complete = true
    } catch (error) {
      this.problem('report', line, (error as Error).message)
    }
  }

  findings(): Findings {
    const newest = this.#seals.at(-1)
    for (const { size } of this.#kept) {
      if (size <= this.#tree.size) continue
      const detail = `the checkpoint that was kept elsewhere covers ${size} entries, and this export ends before: ask for a newer one`
      this.problem('checkpoint', undefined, detail)
    }
    for (const log of this.#others?.values() ?? []) {
      if (!log.isWhole()) this.problem('heard', undefined, `${log.box} has sealed more than is told of it`)
    }
    const problems = [...this.#problems.values()].sort((a, b) => a.line - b.line)
    const [, event = '', box = ''] = this.#key.name.split('/')
    const genuine = this.#complete && problems.length === 0
    return {
      genuine,
      ...{ problems, event, box, entries: this.#tree.size, seals: this.#seals.length },
      checkpoint: { size: newest?.size ?? 0, root: newest?.root ?? '' },
      ...{ note: this.#note, kept: this.#keptHeld, report: this.#report?.fields ?? {}, others: this.#otherFindings() },
      unchecked: genuine ? unchecked(this.#keptHeld, this.#report?.fields ?? {}, this.#otherFindings()) : [],
    }
  }

  #otherFindings(): OtherFindings[] {
    return [...(this.#others?.values() ?? [])].map(({ box, told, seals, known, witnesses }) => {
      const sealed = seals.at(-1)?.size ?? 0
      return { box, entries: told, sealed, known, witnesses: witnesses.get(sealed) ?? [] }
    })
  }

  #parse(line: Line): Fields | undefined {
    try {
      return parseLine(line.bytes)
    } catch {
      this.problem('line', line, 'it is not canonical JSON')
      return undefined
    }
  }
}

/** Where two values part, in words. */
function firstDifference(told: Value | undefined, counted: Value | undefined, path: string): string | undefined {
  if (told !== undefined && counted !== undefined && canonical(told) === canonical(counted)) return undefined
  if (isObject(told) && isObject(counted)) {
    for (const name of new Set([...Object.keys(told), ...Object.keys(counted)])) {
      const difference = firstDifference(told[name], counted[name], path ? `${path}.${name}` : name)
      if (difference) return difference
    }
  }
  const shown = (value: Value | undefined) => (value === undefined ? 'nothing' : canonical(value).slice(0, 120))
  return `${path}: the report says ${shown(told)}, the entries say ${shown(counted)}`
}

/** A list is one too, by its places. */
function isObject(value: Value | undefined): value is Fields {
  return typeof value === 'object' && value !== null
}

/** @throws Error for a line by which this key has not signed this note's text */
function requireCosigned(line: string, note: string, key: Key): void {
  const [, name, encoded = ''] = /^— (\S+) (\S+)$/.exec(line) ?? []
  const bytes = base64(encoded)
  const raw = Buffer.from(String(key.publicKey.export({ format: 'jwk' }).x), 'base64url')
  const id = sha256(Buffer.concat([Buffer.from(`${key.name}\n`), Buffer.of(4), raw])).subarray(0, 4)
  if (name !== key.name || bytes?.length !== 76 || !bytes.subarray(0, 4).equals(id))
    throw new Error('not a cosignature')
  const text = note.slice(0, note.lastIndexOf('\n\n') + 1)
  const message = Buffer.from(`cosignature/v1\ntime ${bytes.readBigUInt64BE(4)}\n${text}`)
  if (!verify(null, message, key.publicKey, bytes.subarray(12))) throw new Error(`${key.name} has not signed it`)
}

function verifierKeyOf({ name, id, publicKey }: Key): string {
  const raw = Buffer.from(String(publicKey.export({ format: 'jwk' }).x), 'base64url')
  return `${name}+${id.toString('hex')}+${Buffer.concat([Buffer.of(1), raw]).toString('base64')}`
}

function numbersIn(fields: Fields, name: string): number[] {
  const value = fields[name]
  if (!Array.isArray(value) || !value.every(isNatural)) throw new Lost(`"${name}" is no list of entries`)
  return value
}

function unchecked(kept: readonly number[], { event, hours }: Fields, others: readonly OtherFindings[]): string[] {
  const list = [
    'who held the key: whoever had it, and every entry, could have written another history before it was sealed',
    'whether what was recorded is what happened: a person whom nobody scanned is in no entry',
    'software and time of the report, which are the box’s own word',
  ]
  if (kept.length === 0) {
    list.push('whether a seal had left the building: give one that was kept elsewhere, with --checkpoint FILE')
  }
  for (const { box, known, entries, sealed } of others) {
    if (!known)
      list.push(`that ${box} has the key that the file names: give it, from whoever knows it, with --other-key KEY`)
    if (sealed < entries) {
      list.push(`entries ${sealed} to ${entries - 1} of ${box} by a seal of its own: this box’s say what it heard`)
    }
  }
  if (isObject(event) && !sameZones(event.timezone, hours)) {
    list.push(
      `that the hours follow the clock of ${event.timezone}: this machine’s time zones say otherwise, or nothing`,
    )
  }
  return list
}

/** Whether this machine's time zones give every hour the offset that it is written with. */
function sameZones(timeZone: Value | undefined, hours: Value | undefined): boolean {
  try {
    const format = new Intl.DateTimeFormat('en', { timeZone: String(timeZone), timeZoneName: 'longOffset' })
    return (hours as Fields[]).every(({ from }) => {
      const [, offset = '+00:00'] = /GMT([+-]\d\d:\d\d)/.exec(format.format(hourStart(from))) ?? []
      return String(from).endsWith(offset)
    })
  } catch {
    return false
  }
}

// ------------------------------------------------------------------------------------------------------------ the command

const USAGE = `node verify-export.ts FILE --key KEY [--other-key KEY]... [--checkpoint FILE]... [--json]

  Checks an export of a Gatehouse box: every signature, every entry, every total. Needs no box and no network.
  --key KEY          the box's verifier key, from whoever you trust to know it
  --other-key KEY    of another box of the event ("log_key" at its /v1/meta); as often as you have one
  --checkpoint FILE  a seal that was kept elsewhere: a photograph's text, an e-mail; as often as you have one
  --json             findings as JSON, for a program

  Exit status: 0 genuine, 1 tampered with, 2 it could not be checked.

  ${HOW_TO_GET_THE_KEY}`

/**
 * Checks the file at `path`, in a few megabytes of memory whatever its size.
 * @param options.onProgress a fraction from 0 to 1
 * @throws Unreadable as `verifyExport` does, and for a file that cannot be read
 */
export function verifyFile(
  path: string,
  options: {
    key: string | undefined
    otherKeys?: readonly string[]
    checkpoints: readonly string[]
    onProgress?: (fraction: number) => void
  },
): Findings {
  const { key, otherKeys = [], onProgress } = options
  if (key === undefined) throw new Unreadable(`Name the key to check with: --key KEY\n${HOW_TO_GET_THE_KEY}`)
  try {
    const checkpoints = options.checkpoints.map((name) => readFileSync(name, 'utf8'))
    return verifyExport(chunksOf(path, onProgress), { key, otherKeys, checkpoints })
  } catch (error) {
    if (isOfTheSystem(error)) throw new Unreadable(error.message, { cause: error })
    throw error
  }
}

/** A file that cannot be read: Node's own sentence names it, and says why. */
function isOfTheSystem(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error
}

function* chunksOf(path: string, onProgress: (fraction: number) => void = () => {}): Generator<Uint8Array> {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const buffer = Buffer.allocUnsafeSlow(1024 * 1024)
    let done = 0
    for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer)) {
      yield buffer.subarray(0, read)
      done += read
      onProgress(Math.min(1, done / size))
    }
  } finally {
    closeSync(file)
  }
}

/** What was found, for a person. */
export function describe(findings: Findings): string {
  const { genuine, problems, event, box, entries, seals, checkpoint, kept, others } = findings
  // Event and box are the key's: a file that is not genuine may be anybody's.
  const lines = [`${genuine ? 'Genuine:' : 'NOT GENUINE: by the key of'} event ${event}, ${box}`, '']
  if (!genuine) {
    lines.push('  found (the first of each kind)')
    lines.push(
      ...problems.map(({ line, kind, detail }) => `    ${line > 0 ? `line ${line}: ` : ''}${kind}: ${detail}`),
      '',
    )
    return lines.join('\n')
  }
  lines.push(
    '  checked',
    `    ${seals} seals: signed by this key, each the beginning of the next, the last with root ${checkpoint.root}`,
    `    ${entries} entries: in canonical form, in order of number and clock, and as they were sealed`,
    '    every total of the report, counted again from the entries, and the signature under it',
    ...others.map(
      ({ box, entries, sealed, witnesses }) =>
        `    ${entries} entries of ${box}, as this box heard them; ${sealed} of them as ${box} has sealed them${witnesses.length > 0 ? `, signed too by ${witnesses.join(', ')}` : ''}`,
    ),
    ...kept.map((size) => `    the checkpoint that was kept elsewhere: its ${size} entries are the first of these`),
    '',
    '  not checked, because this file cannot show it',
    ...findings.unchecked.map((what) => `    ${what}`),
  )
  return lines.join('\n')
}

/** @returns the exit status */
function run(args: string[]): number {
  let parsed: ReturnType<typeof parse>
  try {
    parsed = parse(args)
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`)
    return 2
  }
  const { values, positionals } = parsed
  const [file] = positionals
  if (values.help || file === undefined || positionals.length > 1) {
    const say = values.help ? console.log : console.error
    say(USAGE)
    return values.help ? 0 : 2
  }
  try {
    const onProgress = process.stderr.isTTY && !values.json ? showProgress : undefined
    const checkpoints = values.checkpoint ?? []
    const otherKeys = values['other-key'] ?? []
    const findings = verifyFile(file, { key: values.key, otherKeys, checkpoints, ...(onProgress && { onProgress }) })
    console.log(values.json ? JSON.stringify(findings) : describe(findings))
    return findings.genuine ? 0 : 1
  } catch (error) {
    console.error(error instanceof Unreadable ? error.message : error)
    return 2
  }
}

function parse(args: string[]) {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  const options = {
    key: text,
    'other-key': { ...text, multiple: true },
    checkpoint: { ...text, multiple: true },
    json: flag,
    help: { ...flag, short: 'h' },
  } as const
  return parseArgs({ args, allowPositionals: true, options })
}

/** On one line that is written over. */
export function showProgress(fraction: number): void {
  process.stderr.write(`\r${Math.floor(fraction * 100)} %${fraction === 1 ? '\r      \r' : ''}`)
}

// Asked by path: `import.meta.main` came with Node 24.
const started = process.argv[1]
if (started !== undefined && existsSync(started) && realpathSync(started) === import.meta.filename) {
  process.exitCode = run(process.argv.slice(2))
}
