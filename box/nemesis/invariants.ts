/**
 * The invariants that several boxes have to keep under every fault, C1 to C8, as box/docs/mesh.md lists them. Pure: takes a
 * history and returns its violations.
 */
import { compare, parse } from '@gatehouse/proto/hlc.ts'
import { MAX_OFFSET_MS } from '../src/mesh/replication/batch.ts'
import { EMPTY_ROOT, hashesOver, leafHash } from '../src/seal/merkle.ts'
import { type Account, type Admission, type Asked, admissionsIn, type History, type JournalRow } from './history.ts'

export interface Violation {
  invariant: 'C1' | 'C2' | 'C3' | 'C4' | 'C5' | 'C6' | 'C7' | 'C8' | 'T1' | 'T2' | 'T3'
  what: string
}

/** A gate has its verdict within this time, whatever is cut. */
const PATIENCE_MS = 1_000
/** With fewer requests than this, a single slow one would be more than a hundredth. */
const ENOUGH = 100
/** With fewer first scans than this, all may have come before the box had noticed that it is cut off. */
const ENOUGH_NEWCOMERS = 5

/** @returns every violation; empty when all eight invariants hold */
export function violationsOf(history: History): Violation[] {
  return [
    ...confirmedOnce(history),
    ...nobodyLost(history),
    ...nobodyTurnedAwayForNothing(history),
    ...everyDoubleIsACase(history),
    ...sameIdSameAnswer(history),
    ...allTheSame(history),
    ...alwaysAnswering(history),
    ...clocksInOrder(history),
    ...logsOnlyGrow(history),
  ]
}

/** C1: over all boxes, a right has at most one confirmed admission. */
function* confirmedOnce({ accounts }: History): Generator<Violation> {
  const bySlot = Map.groupBy(
    [...admissionsIn(ownJournals(accounts), { undone: 'left out' }).values()].filter(({ confirmed }) => confirmed),
    slotOf,
  )
  for (const [slot, admissions] of bySlot) {
    if (admissions.length > 1)
      yield { invariant: 'C1', what: `${slot} confirmed by ${admissions.map(({ box }) => box)}` }
  }
}

/** C2: every box has a record of everybody whom a gate saw admitted. */
function* nobodyLost({ asked, accounts }: History): Generator<Violation> {
  const shown = new Set(asked.filter(({ answer }) => answer?.verdict === 'ADMIT').map(({ scanId }) => scanId))
  for (const { box, journals } of accounts) {
    const held = admissionsIn(journals, { undone: 'kept' })
    for (const scanId of shown)
      if (!held.has(scanId)) yield { invariant: 'C2', what: `${scanId} is not in ${box}'s record` }
  }
}

/**
 * C2 as well: a ticket is refused as used only where it was used. Another scan of it, sent before, is an admission in some box's
 * journal. A box that went away while it was asked may have reserved the right without admitting anybody: until it is back, that
 * reservation may refuse others.
 */
function* nobodyTurnedAwayForNothing({ asked, accounts }: History): Generator<Violation> {
  const held = admissionsIn(ownJournals(accounts), { undone: 'kept' })
  const byTicket = Map.groupBy(asked, ({ ticket }) => ticket)
  for (const refused of asked.filter(({ answer }) => answer?.verdict === 'ALREADY_USED')) {
    const { scanId, box, ticket, during } = refused
    const others = (byTicket.get(ticket) ?? []).filter((one) => one.scanId !== scanId && one.at < endOf(refused))
    if (others.some((one) => held.has(one.scanId))) continue
    const mayBeReserved = others.some((one) => one.away && !one.answer && !isBack(one, refused, asked))
    if (!mayBeReserved)
      yield { invariant: 'C2', what: `${during}: ${scanId} was refused at ${box}, and nobody had used ${ticket}` }
  }
}

/** True if the box that was away at `found` has given a confirmed admission since, before the scan `before`. */
function isBack(found: Asked, before: Asked, asked: readonly Asked[]): boolean {
  return asked.some(
    (one) =>
      one.box === found.box && one.at > endOf(found) && endOf(one) < before.at && isConfirmed(one) && isAdmitted(one),
  )
}

/** C3: a right that was used more than once is one case with all its records, and there is no other case. */
function* everyDoubleIsACase({ accounts }: History): Generator<Violation> {
  const bySlot = Map.groupBy(admissionsIn(ownJournals(accounts), { undone: 'left out' }).values(), slotOf)
  const doubles = [...bySlot].filter(([, admissions]) => admissions.length > 1)
  for (const { box, flags } of accounts) {
    const cases = flags.filter(({ kind }) => kind === 'double_use')
    for (const [slot, admissions] of doubles) {
      const ids = admissions.map(({ scanId }) => scanId)
      const about = cases.filter(({ scanIds }) => ids.some((id) => scanIds.includes(id)))
      if (about.length !== 1) yield { invariant: 'C3', what: `${box} has ${about.length} cases of ${slot}` }
      const missing = ids.filter((id) => !about[0]?.scanIds.includes(id))
      if (about.length === 1 && missing.length > 0)
        yield { invariant: 'C3', what: `${box}'s case of ${slot} lacks ${missing}` }
    }
    const used = new Set(doubles.flatMap(([, admissions]) => admissions.map(({ scanId }) => scanId)))
    for (const { id, scanIds } of cases) {
      if (!scanIds.some((scanId) => used.has(scanId)))
        yield { invariant: 'C3', what: `${box} has a case of no double: ${id}` }
    }
  }
}

/** C4: a scan that is sent again gets the same verdict, from the same box always, and from every box that reaches the others. */
function* sameIdSameAnswer({ asked }: History): Generator<Violation> {
  for (const { first, then } of answeredAgain(asked)) {
    const [was, is] = [first.answer?.verdict, then.answer?.verdict]
    if (was !== is) yield { invariant: 'C4', what: `${then.scanId}: ${was} at ${first.box}, ${is} at ${then.box}` }
  }
}

/**
 * Pairs of a scan's first answer and a later one that has to be the same. Answers of two boxes may differ where one of the boxes
 * is cut off, or has answered provisionally: it does not know whom the other one has admitted.
 */
export function answeredAgain(asked: readonly Asked[]): { first: Asked; then: Asked }[] {
  const answered = asked.filter(({ answer }) => answer !== undefined)
  const knows = (one: Asked) => !one.alone && isConfirmed(one)
  return [...Map.groupBy(answered, ({ scanId }) => scanId).values()].flatMap(([first, ...again]) =>
    again.flatMap((then) =>
      first && (then.box === first.box || (knows(first) && knows(then))) ? [{ first, then }] : [],
    ),
  )
}

/** C5: after the run every box holds the same journals, cases and counts, and counts every scan once. */
function* allTheSame({ accounts }: History): Generator<Violation> {
  const [first, ...others] = accounts
  if (!first) return
  const own = ownJournals(accounts)
  const admitted = admissionsIn(own, { undone: 'left out' }).size
  for (const { box, counts } of accounts) {
    if (counts.admissions !== admitted)
      yield { invariant: 'C5', what: `${box} counts ${counts.admissions} admissions of ${admitted}` }
  }
  for (const { box, journals } of accounts) {
    for (const [of, copy] of journals) {
      const changed = copy.find(({ index, bytes }) => own.get(of)?.[index]?.bytes.equals(bytes) === false)
      if (changed) yield { invariant: 'C5', what: `${box} has another entry ${changed.index} of ${of}'s journal` }
    }
  }
  for (const other of others) {
    for (const [part, of] of Object.entries(COMPARED)) {
      if (of(first) !== of(other)) yield { invariant: 'C5', what: `${first.box} and ${other.box} differ in ${part}` }
    }
  }
}

const COMPARED: Record<string, (account: Account) => string> = {
  journals: ({ journals }) =>
    JSON.stringify(
      [...journals].sort(byName).map(([box, rows]) => [box, rows.filter(isOfPeople).map(({ hlc }) => hlc)]),
    ),
  flags: ({ flags }) =>
    JSON.stringify(flags.map(({ id, kind, scanIds }) => [id, kind, [...scanIds].sort()]).sort(byName)),
  counts: ({ counts }) => JSON.stringify(Object.entries(counts).sort(byName)),
}

/** C6: a gate has its verdict within a second whatever is cut, and a box that is cut off goes on admitting. */
function* alwaysAnswering({ asked }: History): Generator<Violation> {
  const newcomers = firstScans(asked)
  // A scan that a box does not answer because it is away is sent again, and C4 judges the answers.
  const present = asked.filter(({ away }) => !away)
  for (const [during, all] of Map.groupBy(present, ({ during }) => during)) {
    // A scan without a verdict counts as late, however soon the gate gave up or an error came.
    const times = all.map(({ answer, tookMs }) => (answer ? tookMs : Number.POSITIVE_INFINITY))
    const slow = times.sort((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1] ?? 0
    if (times.length >= ENOUGH && slow > PATIENCE_MS) {
      const unanswered = all.filter(({ answer }) => !answer)
      const reasons = [...new Set(unanswered.map(({ box, whyNot }) => `${box}: ${whyNot ?? 'no reason'}`))].join(', ')
      const p99 = Number.isFinite(slow) ? `p99 ${Math.round(slow)} ms` : 'p99 without end'
      yield {
        invariant: 'C6',
        what: `${during}: ${p99}, ${unanswered.length} of ${times.length} not answered${reasons && ` (${reasons})`}`,
      }
    }
    const unseen = all.filter(({ alone, scanId }) => alone && newcomers.has(scanId))
    for (const [box, alone] of Map.groupBy(unseen, ({ box }) => box)) {
      if (alone.length >= ENOUGH_NEWCOMERS && !alone.some(isAdmitted))
        yield {
          invariant: 'C6',
          what: `${during}: ${box} admitted nobody of ${alone.length} who came for the first time`,
        }
    }
  }
}

/** The first scan of each ticket: the ticket was unused, so a box that is cut off has to admit it. */
function firstScans(asked: readonly Asked[]): Set<string> {
  const first = new Map<string, Asked>()
  for (const one of asked) {
    const known = first.get(one.ticket)
    if (!known || one.at < known.at) first.set(one.ticket, one)
  }
  return new Set([...first.values()].map(({ scanId }) => scanId))
}

/** C7: clocks only go forward, within each log, and from an entry to the entry that records its replication. */
function* clocksInOrder({ accounts }: History): Generator<Violation> {
  for (const { box, journals, skewed } of accounts) {
    const own = journals.get(box) ?? []
    for (const [i, { hlc, index }] of own.entries()) {
      const before = own[i - 1]?.hlc
      if (before !== undefined && !isAfter(hlc, before))
        yield { invariant: 'C7', what: `${box}: entry ${index} is not after` }
    }
    for (const { kind, bytes, hlc, index } of own) {
      // A box whose own clock is wrong does not follow the others'.
      if (kind !== 'heard' || skewed.some(({ from, to }) => from <= index && index < to)) continue
      const { box: from, to } = JSON.parse(bytes.toString())
      const last = journals.get(from)?.[to - 1]
      if (last && !isAfter(hlc, last.hlc) && !isWild(last.hlc, hlc))
        yield {
          invariant: 'C7',
          what: `${box}: entry ${index} (${hlc}) is before what it heard of ${from} (${last.hlc})`,
        }
    }
  }
}

/** C8: logs are append-only: every tree head that a log ever had is the root of a prefix of it. */
function* logsOnlyGrow({ accounts }: History): Generator<Violation> {
  for (const { box, journals, heads } of accounts) {
    const own = journals.get(box) ?? []
    const hashes = own.map(({ bytes }) => leafHash(bytes))
    for (const { size, root } of heads) {
      if (size > own.length || rootAt(hashes, size) !== root)
        yield { invariant: 'C8', what: `${box}'s log of ${size} entries has changed` }
    }
  }
}

/** The root over the first `size` entries, base64. */
export function rootAt(leafHashes: readonly Uint8Array[], size: number): string {
  const range = hashesOver((index) => leafHashes[index] ?? EMPTY_ROOT)
  return Buffer.from(size === 0 ? EMPTY_ROOT : range(0, size)).toString('base64')
}

/** Each box's journal as that box has it. */
function ownJournals(accounts: readonly Account[]): Map<string, readonly JournalRow[]> {
  return new Map(accounts.map(({ box, journals }) => [box, journals.get(box) ?? []]))
}

/** Kinds that a box goes on writing while the last box is asked, and that concern no ticket. */
const HOUSEKEEPING = new Set(['cosign', 'heard', 'mode', 'seal'])

const isOfPeople = ({ kind }: JournalRow) => !HOUSEKEEPING.has(kind)
const slotOf = ({ ticket, slot }: Admission) => `${ticket}/${slot}`
const isAdmitted = ({ answer }: Asked) => answer?.verdict === 'ADMIT'
const isConfirmed = ({ answer }: Asked) => answer?.confidence === 'confirmed'
const endOf = ({ at, tookMs }: Asked) => at + tookMs
const byName = ([a]: readonly unknown[], [b]: readonly unknown[]) => (String(a) < String(b) ? -1 : 1)

/** True if a clock is too far ahead to be followed: an entry that records its entries need not come after them. */
function isWild(theirs: string, own: string): boolean {
  return (parse(theirs)?.ms ?? 0) - (parse(own)?.ms ?? 0) > MAX_OFFSET_MS
}

function isAfter(a: string, b: string): boolean {
  const [x, y] = [parse(a), parse(b)]
  return x !== undefined && y !== undefined && compare(x, y) > 0
}
