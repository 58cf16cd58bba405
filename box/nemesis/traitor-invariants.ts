/**
 * Invariants that hold whatever a traitor does, beside the eight others: T1 to T3, as box/docs/mesh.md lists them. Pure: takes a
 * history and returns its violations.
 */
import type { Account, Asked, History, JournalRow } from './history.ts'
import type { Violation } from './invariants.ts'

/** Everything that members did in a run: any other row or entry is forged. */
export interface Made {
  readonly devices: ReadonlySet<string>
  /** Tickets that were imported. */
  readonly tickets: number
}

/** The tables of a box, as far as a traitor would change them. */
export interface Held {
  readonly box: string
  readonly devices: readonly { id: string; revokedAt: number | null }[]
  readonly tickets: number
  /** Tickets without a holder's name, and revoked ones. */
  readonly nameless: number
  readonly revoked: number
  /** Scans that moved somebody. */
  readonly scanIds: readonly string[]
}

export interface Betrayed {
  readonly history: History
  /** The removed box's journals: its own one is not among the accounts of the others. */
  readonly removed: Pick<Account, 'box' | 'journals'>
  readonly held: readonly Held[]
  readonly made: Made
  /** By traitor who has no right to it: the personal texts that it could read, and where. */
  readonly read: ReadonlyMap<string, Readonly<Record<string, string>>>
  /** Names of the attacks, as `during` has them. */
  readonly attacks: readonly string[]
}

/** Actions that no member takes in a run. */
const NOBODYS_KINDS = new Set(['erasure', 'device_revoked', 'ticket_revoked', 'ticket_reinstated'])

/** @returns every violation; empty when all three hold */
export function betrayals(betrayed: Betrayed): Violation[] {
  return [...nothingForged(betrayed), ...nothingHeld(betrayed), ...nothingRead(betrayed), ...gatesGoOn(betrayed)]
}

/** T1: every entry of every copy is in its owner's journal, and no journal has what no member did. */
function* nothingForged({ history: { asked, accounts }, removed, made }: Betrayed): Generator<Violation> {
  const own = new Map([...accounts, removed].map(({ box, journals }) => [box, journals.get(box) ?? []]))
  for (const { box, journals } of accounts) {
    for (const [of, copy] of journals) {
      const strange = copy.find(({ index, bytes }) => own.get(of)?.[index]?.bytes.equals(bytes) !== true)
      if (strange)
        yield { invariant: 'T1', what: `${box} has an entry ${strange.index} of ${of} that ${of} did not make` }
    }
  }
  const scans = new Set(asked.map(({ scanId }) => scanId))
  for (const [box, rows] of own) {
    for (const row of rows) {
      const what = forgedIn(row, scans, made)
      if (what !== undefined) yield { invariant: 'T1', what: `${box}, entry ${row.index}: ${what}` }
    }
  }
}

function forgedIn({ kind, bytes }: JournalRow, scans: ReadonlySet<string>, made: Made): string | undefined {
  if (NOBODYS_KINDS.has(kind)) return `a ${kind} that nobody made`
  if (kind !== 'enrolment' && kind !== 'scan') return undefined
  const { device, scan_id: scanId } = JSON.parse(bytes.toString())
  if (kind === 'enrolment') return made.devices.has(device) ? undefined : `a device ${device} that nobody enrolled`
  return scans.has(scanId) ? undefined : `a scan ${scanId} that no gate made`
}

/** T1 as well: what each box goes by says the same. */
function* nothingHeld({ history: { asked }, held, made }: Betrayed): Generator<Violation> {
  const scans = new Set(asked.map(({ scanId }) => scanId))
  for (const { box, devices, tickets, nameless, revoked, scanIds } of held) {
    for (const { id, revokedAt } of devices) {
      if (!made.devices.has(id)) yield { invariant: 'T1', what: `${box} knows a device ${id} that nobody enrolled` }
      else if (revokedAt !== null) yield { invariant: 'T1', what: `${box} has revoked ${id}, and nobody else has` }
    }
    if (tickets !== made.tickets) yield { invariant: 'T1', what: `${box} has ${tickets} tickets of ${made.tickets}` }
    if (nameless > 0) yield { invariant: 'T1', what: `${box} has lost ${nameless} names, and nobody erased any` }
    if (revoked > 0) yield { invariant: 'T1', what: `${box} has ${revoked} revoked tickets, and nobody revoked any` }
    const strange = scanIds.find((scanId) => !scans.has(scanId))
    if (strange !== undefined)
      yield { invariant: 'T1', what: `${box} has let somebody in by ${strange}, which no gate scanned` }
  }
}

/** T2: who has no key of the event reads nothing personal. */
function* nothingRead({ read }: Betrayed): Generator<Violation> {
  for (const [traitor, texts] of read) {
    for (const [text, subject] of Object.entries(texts))
      yield { invariant: 'T2', what: `the ${traitor} read "${text}" on ${subject}` }
  }
}

/** T3: every box that is there lets people in during every attack. */
function* gatesGoOn({ history: { asked, accounts }, attacks }: Betrayed): Generator<Violation> {
  for (const attack of attacks) {
    const during = asked.filter((one) => one.during === attack && !one.away)
    for (const { box } of accounts) {
      const here = during.filter((one) => one.box === box)
      if (here.length > 0 && !here.some(isAdmitted))
        yield { invariant: 'T3', what: `${attack}: ${box} let nobody in of ${here.length} scans` }
    }
    if (!during.some(isAdmitted)) yield { invariant: 'T3', what: `${attack}: nobody was let in anywhere` }
  }
}

const isAdmitted = ({ answer }: Asked) => answer?.verdict === 'ADMIT'
