/**
 * Audit of a ledger, whatever has happened to its box: read from the file, and judged by rules that are
 * written here a second time, not by the code that wrote it.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import type { Verdict } from '@gatehouse/proto/wire/scan.ts'
import { asc, sql } from '../../src/drizzle/core.ts'
import type { EventFile } from '../../src/event/event.ts'
import { openDb } from '../../src/ledger/db.ts'
import type { Entry, EntryFields } from '../../src/ledger/entries.ts'
import { journal, type Movement, movements, tickets } from '../../src/ledger/schema.ts'
import { TEST_EVENT } from '../world/event.ts'
import { problemsIn } from '../world/problems.ts'
import { storedScans } from '../world/stored-scans.ts'

export interface Audit {
  entries: number
  admissions: number
  movements: Movement[]
  /** The stored answer to each scan id. */
  answers: Map<string, string>
  /** The ref of the ticket with each printed code. */
  refs: Map<string, string>
}

/** Reads a closed ledger. @throws AssertionError for anything that must not be */
export function audit(dataDir: string, event: EventFile = TEST_EVENT): Audit {
  const db = openDb(join(dataDir, 'ledger.db'))
  assert.deepEqual(problemsIn(dataDir), [])
  try {
    const { drizzle } = db
    const [integrity] = Object.values(drizzle.get<object>(sql`PRAGMA integrity_check`))
    assert.equal(integrity, 'ok')
    const rows = {
      journal: drizzle.select().from(journal).orderBy(asc(journal.index)).all(),
      scans: storedScans(db),
      movements: drizzle.select().from(movements).orderBy(asc(movements.entry)).all(),
      tickets: drizzle.select().from(tickets).all(),
    }

    let before = ''
    const entries = rows.journal.map(({ index, hlc, kind, bytes }, i) => {
      const entry = JSON.parse(bytes.toString())
      assert.deepEqual([index, entry.index, entry.hlc, entry.kind], [i, i, hlc, kind])
      assert.equal(canonicalJson(entry), bytes.toString())
      assert.ok(hlc > before, `entry ${index}: ${hlc} is after ${before}`)
      before = hlc
      return entry as Entry['fields']
    })
    const scanAt = (index: number) => {
      const entry = entries[index]
      return entry && isScan(entry) ? entry : undefined
    }
    const undone = new Set(entries.filter(isUndo).map((entry) => entry.undone))

    const answers = new Map(rows.scans.map((scan) => [scan.scanId, scan.response]))
    const answeredBy = new Map(rows.scans.map((scan) => [scan.scanId, scan]))
    for (const { scanId, entry, response, passed } of rows.scans) {
      const verdict: Verdict = JSON.parse(response)
      const at = scanAt(entry)
      assert.deepEqual(
        [verdict.scan_id, verdict.verdict, verdict.hlc, 'scan'],
        [scanId, at?.verdict, at?.hlc, at?.kind],
      )
      assert.equal(at?.scan_id, scanId)
      assert.equal(passed, verdict.verdict === 'ADMIT' || verdict.verdict === 'EXIT' || at?.offline_admitted)
    }

    const movementOf = new Map(rows.movements.map((movement) => [movement.entry, movement]))
    assert.equal(movementOf.size, rows.movements.length)
    assert.equal(new Set(rows.movements.map(({ scanId }) => scanId)).size, rows.movements.length)
    const ticketById = new Map(rows.tickets.map((ticket) => [ticket.id, ticket]))
    const policyOf = new Map(event.tiers.map((tier) => [tier.id, tier.entry]))
    const passages = new Map<number, Passages>()
    let admissions = 0
    /** Each ticket's last passage, undone ones aside. */
    const last = new Map<string, number[]>()
    for (const entry of entries) {
      if (isUndo(entry)) {
        const of = entries[entry.undone]
        assert.ok(of && (isScan(of) || isSupervised(of)), `entry ${entry.index} undoes a passage`)
        assert.equal(last.get(entry.ticket)?.pop(), entry.undone, `nothing rests on what entry ${entry.index} undoes`)
        const { device, checkpoint, scan_id, slot, surplus, ticket } = of
        assert.partialDeepStrictEqual(entry, { device, checkpoint, scan_id, slot, surplus, ticket, direction: 'in' })
        assert.equal(entry.supervised, isSupervised(of))
        continue
      }
      if (!isScan(entry) && !isSupervised(entry)) continue
      if (entry.slot !== null && entry.ticket !== null) {
        last.set(entry.ticket, [...(last.get(entry.ticket) ?? []), entry.index])
      }
      const movement = movementOf.get(entry.index)
      movementOf.delete(entry.index)
      if (undone.has(entry.index)) {
        assert.equal(movement, undefined, `entry ${entry.index} is undone`)
        if (isScan(entry) && entry.verdict === 'ADMIT') admissions++
        continue
      }
      const { slot, surplus, direction, checkpoint, hlc, scan_id: scanId } = entry
      const ref = movement && ticketById.get(movement.ticket)?.ref
      assert.deepEqual(
        movement && { ...movement, ref },
        slot === null
          ? undefined
          : { ...movement, slot, surplus, direction, checkpoint, hlc, scanId, ref: entry.ticket },
      )
      const earlier = movement ? (passages.get(movement.ticket) ?? []) : []
      if (isSupervised(entry)) {
        const refused = scanAt(answeredBy.get(scanId)?.entry ?? -1)
        assert.deepEqual([refused?.slot, refused?.verdict], [null, entry.verdict], `entry ${entry.index} had a refusal`)
        assert.ok(movement)
        const sameSlot = earlier.filter(({ movement: { slot } }) => slot === movement.slot).length
        assert.equal(movement.surplus, sameSlot)
        passages.set(movement.ticket, [...earlier, { movement, entry }])
        continue
      }
      const stands = answeredBy.get(entry.scan_id)
      assert.ok(stands, `entry ${entry.index} has its scan`)
      // Only a refusal gives way to another answer: when its scanner had let the person in.
      if (stands.entry !== entry.index) assert.ok(stands.entry > entry.index && entry.slot === null && stands.passed)
      if (entry.verdict === 'ADMIT') admissions++
      if (!movement) continue
      const ticket = ticketById.get(movement.ticket)
      judge(policyOf.get(ticket?.tier ?? ''), earlier, movement, entry)
      passages.set(movement.ticket, [...earlier, { movement, entry }])
    }
    assert.equal(movementOf.size, 0, 'every movement has its entry')
    const refs = new Map(rows.tickets.map((ticket) => [ticket.code, ticket.ref]))
    return { entries: entries.length, admissions, movements: rows.movements, answers, refs }
  } finally {
    db.close()
  }
}

const isScan = (entry: Entry['fields']) => entry.kind === 'scan'
const isSupervised = (entry: Entry['fields']) => entry.kind === 'supervisor_admit'
const isUndo = (entry: Entry['fields']) => entry.kind === 'undo'

type Passages = readonly { movement: Movement; entry: EntryFields<'scan' | 'supervisor_admit'> }[]

/** Nobody is admitted on a used right, except for people whom a scanner had admitted offline. */
function judge(policy: string | undefined, earlier: Passages, movement: Movement, entry: EntryFields<'scan'>): void {
  const about = `entry ${entry.index}, ${policy}: ${entry.verdict} on ${movement.slot}`
  if (movement.direction === 'out') {
    assert.equal(entry.verdict, 'EXIT', about)
    return
  }
  const here = earlier.filter(({ movement: { direction, to } }) => direction === 'in' && to === movement.to)
  const sameSlot = earlier.filter(({ movement: { slot } }) => slot === movement.slot).length
  assert.equal(movement.surplus, sameSlot, about)
  const exits = earlier.filter(({ movement: { direction, from } }) => direction === 'out' && from === movement.to)
  // The box's own scans count in the order of the journal; uploaded scans in the order of their times.
  const leftBy = ({ movement: came }: Passages[number]) =>
    exits.some(({ movement: went }) => {
      const told = (came.provisional || went.provisional) && came.at !== went.at
      return told ? went.at > came.at : went.entry > came.entry
    })
  const inside = here.filter((passage) => !leftBy(passage))
  const usedUp = {
    once: here.length > 0,
    once_per_day: sameSlot > 0,
    reentry: inside.length > 0,
    unlimited: false,
  }[policy ?? '']
  // Every other reason to refuse a ticket comes before its use.
  if (entry.verdict === 'ADMIT' || entry.verdict === 'ALREADY_USED') {
    assert.equal(entry.verdict, usedUp ? 'ALREADY_USED' : 'ADMIT', about)
  }
  if (entry.verdict !== 'ADMIT') assert.ok(entry.offline_admitted, about)
}
