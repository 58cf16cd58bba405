/**
 * Checks an export of a Gatehouse box without the box: this one file, Node 22.18 or newer, and nothing else.
 *
 *   node verify-export.ts FILE --key KEY [--other-key KEY]... [--checkpoint FILE]... [--json]
 *
 * It shares no code with the box on purpose: a mistake in either of the two shows in the other, and sealed-record.md
 * describes the format exactly enough to write a third. It checks every signature, every entry against the seals, and every
 * total of the report. KEY has to come from outside the file: a file that brings its own key proves nothing.
 * Exit status: 0 genuine, 1 tampered with, 2 it could not be checked.
 */
import { createHash, createPublicKey, hash, type KeyObject, verify } from 'node:crypto'
import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync, realpathSync } from 'node:fs'
import { parseArgs } from 'node:util'

// ---------------------------------------------------------------------------------------------- canonical JSON (RFC 8785)

export type Value = string | number | boolean | null | Value[] | Fields
export interface Fields {
  [name: string]: Value
}

/** The canonical form of a JSON value. @throws Error for a value that JSON cannot express */
export function canonical(value: Value): string {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw new Error('half a surrogate pair')
    return JSON.stringify(value)
  }
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (isObject(value)) {
    const members = Object.keys(value).sort()
    return `{${members.map((name) => `${canonical(name)}:${canonical(value[name] as Value)}`).join(',')}}`
  }
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Error('a number that is not finite')
  // The RFC asks for numbers as ECMAScript writes them.
  return JSON.stringify(value)
}

// Fails on bytes that are not UTF-8, and keeps a byte order mark, so that both are noticed.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The object on a line. @throws Error unless the line is the canonical form of an object */
function parseLine(line: Uint8Array): Fields {
  const text = utf8.decode(line)
  const value = JSON.parse(text) as Value
  if (!isObject(value) || Array.isArray(value)) throw new Error('not an object')
  if (canonical(value) !== text) throw new Error('not canonical')
  return value
}

/** True for arrays too: their members are named by index. */
function isObject(value: Value | undefined): value is Fields {
  return typeof value === 'object' && value !== null
}

function textIn(fields: Fields, name: string): string {
  const value = fields[name]
  if (typeof value !== 'string') throw new Error(`"${name}" is not text`)
  return value
}

function fieldsIn(fields: Fields, name: string): Fields {
  const value = fields[name]
  if (!isObject(value) || Array.isArray(value)) throw new Error(`"${name}" is not an object`)
  return value
}

function listIn(fields: Fields, name: string): Fields[] {
  const value = fields[name]
  if (!Array.isArray(value)) throw new Error(`"${name}" is not a list`)
  return value as Fields[]
}

function isNatural(value: Value | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

// ------------------------------------------------------------------------------------------------- Merkle tree (RFC 6962)

const sha256 = (bytes: Uint8Array): Buffer => hash('sha256', bytes, 'buffer')
const LEAF = Buffer.of(0)
const NODE = Buffer.of(1)

export const leafHash = (entry: Uint8Array): Buffer => sha256(Buffer.concat([LEAF, entry]))
const nodeHash = (left: Uint8Array, right: Uint8Array): Buffer => sha256(Buffer.concat([NODE, left, right]))

/** Grows leaf by leaf. Keeps the roots of its full subtrees, the largest first: one for each bit that is set in its size. */
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
    const [last, ...larger] = this.#subtrees.toReversed()
    return last ? larger.reduce((right, left) => nodeHash(left, right), last) : sha256(Buffer.alloc(0))
  }
}

// -------------------------------------------------------------------- signed notes and checkpoints (C2SP: signed-note.md,
// --------------------------------------------------------------------------------- tlog-checkpoint.md, tlog-cosignature.md)

interface Key {
  /** Also the name of the log: `gatehouse/<event>/<box>`. */
  name: string
  /** Four bytes. */
  id: Buffer
  /** The 32 bytes of the Ed25519 key. */
  raw: Buffer
  publicKey: KeyObject
}

export interface Checkpoint {
  size: number
  /** Base64. */
  root: string
}

/** The file cannot be checked, so there is no verdict on it. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

const HOW_TO_GET_THE_KEY = `The key is not in the file: a file with its own key would prove nothing. Ask somebody whom you trust for it:
  it is "verifier_key" in the box's answer at /v1/meta, it is printed on the report, and it looks like
  gatehouse/<event>/<box>+<8 digits>+<44 characters>`

/** @throws Unreadable for another form or algorithm, and for a key that was mistyped */
function parseKey(text: string): Key {
  const [, name, id, encoded] = /^([^+\s]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]{44})$/.exec(text.trim()) ?? []
  const bytes = encoded === undefined ? undefined : base64(encoded)
  if (!name || !id || bytes?.length !== 33 || bytes[0] !== 1) {
    throw new Unreadable(`This is not the key of a box: ${text}\n${HOW_TO_GET_THE_KEY}`)
  }
  const expected = keyId(name, bytes)
  if (expected.toString('hex') !== id) throw new Unreadable(`A part of this key is mistyped: ${text}`)
  const raw = bytes.subarray(1)
  if (!isStrictPoint(raw)) throw new Unreadable(`No box has a key like this, with which anybody can sign: ${text}`)
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') }
  return { name, id: expected, raw, publicKey: createPublicKey({ key: jwk, format: 'jwk' }) }
}

/**
 * Ed25519 as RFC 8032 has it, strictly: some verifiers also accept S + L in the place of S, encodings of numbers above the field's
 * prime, and points of small order, with which one signature is good for many texts. Then two people would judge one file
 * differently. The box has the same rule, in proto/ed25519-rule.ts; this copy shares no code with it.
 */
function hasSigned({ raw, publicKey }: Key, message: Uint8Array, signature: Buffer): boolean {
  if (signature.length !== 64 || !isStrictPoint(raw) || !isStrictPoint(signature.subarray(0, 32))) return false
  return littleEndian(signature.subarray(32)) < ORDER && verify(null, message, publicKey, signature)
}

/** 2^255 - 19. */
const PRIME = 2n ** 255n - 19n
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n
const ORDER_8_Y = 2707385501144840649318225287225658788936804267575313519463743609750303402022n
/** Of the eight points whose order divides 8. */
const SMALL_ORDER_Y = [0n, 1n, PRIME - 1n, ORDER_8_Y, PRIME - ORDER_8_Y]

function isStrictPoint(bytes: Buffer): boolean {
  const y = littleEndian(bytes) & (2n ** 255n - 1n)
  return y < PRIME && !SMALL_ORDER_Y.includes(y)
}

function littleEndian(bytes: Buffer): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`)
}

/** @param typed the key after the byte that says what it signs: 1 for notes, 4 for cosignatures */
function keyId(name: string, typed: Uint8Array): Buffer {
  return sha256(Buffer.concat([Buffer.from(`${name}\n`), typed])).subarray(0, 4)
}

function verifierKeyOf({ name, id, raw }: Key): string {
  return `${name}+${id.toString('hex')}+${Buffer.concat([Buffer.of(1), raw]).toString('base64')}`
}

/** The bytes, if this is their one canonical base64: padded, with the unused bits zero. */
function base64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : undefined
}

/** @throws Error unless it is `— <name> <base64>` */
function signatureLine(line: string): { name: string; bytes: Buffer } {
  const [, name, encoded = ''] = /^— (\S+) (\S+)$/.exec(line) ?? []
  const bytes = base64(encoded)
  if (!name || !bytes) throw new Error('not a signature line')
  return { name, bytes }
}

/**
 * The text that this key has signed. @throws Error for anything else
 * @param alone refuse any other signature: in an export nothing vouches for it. Witnesses may have signed a
 *   checkpoint that was kept elsewhere
 */
function openNote(note: string, key: Key, alone: boolean): string {
  const [, text, tail] = /^(.*?\n)\n((?:— [^\n]+\n)+)$/s.exec(note) ?? []
  if (text === undefined || tail === undefined || text.includes('\n\n')) throw new Error('not a signed note')
  const lines = tail.slice(0, -1).split('\n').map(signatureLine)
  if (alone && lines.length > 1) throw new Error('more than one signature')
  const own = lines.find(({ name, bytes }) => name === key.name && bytes.subarray(0, 4).equals(key.id))
  if (!own) throw new Error('signed by another key than the one given: is it the key of this box?')
  if (hasSigned(key, Buffer.from(text), own.bytes.subarray(4))) return text
  throw new Error('the signature is wrong')
}

function openCheckpoint(note: string, key: Key, alone: boolean): Checkpoint {
  const text = openNote(note, key, alone)
  const [, origin, size = '', root = '', more = ''] = /^([^\n]+)\n([1-9]\d{0,14})\n([^\n]+)\n(.*)$/s.exec(text) ?? []
  if (origin !== key.name) throw new Error('the checkpoint of another log')
  if (base64(root)?.length !== 32 || more !== '') throw new Error('not a checkpoint')
  return { size: Number(size), root }
}

/** @throws Error for a line by which this key has not signed this note's text */
function requireCosigned(line: string, note: string, key: Key): void {
  const { name, bytes } = signatureLine(line)
  const id = keyId(key.name, Buffer.concat([Buffer.of(4), key.raw]))
  if (name !== key.name || bytes.length !== 76 || !bytes.subarray(0, 4).equals(id)) throw new Error('not a cosignature')
  const text = note.slice(0, note.lastIndexOf('\n\n') + 1)
  const message = Buffer.from(`cosignature/v1\ntime ${bytes.readBigUInt64BE(4)}\n${text}`)
  if (!hasSigned(key, message, bytes.subarray(12))) throw new Error(`${key.name} has not signed it`)
}

// ------------------------------------------------------------------------------------------------------ the second count

interface HourTotals {
  in: number
  out: number
  tickets: number
}

/** Origin of another box's entry, and this box's statements about its passage. */
export interface Replicated {
  box: string
  /** The ticket has another admission here, so the turnout does not change. */
  again: boolean
  /** This box knew the passage already, so it is not counted again. */
  known: boolean
}

/** Of one box's log. */
interface LogTotals {
  entries: number
  kinds: Map<string, number>
  /** Clock of the first entry and of the last, ISO 8601. */
  from: string
  until: string
  modes: Fields[]
}

const QUARTER_MS = 900_000
const HOUR_MS = 3_600_000
/** Later instants count as this one: an offline scanner may have any clock. */
const LAST_HOUR = Date.UTC(9998, 11, 31, 23)

/**
 * Counts the entries independently of the box's code: every total of the report, and every case that an entry
 * opens. It does not follow a case any further.
 */
class Recount {
  /** People by a phrase: `into zone arena`, `through gate north in`. */
  readonly #people = new Map<string, number>()
  /** Answers by `all`, `gate <id>` and `checkpoint <id>`. */
  readonly #verdicts = new Map<string, Map<string, number>>()
  readonly #quarters = new Map<number, HourTotals>()
  /** By id, from the last `event` entry, in the order of their first appearance. */
  readonly #places = {
    zones: new Map<string, Fields>(),
    tiers: new Map<string, Fields>(),
    gates: new Map<string, Fields>(),
    checkpoints: new Map<string, Fields>(),
  }
  readonly #cases = {
    flags: new Map<string, Fields>(),
    incidents: new Map<string, Fields>(),
    holds: new Map<string, Fields>(),
    overrides: new Map<string, Fields>(),
  }
  /** By box; this box's is undefined. */
  readonly #logs = new Map<string | undefined, LogTotals>()
  readonly #devices = { enrolled: 0, revoked: 0 }
  #event: Fields | undefined
  #box = ''
  #provisional = 0

  /** @param from undefined for this box's own entry. @throws Error for an entry that lacks a field of its kind */
  add(entry: Fields, from?: Replicated): void {
    const kind = textIn(entry, 'kind')
    const at = new Date(Number(textIn(entry, 'hlc').slice(0, 13))).toISOString()
    this.#log(kind, at, entry, from?.box)
    this.#case(kind, at, entry)
    if (kind === 'enrolment') this.#devices.enrolled++
    else if (kind === 'device_revoked') this.#devices.revoked++
    else if (kind === 'event') this.#define(entry, from === undefined)
    else if (kind === 'scan') this.#scan(entry, from)
    else if (kind === 'supervisor_admit') this.#pass(entry, { people: 1, first: entry.occurrence === 1, from })
    else if (kind === 'undo') this.#pass(entry, { people: -1, first: entry.occurrence === 0, from })
  }

  #log(kind: string, at: string, entry: Fields, box: string | undefined): void {
    const log = this.#logs.get(box) ?? {
      entries: 0,
      kinds: new Map<string, number>(),
      from: at,
      until: at,
      modes: [{ mode: 'STRICT', from: at }],
    }
    this.#logs.set(box, log)
    log.entries++
    log.until = at
    add(log.kinds, kind, 1)
    if (kind !== 'mode') return
    Object.assign(log.modes.at(-1) ?? {}, { until: at })
    log.modes.push(pruned({ ...pick(entry, 'mode', 'actor', 'reason'), from: at }))
  }

  /** The report's row of a case, as far as it follows from the entry that opens the case. */
  #case(kind: string, at: string, entry: Fields): void {
    const { flags, incidents, holds, overrides } = this.#cases
    if (kind === 'supervisor_admit' || kind === 'undo') {
      const row = pick(entry, 'kind', 'actor', 'reason', 'device', 'checkpoint', 'ticket', 'scan_id')
      overrides.set(`${overrides.size}`, { ...row, at })
    } else if (kind === 'hold') {
      const row = pick(entry, 'hold', 'gate', 'actor', 'reason', 'expires_at')
      holds.set(textIn(entry, 'hold'), { ...row, placed_at: textIn(entry, 'at') })
    } else if (kind === 'flag' && !flags.has(textIn(entry, 'flag'))) {
      const row = pick(entry, 'flag', 'ticket', 'device')
      flags.set(textIn(entry, 'flag'), { ...row, kind: entry.flag_kind ?? null, opened_at: at })
    } else if (kind === 'incident') {
      // A report that a scanner sent to two boxes is one incident, and the earlier of the two entries counts.
      const { hlc = null } = incidents.get(textIn(entry, 'incident')) ?? {}
      if (hlc !== null && hlc <= textIn(entry, 'hlc')) return
      const row = pick(entry, 'incident', 'checkpoint', 'gate', 'zone', 'device', 'hlc')
      const more = { kind: entry.incident_kind ?? null, reported_at: textIn(entry, 'at') }
      incidents.set(textIn(entry, 'incident'), { ...row, ...more })
    }
  }

  /** @param own false for another box's entry: it adds what this box does not know, and changes nothing */
  #define(entry: Fields, own: boolean): void {
    const event = fieldsIn(entry, 'event')
    if (own) {
      this.#box = textIn(entry, 'box')
      this.#event = event
    }
    for (const [list, known] of Object.entries(this.#places)) {
      for (const item of listIn(event, list)) {
        const id = textIn(item, 'id')
        if (own || !known.has(id)) known.set(id, item)
      }
    }
  }

  #scan(scan: Fields, from: Replicated | undefined): void {
    const checkpoint = textIn(scan, 'checkpoint')
    const verdict = textIn(scan, 'verdict')
    for (const where of ['all', `gate ${textIn(this.#way(checkpoint), 'gate')}`, `checkpoint ${checkpoint}`]) {
      const answers = this.#verdicts.get(where) ?? new Map<string, number>()
      this.#verdicts.set(where, answers)
      add(answers, verdict, 1)
    }
    const alone = scan.offline_admitted === true
    // Nobody moved unless a right was used or an offline scanner had let somebody in.
    if (scan.slot === null && !alone) return
    const first = scan.direction === 'in' && scan.ticket !== null && scan.occurrence === 1
    const moved = this.#pass(scan, { people: 1, first, from, at: textIn(scan, alone ? 'observed_at' : 'at') })
    if (alone && moved) add(this.#people, `alone ${textIn(scan, 'direction')}`, 1)
  }

  /** @returns true if somebody moved */
  #pass(
    entry: Fields,
    passage: { people: 1 | -1; first: boolean; from: Replicated | undefined; at?: string },
  ): boolean {
    const { people, from } = passage
    if (from?.known) return false
    const first = from ? entry.direction === 'in' && entry.ticket !== null && !from.again : passage.first
    if (people === 1 && entry.confidence === 'provisional') this.#provisional++
    const checkpoint = textIn(entry, 'checkpoint')
    const direction = textIn(entry, 'direction')
    if (direction !== 'in' && direction !== 'out') throw new Error(`a passage ${direction}`)
    const way = this.#way(checkpoint)
    const counts = [
      way.from === null ? 'arrived' : `from zone ${way.from}`,
      way.to === null ? 'left' : `into zone ${way.to}`,
      `through checkpoint ${checkpoint}`,
      `through gate ${way.gate} ${direction}`,
    ]
    if (entry.ticket === null) counts.push('without ticket')
    if (direction === 'in') counts.push(`admissions of tier ${entry.tier}`)
    if (first) counts.push('tickets', `tickets of tier ${entry.tier}`)
    for (const count of counts) add(this.#people, count, people)
    this.#countHour(passage.at ?? textIn(entry, 'at'), { direction, people, tickets: first ? people : 0 })
    return true
  }

  #countHour(at: string, { direction, people, tickets }: { direction: 'in' | 'out'; people: number; tickets: number }) {
    const instant = Date.parse(at)
    if (Number.isNaN(instant)) throw new Error(`no instant: ${at}`)
    const quarter = Math.floor(Math.min(Math.max(instant, 0), LAST_HOUR) / QUARTER_MS)
    const totals = this.#quarters.get(quarter) ?? { in: 0, out: 0, tickets: 0 }
    this.#quarters.set(quarter, totals)
    totals[direction] += people
    totals.tickets += tickets
  }

  #way(checkpoint: string): Fields {
    const way = this.#places.checkpoints.get(checkpoint)
    if (!way) throw new Error(`no event before it has the checkpoint ${checkpoint}`)
    return way
  }

  /**
   * The report that follows from the entries.
   * @param told the report to check, for values that are in no entry (origin, software, made_at), values that `checkHours` compares, and
   *   what became of each case
   * @param seals of this box; `others` and `cosigned` if there are other boxes
   */
  report(told: Fields, { seals, others, cosigned }: { seals: Value[]; others?: OtherRows; cosigned: Value[] }): Fields {
    const own = this.#logs.get(undefined)
    if (!this.#event || !own) throw new Error('no entry tells the event')
    const { flags, incidents, holds, overrides } = this.#cases
    return pruned({
      ...pick(told, 'origin', 'software', 'made_at', 'hours'),
      ...this.#totals(),
      format: 'gatehouse/attendance-report/v1',
      box: this.#box,
      event: pick(this.#event, 'id', 'name', 'timezone', 'starts_at', 'ends_at'),
      entries: own.entries,
      from: own.from,
      until: own.until,
      kinds: Object.fromEntries(own.kinds),
      modes: own.modes,
      flags: caseRows(flags.values(), told.flags, 'scans', 'resolutions', 'state'),
      incidents: caseRows(
        incidents.values(),
        told.incidents,
        'state',
        'acknowledged_after',
        'resolved_after',
        'actions',
      ),
      holds: caseRows(holds.values(), told.holds, 'released_at', 'released_by', 'replaced_by'),
      overrides: caseRows(overrides.values(), told.overrides),
      seals,
      mesh: others && this.#mesh(told, others, cosigned),
    })
  }

  #totals(): Fields {
    const n = (what: string) => this.#people.get(what) ?? 0
    const verdicts = (where: string) => Object.fromEntries(this.#verdicts.get(where) ?? [])
    const { zones, tiers, gates, checkpoints } = this.#places
    return {
      people: {
        arrived: n('arrived'),
        left: n('left'),
        inside: n('arrived') - n('left'),
        tickets: n('tickets'),
        without_ticket: n('without ticket'),
      },
      offline: { in: n('alone in'), out: n('alone out') },
      devices: { ...this.#devices },
      verdicts: verdicts('all'),
      zones: [...zones].map(([id, zone]) => {
        const [entered, left] = [n(`into zone ${id}`), n(`from zone ${id}`)]
        return { ...pick(zone, 'id', 'name', 'capacity'), in: entered, out: left, inside: entered - left }
      }),
      tiers: [...tiers].map(([id, tier]) => {
        const [tickets, admissions] = [n(`tickets of tier ${id}`), n(`admissions of tier ${id}`)]
        return { ...pick(tier, 'id', 'name'), tickets, admissions }
      }),
      gates: [...gates].map(([id, gate]) => {
        const [entered, left] = [n(`through gate ${id} in`), n(`through gate ${id} out`)]
        return { ...pick(gate, 'id', 'name'), in: entered, out: left, verdicts: verdicts(`gate ${id}`) }
      }),
      checkpoints: [...checkpoints].map(([id, checkpoint]) => {
        const more = { people: n(`through checkpoint ${id}`), verdicts: verdicts(`checkpoint ${id}`) }
        return { ...pick(checkpoint, 'id', 'name', 'gate', 'direction'), ...more }
      }),
    }
  }

  #mesh(told: Fields, others: OtherRows, cosigned: Value[]): Fields {
    const uses = [...this.#cases.flags.values()].filter(({ kind }) => kind === 'double_use')
    const { double_uses } = isObject(told.mesh) ? told.mesh : {}
    return {
      provisional: this.#provisional,
      double_uses: caseRows(
        uses.map(({ flag = null }) => ({ flag })),
        double_uses,
        'order',
        'records',
      ),
      cosigned,
      boxes: others.map(({ box, key, seals }) => {
        const { entries = 0, modes = [] } = this.#logs.get(box) ?? {}
        return { box, key, entries, modes, seals }
      }),
    }
  }

  /**
   * The mistakes in the report's hours. Only quarters of an hour are compared, and the report decides in which hour a quarter may
   * be in: a table of time zones that is older than the box's must not make a genuine report look forged.
   */
  checkHours(told: Value | undefined): string | undefined {
    if (!Array.isArray(told)) return 'the report has no hours'
    const rows: { start: number; totals: Fields; counted: HourTotals }[] = []
    for (const row of told) {
      const start = isObject(row) ? hourStart(row.from) : undefined
      if (start === undefined) return 'an hour that is none'
      if (start < (rows.at(-1)?.start ?? Number.NEGATIVE_INFINITY)) return 'its hours are out of order'
      rows.push({ start, totals: row as Fields, counted: { in: 0, out: 0, tickets: 0 } })
    }
    for (const [quarter, { in: entered, out, tickets }] of this.#quarters) {
      const at = quarter * QUARTER_MS
      // If clocks are put back by half an hour, two hours cover the same quarter: it belongs to the earlier one.
      const row = rows.find(({ start }) => at < start + HOUR_MS)
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

type OtherRows = readonly { box: string; key: string; seals: Value[] }[]

/** The instant of `2026-07-17T16:00+01:00`; undefined for any other text. */
function hourStart(from: Value | undefined): number | undefined {
  if (typeof from !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:00[+-]\d\d:(00|15|30|45)$/.test(from)) return undefined
  const start = Date.parse(from)
  return Number.isNaN(start) ? undefined : start
}

/**
 * The cases that entries have opened, one row each and in their order.
 * @param later members that follow from later entries: they are taken from the report
 */
function caseRows(opened: Iterable<Fields>, told: Value | undefined, ...later: string[]): Fields[] {
  const rows = Array.isArray(told) ? told : []
  return [...opened].map(({ hlc: _, ...row }, i) => {
    const said = rows[i]
    return pruned({ ...(isObject(said) && pick(said, ...later)), ...row })
  })
}

/** Leaves out members that are null, as the report does. */
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

/** Describes the first difference of two values. */
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

// --------------------------------------------------------------------------------------------------------------- the file

export interface Problem {
  /** Counted from 1; 0 for the file as a whole. */
  line: number
  kind: ProblemKind
  detail: string
}

export type ProblemKind =
  /** The file ends before it should, or goes on after. */
  | 'cut_short'
  | 'trailing'
  /** Not the canonical form of a JSON object. */
  | 'line'
  /** A seal that the key has not signed, or out of order; or one whose root is not that of the entries. */
  | 'seal'
  | 'root'
  /** Entries of another box that are not those that this box says it has, or not those that the other has sealed. */
  | 'heard'
  /** A box has not signed the seal of another that it is said to have signed. */
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
  /** Summary of what was read and checked: number of entries and seals, and the newest seal. */
  entries: number
  seals: number
  checkpoint: Checkpoint
  /** The newest seal as the box signed it. */
  note: string
  /** Sizes of the checkpoints, kept elsewhere, that the entries still lead to. */
  kept: number[]
  /** The other boxes of the event, as far as this one has their entries. Empty for a box alone. */
  others: OtherFindings[]
  /** Not to be trusted unless `genuine`. */
  report: Fields
  /** Parts that were not checked. */
  unchecked: string[]
}

export interface OtherFindings {
  box: string
  /** Its entries in the file, and how many of them its newest seal covers; the others only this box's seals vouch for. */
  entries: number
  sealed: number
  /** True if its key was given as well; otherwise the key is from the file. */
  known: boolean
  /** Boxes that have signed its newest seal. */
  witnesses: string[]
}

/** Takes every entry that was counted, in order. @throws Error for one that it cannot read */
export type Follower = (entry: Fields, from?: Replicated) => void

export interface VerifyOptions {
  /** In the form of C2SP signed-note, from outside the file. */
  key: string
  /** Further known keys, of other boxes. */
  otherKeys?: readonly string[]
  /** Signed notes that were kept elsewhere. */
  checkpoints?: readonly string[]
  /** Called once, to check more than this file does; its argument says whether the event has several boxes. */
  follow?: (several: boolean) => Follower
}

/** Longer than any entry of a box, and short enough for the memory of any machine. */
const LONGEST_LINE = 32 * 1024 * 1024
const HLC = /^\d{13}\.\d{6}$/
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** The file breaks off or continues wrongly, and the lines that follow cannot be interpreted. */
class Lost extends Error {}

/**
 * @param chunks the file
 * @throws Unreadable if it is not an export, or a key or checkpoint is invalid
 */
export function verifyExport(chunks: Iterable<Uint8Array>, options: VerifyOptions): Findings {
  const key = parseKey(options.key)
  const lines = linesOf(chunks)
  const header = readHeader(lines)
  const check = new Check(key, header, options)
  try {
    for (let i = 0; i < header.seals; i++) check.seal(take(lines))
    check.sealsEnd(header.entries)
    for (const { box, seals } of header.boxes ?? []) {
      for (let i = 0; i < seals; i++) check.otherSeal(box, take(lines))
    }
    for (let i = 0; i < header.cosignatures; i++) check.cosignature(take(lines))
    for (let i = 0; i < header.entries; i++) {
      const replicated = check.entry(take(lines))
      if (replicated) check.replicated(replicated, () => take(lines))
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

/** @throws Lost for a line without end */
function* linesOf(chunks: Iterable<Uint8Array>): Generator<Line, undefined> {
  let number = 0
  let rest: Buffer = Buffer.alloc(0)
  for (const chunk of chunks) {
    // A copy, because the reader of the file may reuse its buffer.
    const bytes = Buffer.concat([rest, chunk])
    let from = 0
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
      number++
      yield { number, bytes: bytes.subarray(from, end) }
      from = end + 1
    }
    rest = bytes.subarray(from)
    if (rest.length > LONGEST_LINE) break
  }
  if (rest.length > 0) throw new Lost(`line ${number + 1} has no end`)
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
  /** The other boxes; absent for a single box. `key` is from the file, and empty if this box did not know it. */
  boxes?: { box: string; key: string; seals: number }[]
  cosignatures: number
}

function readHeader(lines: Generator<Line, undefined>): Header {
  try {
    const header = parseLine(take(lines).bytes)
    const { entries = null, seals = null, cosignatures = null } = header
    if (!isNatural(entries) || !isNatural(seals) || entries === 0 || seals === 0) throw new Error('no counts')
    if (canonical(header) === canonical({ entries, format: 'gatehouse/export/v1', seals })) {
      return { entries, seals, cosignatures: 0 }
    }
    const boxes = listIn(header, 'boxes').map(({ box = null, key = null, seals = null }) => {
      if (typeof box !== 'string' || typeof key !== 'string' || !isNatural(seals)) throw new Error('no other box')
      return { box, key, seals }
    })
    const whole = { boxes, cosignatures, entries, seals, format: 'gatehouse/export/v2' }
    if (canonical(header) !== canonical(whole)) throw new Error('another header')
    if (!isNatural(cosignatures)) throw new Error('no counts')
    if (new Set(boxes.map(({ box }) => box)).size !== boxes.length) throw new Error('a box twice')
    return { entries, seals, boxes, cosignatures }
  } catch (cause) {
    if (isSystemError(cause)) throw cause
    throw new Unreadable('This is not an export of a Gatehouse box, or its first line is damaged.', { cause })
  }
}

interface Seal extends Checkpoint {
  at: string
  note: string
}

/** A box's log as the file has it: its seals, and the tree over its entries. */
class Log {
  readonly box: string
  /** Undefined if the file has no key that a box of this event can have. */
  readonly key: Key | undefined
  /** True if the key was given from outside the file. */
  readonly known: boolean
  readonly seals: Seal[] = []
  /** By size of the seal. */
  readonly witnesses = new Map<number, string[]>()
  readonly tree = new Tree()
  /** Entries read, including those that wait. */
  read = 0
  /** Entries that came ahead of others, by index: another box's, in an emergency. */
  readonly #waiting = new Map<number, { leaf: Buffer; hlc: Value | undefined }>()
  #clock = ''
  #sealsPassed = 0

  constructor(box: string, key: Key | undefined, known: boolean) {
    this.box = box
    this.key = key
    this.known = known
  }

  has(index: number): boolean {
    return index < this.tree.size || this.#waiting.has(index)
  }

  /**
   * Yields problems: a clock that does not advance, a seal of other entries.
   * @param hlc undefined for an entry that cannot be read
   */
  *add(index: number, leaf: Buffer, hlc: Value | undefined): Generator<{ kind: 'clock' | 'root'; detail: string }> {
    this.read++
    this.#waiting.set(index, { leaf, hlc })
    for (let next = this.#waiting.get(this.tree.size); next; next = this.#waiting.get(this.tree.size)) {
      const at = this.tree.size
      this.#waiting.delete(at)
      this.tree.add(next.leaf)
      if (typeof next.hlc === 'string' && HLC.test(next.hlc) && next.hlc > this.#clock) this.#clock = next.hlc
      else if (next.hlc !== undefined) {
        yield { kind: 'clock', detail: `the clock of entry ${at} of ${this.box} is not after the one before` }
      }
      const seal = this.seals[this.#sealsPassed]
      if (seal?.size !== this.tree.size) continue
      if (this.tree.root().toString('base64') !== seal.root) {
        const from = this.seals[this.#sealsPassed - 1]?.size ?? 0
        yield { kind: 'root', detail: `entries ${from} to ${at} of ${this.box} are not all as they were sealed` }
      }
      this.#sealsPassed++
    }
  }

  /** True if every seal was reached. */
  isWhole(): boolean {
    return this.#sealsPassed === this.seals.length
  }
}

/** State of reading the file so far. */
class Check {
  readonly #event: string
  readonly #key: Key
  readonly #own: Log
  /** By box; undefined for a box alone. */
  readonly #others: Map<string, Log> | undefined
  readonly #kept: readonly Checkpoint[]
  readonly #keptHeld: number[] = []
  readonly #recount = new Recount()
  readonly #follow: Follower | undefined
  readonly #problems = new Map<ProblemKind, Problem>()
  /** The newest of each log and witness: seals are in order. */
  readonly #cosignatures = new Map<string, { box: string; witness: string; size: number }>()
  #cosigned = ''
  #report: { fields: Fields; digest: string } | undefined
  /** The last line was read, and its signature is good. */
  #complete = false

  constructor(key: Key, { boxes }: Header, { otherKeys = [], checkpoints = [], follow }: VerifyOptions) {
    const [, event = '', box = ''] = key.name.split('/')
    this.#event = event
    this.#key = key
    this.#own = new Log(box, key, true)
    this.#kept = checkpoints.map((note) => keptCheckpoint(note, key)).toSorted((a, b) => a.size - b.size)
    const known = otherKeys.map(parseKey)
    this.#others = boxes && new Map(boxes.map((other) => [other.box, this.#otherLog(other, known)]))
    this.#follow = follow?.(boxes !== undefined)
  }

  #otherLog({ box, key: text }: { box: string; key: string }, known: readonly Key[]): Log {
    const name = `gatehouse/${this.#event}/${box}`
    const given = known.find((key) => key.name === name)
    const named = text === '' ? undefined : keyNamed(name, text)
    if (text !== '' && (!named || name === this.#key.name)) {
      this.problem('seal', undefined, `the key of ${box} is not the key of a box of this event`)
    } else if (given && named && !given.id.equals(named.id)) {
      this.problem('seal', undefined, `the key of ${box} is another than the one given`)
    }
    return new Log(box, given ?? named, given !== undefined)
  }

  problem(kind: ProblemKind, line: Line | undefined, detail: string): void {
    if (this.#problems.has(kind)) return
    // Without control characters: it quotes the file, and a terminal would obey escape sequences.
    this.#problems.set(kind, { line: line?.number ?? 0, kind, detail: detail.replaceAll(/\p{C}/gu, '?') })
  }

  seal(line: Line): void {
    this.#readSeal(line, this.#key, this.#own)
  }

  /** Each box has signed its own. */
  otherSeal(box: string, line: Line): void {
    const log = this.#others?.get(box)
    if (log?.key) this.#readSeal(line, log.key, log)
    else this.problem('seal', line, `nobody knows by which key ${box} has signed it`)
  }

  #readSeal(line: Line, key: Key, { seals }: Log): void {
    this.#parsed(line, 'seal', (fields) => {
      const at = textIn(fields, 'at')
      if (Object.keys(fields).join() !== 'at,note' || !ISO.test(at)) throw new Error('not a seal')
      const note = textIn(fields, 'note')
      const { size, root } = openCheckpoint(note, key, true)
      if (size <= (seals.at(-1)?.size ?? 0)) throw new Error('it covers no more than the one before')
      seals.push({ size, root, at, note })
    })
  }

  sealsEnd(entries: number): void {
    const { size = 0 } = this.#own.seals.at(-1) ?? {}
    if (size === entries) return
    this.problem('seal', undefined, `the newest seal covers ${size} entries, and the file says it has ${entries}`)
  }

  /** A box has compared another's seal with its own copy of that log, and signed it (C2SP: tlog-cosignature.md). */
  cosignature(line: Line): void {
    this.#parsed(line, 'cosignature', (fields) => {
      if (Object.keys(fields).join() !== 'box,line,size,witness') throw new Error('not a cosignature')
      const [box, witness, size] = [textIn(fields, 'box'), textIn(fields, 'witness'), fields.size]
      if (!isNatural(size)) throw new Error('"size" is not a number')
      const place = `${box} ${String(size).padStart(16, '0')} ${witness}`
      if (place <= this.#cosigned) throw new Error('out of order')
      this.#cosigned = place
      const log = this.#logOf(box)
      const seal = log?.seals.find((one) => one.size === size)
      const key = this.#logOf(witness)?.key
      if (!log || !seal || !key || witness === box) {
        throw new Error(`of no seal or no box that is here: ${box} ${size} by ${witness}`)
      }
      requireCosigned(textIn(fields, 'line'), seal.note, key)
      this.#cosignatures.set(`${box} ${witness}`, { box, witness, size })
      log.witnesses.set(size, [...(log.witnesses.get(size) ?? []), witness])
    })
  }

  #logOf(box: string): Log | undefined {
    return box === this.#own.box ? this.#own : this.#others?.get(box)
  }

  /** @returns the entry, if it says which entries of another box come next */
  entry(line: Line): Fields | undefined {
    const { tree } = this.#own
    const index = tree.size
    const fields = this.#parsed(line, 'entry', (fields) => fields)
    for (const { kind, detail } of this.#own.add(index, leafHash(line.bytes), fields && (fields.hlc ?? null))) {
      this.problem(kind, line, detail)
    }
    if (fields && fields.index !== index) {
      this.problem('index', line, `entry ${index} calls itself ${canonical(fields.index ?? null)}`)
    }
    if (fields) this.#count(line, `entry ${index}`, fields)
    for (const { size, root } of this.#kept.filter((checkpoint) => checkpoint.size === tree.size)) {
      if (tree.root().toString('base64') === root) this.#keptHeld.push(size)
      else {
        const detail = `the checkpoint that was kept elsewhere is of another history up to entry ${index}`
        this.problem('checkpoint', line, detail)
      }
    }
    return this.#others && fields?.kind === 'heard' ? fields : undefined
  }

  /** The entries of another box that this box's entry has the digest of, and that come next. @throws Lost at the file's end */
  replicated(entry: Fields, next: () => Line): void {
    const log = this.#others?.get(String(entry.box))
    const { from = null, to = null, digest = null } = entry
    if (!log || !isNatural(from) || !isNatural(to)) throw new Lost(`an entry says that it heard nobody who is here`)
    const [again, known] = [indicesIn(entry, 'again'), indicesIn(entry, 'known')]
    const hash = createHash('sha256')
    for (let index = from; index < to; index++) {
      // An entry that came ahead, in an emergency, does not come a second time.
      if (log.has(index)) continue
      const line = next()
      const leaf = leafHash(line.bytes)
      hash.update(leaf)
      const fields = this.#parsed(line, 'heard', (fields) => fields)
      if (!fields) continue
      if (fields.index !== index) this.problem('heard', line, `entry ${index} of ${log.box} calls itself another`)
      for (const { detail } of log.add(index, leaf, fields.hlc ?? null)) this.problem('heard', line, detail)
      const about = { box: log.box, again: again.has(index), known: known.has(index) }
      this.#count(line, `entry ${index} of ${log.box}`, fields, about)
    }
    if (hash.digest('hex') !== digest) {
      this.problem('heard', undefined, `entries ${from} to ${to - 1} of ${log.box} are not those that were heard`)
    }
  }

  #count(line: Line, what: string, fields: Fields, from?: Replicated): void {
    try {
      this.#recount.add(fields, from)
      this.#follow?.(fields, from)
    } catch (error) {
      this.problem('entry', line, `${what} cannot be counted: ${(error as Error).message}`)
    }
  }

  report(line: Line): void {
    this.#parsed(line, 'report', (fields) => {
      this.#report = { fields, digest: sha256(line.bytes).toString('hex') }
      const shown = (seals: readonly Seal[]) => seals.map(({ size, root, at }) => ({ size, root, at }))
      const others = [...(this.#others?.values() ?? [])].map(({ box, key, seals }) => {
        return { box, key: key ? verifierKeyOf(key) : '', seals: shown(seals) }
      })
      const counted = this.#recount.report(fields, {
        seals: shown(this.#own.seals),
        ...(this.#others && { others }),
        cosigned: [...this.#cosignatures.values()],
      })
      const difference = this.#recount.checkHours(fields.hours) ?? firstDifference(fields, counted, '')
      if (difference) this.problem('total', line, difference)
      for (const name of ['software', 'made_at']) textIn(fields, name)
      if (fields.origin !== this.#key.name) throw new Error('it is of another log')
      const { id } = fieldsIn(counted, 'event')
      if (this.#key.name !== `gatehouse/${id}/${counted.box}`) {
        throw new Error('the entries are of another event or box')
      }
    })
  }

  signature(line: Line): void {
    this.#parsed(line, 'report', (fields) => {
      if (!this.#report) return
      if (Object.keys(fields).join() !== 'note') throw new Error('not a signature')
      const logs = [this.#own, ...(this.#others?.values() ?? [])]
      const checkpoints = logs.flatMap(({ box, seals }) => {
        const newest = seals.at(-1)
        return newest ? [`checkpoint gatehouse/${this.#event}/${box} ${newest.size} ${newest.root}`] : []
      })
      const head = ['gatehouse/attendance-report/v1', this.#event, `sha256 ${this.#report.digest}`]
      if (openNote(textIn(fields, 'note'), this.#key, true) !== [...head, ...checkpoints, ''].join('\n')) {
        throw new Error('the signature is under another report, or under another seal')
      }
      this.#complete = true
    })
  }

  findings(): Findings {
    const { box, seals, tree } = this.#own
    const { size = 0, root = '', note = '' } = seals.at(-1) ?? {}
    for (const kept of this.#kept.filter((checkpoint) => checkpoint.size > tree.size)) {
      const detail = `the checkpoint that was kept elsewhere covers ${kept.size} entries, and this export ends before: ask for a newer one`
      this.problem('checkpoint', undefined, detail)
    }
    for (const log of this.#others?.values() ?? []) {
      if (!log.isWhole()) this.problem('heard', undefined, `${log.box} has sealed more than is told of it`)
    }
    const problems = [...this.#problems.values()].sort((a, b) => a.line - b.line)
    const genuine = this.#complete && problems.length === 0
    const findings = {
      genuine,
      problems,
      event: this.#event,
      box,
      entries: tree.size,
      seals: seals.length,
      checkpoint: { size, root },
      note,
      kept: this.#keptHeld,
      report: this.#report?.fields ?? {},
      others: this.#otherFindings(),
    }
    return { ...findings, unchecked: genuine ? unchecked(findings, this.#follow !== undefined) : [] }
  }

  #otherFindings(): OtherFindings[] {
    return [...(this.#others?.values() ?? [])].map(({ box, read, seals, known, witnesses }) => {
      const sealed = seals.at(-1)?.size ?? 0
      return { box, entries: read, sealed, known, witnesses: witnesses.get(sealed) ?? [] }
    })
  }

  /** The result of `read` for a line. A line that is not canonical, or that `read` refuses, is a problem. */
  #parsed<T>(line: Line, kind: ProblemKind, read: (fields: Fields) => T): T | undefined {
    let fields: Fields
    try {
      fields = parseLine(line.bytes)
    } catch {
      this.problem('line', line, 'it is not canonical JSON')
      return undefined
    }
    try {
      return read(fields)
    } catch (error) {
      this.problem(kind, line, (error as Error).message)
      return undefined
    }
  }
}

/** The key, if it is one and has this name. */
function keyNamed(name: string, text: string): Key | undefined {
  try {
    const key = parseKey(text)
    return key.name === name ? key : undefined
  } catch (error) {
    if (error instanceof Unreadable) return undefined
    throw error
  }
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

/** @throws Lost for anything but a list of indices */
function indicesIn(fields: Fields, name: string): Set<number> {
  const value = fields[name]
  if (!Array.isArray(value) || !value.every(isNatural)) throw new Lost(`"${name}" is not a list of entries`)
  return new Set(value)
}

/** @param followed true if the caller follows the entries, and checks what became of the cases */
function unchecked({ kept, report, others }: Omit<Findings, 'unchecked'>, followed: boolean): string[] {
  const list = [
    'who held the key: whoever had it, and every entry, could have written another history before it was sealed',
    'whether what was recorded is what happened: a person whom nobody scanned is in no entry',
    'software and time of the report, which are the box’s own word',
  ]
  if (!followed) {
    list.push(
      'what the report says became of each flag, incident and held gate, and who was first where one right was used twice',
    )
  }
  if (kept.length === 0) {
    list.push('whether a seal had left the building: give one that was kept elsewhere, with --checkpoint FILE')
  }
  for (const { box, known, entries, sealed } of others) {
    if (!known) {
      list.push(`that ${box} has the key that the file names: give it, from whoever knows it, with --other-key KEY`)
    }
    if (sealed < entries) {
      list.push(`entries ${sealed} to ${entries - 1} of ${box} by a seal of its own: this box’s say what it heard`)
    }
  }
  const { event, hours } = report
  if (isObject(event) && !sameZones(event.timezone, hours)) {
    list.push(
      `that the hours follow the clock of ${event.timezone}: this machine’s time zones say otherwise, or nothing`,
    )
  }
  return list
}

/** True if this machine's time zones give every hour its written offset. */
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

const USAGE = `verify-export.ts: verify an export of a Gatehouse box: every signature, entry and total. Needs no box and no network.

Usage: node verify-export.ts FILE --key KEY [--other-key KEY]... [--checkpoint FILE]... [--json]

Options:
  --key KEY          the box's verifier key, from somebody whom you trust (required)
  --other-key KEY    log key of another box of the event ("log_key" at its /v1/meta); repeat for each
  --checkpoint FILE  a seal that was kept elsewhere, such as the text of a photograph or an e-mail; repeat for each
  --json             print JSON, for a program

Example:
  node verify-export.ts festival.jsonl --key KEY

Exit status:
  0  genuine
  1  tampered with, or cut short
  2  it could not be checked; the message says why

${HOW_TO_GET_THE_KEY}`

export interface FileOptions extends Omit<VerifyOptions, 'key' | 'checkpoints'> {
  key: string | undefined
  /** Names of files with signed notes. */
  checkpoints: readonly string[]
  /** Called with a fraction from 0 to 1. */
  onProgress?: (fraction: number) => void
}

/**
 * Checks the file at `path`, in a few megabytes of memory whatever its size.
 * @throws Unreadable as `verifyExport` does, and for a file that cannot be read
 */
export function verifyFile(path: string, { onProgress, ...options }: FileOptions): Findings {
  const { key } = options
  if (key === undefined) throw new Unreadable(`Name the key to check with: --key KEY\n${HOW_TO_GET_THE_KEY}`)
  try {
    const checkpoints = options.checkpoints.map((name) => readFileSync(name, 'utf8'))
    return verifyExport(chunksOf(path, onProgress), { ...options, key, checkpoints })
  } catch (error) {
    if (isSystemError(error)) throw new Unreadable(error.message, { cause: error })
    throw error
  }
}

/** A file that cannot be read: Node's message names it and says why. */
function isSystemError(error: unknown): error is Error {
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

/** The findings for a person. */
export function describe(findings: Findings): string {
  const { genuine, problems, event, box, entries, seals, checkpoint, kept, others } = findings
  // Event and box are the key's: a file that is not genuine may be anybody's.
  const lines = [`${genuine ? 'Genuine:' : 'NOT GENUINE: by the key of'} event ${event}, ${box}`, '']
  if (!genuine) {
    const found = problems.map(({ line, kind, detail }) => `    ${line > 0 ? `line ${line}: ` : ''}${kind}: ${detail}`)
    return [...lines, '  found (the first of each kind)', ...found, ''].join('\n')
  }
  lines.push(
    '  checked',
    `    ${seals} seals: signed by this key, each the beginning of the next, the last with root ${checkpoint.root}`,
    `    ${entries} entries: in canonical form, in order of number and clock, and as they were sealed`,
    '    every total of the report, counted again from the entries, and the signature under it',
    ...others.map(({ box, entries, sealed, witnesses }) => {
      const signed = witnesses.length > 0 ? `, signed too by ${witnesses.join(', ')}` : ''
      return `    ${entries} entries of ${box}, as this box heard them; ${sealed} of them as ${box} has sealed them${signed}`
    }),
    ...kept.map((size) => `    the checkpoint that was kept elsewhere: its ${size} entries are the first of these`),
    '',
    '  not checked, because this file cannot show it',
    ...findings.unchecked.map((what) => `    ${what}`),
  )
  return lines.join('\n')
}

/** @returns the exit status */
function run(args: string[]): number {
  const text = { type: 'string' } as const
  const texts = { ...text, multiple: true } as const
  const flag = { type: 'boolean' } as const
  const options = {
    key: text,
    'other-key': texts,
    checkpoint: texts,
    json: flag,
    help: { ...flag, short: 'h' },
  } as const
  try {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
    const [file] = positionals
    if (values.help || file === undefined || positionals.length > 1) {
      const say = values.help ? console.log : console.error
      say(USAGE)
      return values.help ? 0 : 2
    }
    const { key, checkpoint: checkpoints = [], 'other-key': otherKeys = [], json } = values
    const progress = process.stderr.isTTY && !json
    const findings = verifyFile(file, { key, otherKeys, checkpoints, ...(progress && { onProgress: showProgress }) })
    console.log(json ? JSON.stringify(findings) : describe(findings))
    return findings.genuine ? 0 : 1
  } catch (error) {
    if (isUsageError(error)) console.error(`${error.message}\n\n${USAGE}`)
    else console.error(error instanceof Unreadable ? error.message : error)
    return 2
  }
}

function isUsageError(error: unknown): error is Error {
  return error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
}

/** On one line that is written over. */
export function showProgress(fraction: number): void {
  process.stderr.write(`\r${Math.floor(fraction * 100)} %${fraction === 1 ? '\r      \r' : ''}`)
}

// By path, because `import.meta.main` came with Node 24.
const started = process.argv[1]
if (started !== undefined && existsSync(started) && realpathSync(started) === import.meta.filename) {
  process.exitCode = run(process.argv.slice(2))
}
