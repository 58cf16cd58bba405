/**
 * The laws that several boxes have to keep whatever goes wrong between them. Pure: a history goes in, what it breaks comes out.
 * The names are those of the research: C1 to C8.
 */
import { compare, parse } from '@gatehouse/proto/hlc.ts'
import { MAX_OFFSET_MS } from '../src/mesh/spread/hear.ts'
import { EMPTY_ROOT, hashesOver, leafHash } from '../src/seal/merkle.ts'
import { type Account, type Admission, type Asked, admissionsIn, type History, type JournalRow } from './history.ts'

export interface Violation {
  law: 'C1' | 'C2' | 'C3' | 'C4' | 'C5' | 'C6' | 'C7' | 'C8'
  what: string
}

/** A gate waits no longer than this for a verdict, whatever is cut. */
const PATIENCE_MS = 1_000
/** Of so few requests, one slow one is not a hundredth. */
const ENOUGH = 100
/** One of so few may have come while the box was only just noticing that it is alone. */
const ENOUGH_NEWCOMERS = 5

/** @returns everything that the history breaks; nothing when all eight laws hold */
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

/** C1: a right is admitted as confirmed at most once, by whichever box. */
function* confirmedOnce({ accounts }: History): Generator<Violation> {
  const bySlot = Map.groupBy(
    [...admissionsIn(ownJournals(accounts), { undone: 'left out' }).values()].filter(({ confirmed }) => confirmed),
    slotOf,
  )
  for (const [slot, admissions] of bySlot) {
    if (admissions.length > 1) yield { law: 'C1', what: `${slot} confirmed by ${admissions.map(({ box }) => box)}` }
  }
}

/** C2: everybody whom a gate saw admitted is in the record of every box. */
function* nobodyLost({ asked, accounts }: History): Generator<Violation> {
  const shown = new Set(asked.filter(({ answer }) => answer?.verdict === 'ADMIT').map(({ scanId }) => scanId))
  for (const { box, journals } of accounts) {
    const held = admissionsIn(journals, { undone: 'kept' })
    for (const scanId of shown) if (!held.has(scanId)) yield { law: 'C2', what: `${scanId} is not in ${box}'s record` }
  }
}

/**
 * C2 as well: who was told that a ticket is used was told of somebody: another scan of it that was asked by then is an admission in
 * some box's journal. A box that went away while it was asked may have claimed the right and admitted nobody; that claim may
 * refuse others until the box is back.
 */
function* nobodyTurnedAwayForNothing({ asked, accounts }: History): Generator<Violation> {
  const held = admissionsIn(ownJournals(accounts), { undone: 'kept' })
  const byTicket = Map.groupBy(asked, ({ ticket }) => ticket)
  for (const refused of asked.filter(({ answer }) => answer?.verdict === 'ALREADY_USED')) {
    const { scanId, box, ticket, during } = refused
    const others = (byTicket.get(ticket) ?? []).filter((one) => one.scanId !== scanId && one.at < endOf(refused))
    if (others.some((one) => held.has(one.scanId))) continue
    const mayBeClaimed = others.some((one) => one.away && !one.answer && !isBack(one, refused, asked))
    if (!mayBeClaimed)
      yield { law: 'C2', what: `${during}: ${scanId} was refused at ${box}, and nobody had used ${ticket}` }
  }
}

/** Whether the box that one scan found away has since said by itself that it has heard everybody, before another scan. */
function isBack(found: Asked, before: Asked, asked: readonly Asked[]): boolean {
  return asked.some(
    (one) =>
      one.box === found.box && one.at > endOf(found) && endOf(one) < before.at && isConfirmed(one) && isAdmitted(one),
  )
}

/** C3: a right that was used more than once is one case with every record, and nothing else is. */
function* everyDoubleIsACase({ accounts }: History): Generator<Violation> {
  const bySlot = Map.groupBy(admissionsIn(ownJournals(accounts), { undone: 'left out' }).values(), slotOf)
  const doubles = [...bySlot].filter(([, admissions]) => admissions.length > 1)
  for (const { box, flags } of accounts) {
    const cases = flags.filter(({ kind }) => kind === 'double_use')
    for (const [slot, admissions] of doubles) {
      const ids = admissions.map(({ scanId }) => scanId)
      const about = cases.filter(({ scanIds }) => ids.some((id) => scanIds.includes(id)))
      if (about.length !== 1) yield { law: 'C3', what: `${box} has ${about.length} cases of ${slot}` }
      const missing = ids.filter((id) => !about[0]?.scanIds.includes(id))
      if (about.length === 1 && missing.length > 0)
        yield { law: 'C3', what: `${box}'s case of ${slot} lacks ${missing}` }
    }
    const used = new Set(doubles.flatMap(([, admissions]) => admissions.map(({ scanId }) => scanId)))
    for (const { id, scanIds } of cases) {
      if (!scanIds.some((scanId) => used.has(scanId)))
        yield { law: 'C3', what: `${box} has a case of no double: ${id}` }
    }
  }
}

/** C4: a scan that is sent again gets the same verdict, from the same box always, and from any that hears the others. */
function* sameIdSameAnswer({ asked }: History): Generator<Violation> {
  for (const { first, then } of answeredAgain(asked)) {
    const [was, is] = [first.answer?.verdict, then.answer?.verdict]
    if (was !== is) yield { law: 'C4', what: `${then.scanId}: ${was} at ${first.box}, ${is} at ${then.box}` }
  }
}

/**
 * The answers to scans that were sent again, each with the first one, where it must not differ. Two boxes may differ where one
 * of them is alone, or says itself that it could not ask: it does not know whom the other one let in.
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

/** C5: when all is quiet again, every box holds the same journals, cases and counts, and counts every scan once. */
function* allTheSame({ accounts }: History): Generator<Violation> {
  const [first, ...others] = accounts
  if (!first) return
  const own = ownJournals(accounts)
  const admitted = admissionsIn(own, { undone: 'left out' }).size
  for (const { box, counts } of accounts) {
    if (counts.admissions !== admitted)
      yield { law: 'C5', what: `${box} counts ${counts.admissions} admissions of ${admitted}` }
  }
  for (const { box, journals } of accounts) {
    for (const [of, copy] of journals) {
      const changed = copy.find(({ index, bytes }) => own.get(of)?.[index]?.bytes.equals(bytes) === false)
      if (changed) yield { law: 'C5', what: `${box} has another entry ${changed.index} of ${of}'s journal` }
    }
  }
  for (const other of others) {
    for (const [part, of] of Object.entries(COMPARED)) {
      if (of(first) !== of(other)) yield { law: 'C5', what: `${first.box} and ${other.box} differ in ${part}` }
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

/** C6: a gate has its verdict within a second whatever is cut, and a box that is alone goes on admitting. */
function* alwaysAnswering({ asked }: History): Generator<Violation> {
  const newcomers = firstScans(asked)
  // What a box that is away does not answer is asked again: that is C4's.
  const present = asked.filter(({ away }) => !away)
  for (const [during, all] of Map.groupBy(present, ({ during }) => during)) {
    // No verdict is none in time, however soon the gate gave up or was told of an error.
    const times = all.map(({ answer, tookMs }) => (answer ? tookMs : Number.POSITIVE_INFINITY))
    const slow = times.sort((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1] ?? 0
    if (times.length >= ENOUGH && slow > PATIENCE_MS) {
      const unanswered = times.filter((time) => time === Number.POSITIVE_INFINITY).length
      const p99 = Number.isFinite(slow) ? `p99 ${Math.round(slow)} ms` : 'p99 without end'
      yield { law: 'C6', what: `${during}: ${p99}, ${unanswered} of ${times.length} not answered` }
    }
    const unseen = all.filter(({ alone, scanId }) => alone && newcomers.has(scanId))
    for (const [box, alone] of Map.groupBy(unseen, ({ box }) => box)) {
      if (alone.length >= ENOUGH_NEWCOMERS && !alone.some(isAdmitted))
        yield { law: 'C6', what: `${during}: ${box} admitted nobody of ${alone.length} who came for the first time` }
    }
  }
}

/** Of every ticket the scan that was its first: nobody had used it, so a box that is alone has nothing against it. */
function firstScans(asked: readonly Asked[]): Set<string> {
  const first = new Map<string, Asked>()
  for (const one of asked) {
    const known = first.get(one.ticket)
    if (!known || one.at < known.at) first.set(one.ticket, one)
  }
  return new Set([...first.values()].map(({ scanId }) => scanId))
}

/** C7: clocks only go forward, in every log and from what is told to what was heard of it. */
function* clocksInOrder({ accounts }: History): Generator<Violation> {
  for (const { box, journals, misled } of accounts) {
    const own = journals.get(box) ?? []
    for (const [i, { hlc, index }] of own.entries()) {
      const before = own[i - 1]?.hlc
      if (before !== undefined && !isAfter(hlc, before))
        yield { law: 'C7', what: `${box}: entry ${index} is not after` }
    }
    for (const { kind, bytes, hlc, index } of own) {
      // To a box whose own clock is wrong, every other one is.
      if (kind !== 'heard' || misled.some(({ from, to }) => from <= index && index < to)) continue
      const { box: from, to } = JSON.parse(bytes.toString())
      const last = journals.get(from)?.[to - 1]
      if (last && !isAfter(hlc, last.hlc) && !isWild(last.hlc, hlc))
        yield { law: 'C7', what: `${box}: entry ${index} (${hlc}) is before what it heard of ${from} (${last.hlc})` }
    }
  }
}

/** C8: every head that a log ever showed is the beginning of what it is now. */
function* logsOnlyGrow({ accounts }: History): Generator<Violation> {
  for (const { box, journals, heads } of accounts) {
    const own = journals.get(box) ?? []
    const hashes = own.map(({ bytes }) => leafHash(bytes))
    for (const { size, root } of heads) {
      if (size > own.length || rootAt(hashes, size) !== root)
        yield { law: 'C8', what: `${box}'s log of ${size} entries has changed` }
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

/** What a box notes of its own business goes on while the last one is asked: it says nothing about anybody's ticket. */
const BUSINESS = new Set(['cosign', 'heard', 'mode', 'seal'])

const isOfPeople = ({ kind }: JournalRow) => !BUSINESS.has(kind)
const slotOf = ({ ticket, slot }: Admission) => `${ticket}/${slot}`
const isAdmitted = ({ answer }: Asked) => answer?.verdict === 'ADMIT'
const isConfirmed = ({ answer }: Asked) => answer?.confidence === 'confirmed'
const endOf = ({ at, tookMs }: Asked) => at + tookMs
const byName = ([a]: readonly unknown[], [b]: readonly unknown[]) => (String(a) < String(b) ? -1 : 1)

/** A clock that is so far ahead is noted, and not believed: what hears of it does not come after it. */
function isWild(theirs: string, own: string): boolean {
  return (parse(theirs)?.ms ?? 0) - (parse(own)?.ms ?? 0) > MAX_OFFSET_MS
}

function isAfter(a: string, b: string): boolean {
  const [x, y] = [parse(a), parse(b)]
  return x !== undefined && y !== undefined && compare(x, y) > 0
}
