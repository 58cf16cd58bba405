/** `gatehouse verify` on a box that has replicated others: checks their entries against this box's record of them. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../src/drizzle/core.ts'
import { Desks } from '../mesh/desks.ts'
import { problemsIn } from '../world/problems.ts'

const NOON = Date.parse('2026-07-04T12:00:00Z')

describe('a ledger with replicated entries', () => {
  let desks: Desks
  before(async () => {
    desks = await Desks.open({ boxes: 2, now: NOON })
    await desks.import(['T-0,once', 'T-1,once'])
    for (const desk of desks.all) desk.mode = 'DEGRADED'
    for (const desk of desks.all) await desk.scan('T-0')
    await desks.desk(1).scan('T-1')
    await desks.desk(1).scan('T-1')
    desks.settle()
  })
  after(() => desks[Symbol.dispose]())

  /** Kinds of problems after these changes of the file, which are undone afterwards. */
  const kinds = (...statements: string[]): string[] => {
    const { drizzle } = desks.desk(0).deps.ledger.db
    const tables = ['peer_journal', 'movements', 'scans', 'verdict_texts', 'flags']
    for (const table of tables) drizzle.run(sql.raw(`CREATE TABLE kept_${table} AS SELECT * FROM ${table}`))
    try {
      for (const statement of statements) drizzle.run(sql.raw(statement))
      return problemsIn(desks.desk(0).folder).map(({ kind }) => kind)
    } finally {
      for (const table of tables) {
        drizzle.run(sql.raw(`DELETE FROM ${table}`))
        drizzle.run(sql.raw(`INSERT INTO ${table} SELECT * FROM kept_${table}`))
        drizzle.run(sql.raw(`DROP TABLE kept_${table}`))
      }
    }
  }

  it('verifies as the boxes have left it', () => {
    assert.deepEqual(kinds(), [])
  })

  it('fails when a replicated entry was changed, removed or added', () => {
    const aScan = "box = 'box-1' AND idx = (SELECT min(idx) FROM peer_journal WHERE box = 'box-1' AND kind = 'scan')"
    const changed = `UPDATE peer_journal SET bytes = CAST(replace(CAST(bytes AS TEXT), '"ADMIT"', '"BLOCKED"') AS BLOB) WHERE ${aScan}`
    assert.ok(kinds(changed).includes('heard_differs'))
    assert.ok(kinds(`DELETE FROM peer_journal WHERE ${aScan}`).includes('heard_differs'))
    assert.ok(kinds(`UPDATE peer_journal SET hlc = hlc || '0' WHERE ${aScan}`).includes('heard_differs'))
    const more =
      "INSERT INTO peer_journal SELECT box, 9000, hlc, kind, bytes, 9000 FROM peer_journal WHERE kind = 'scan' LIMIT 1"
    assert.deepEqual(kinds(more), ['heard_unexplained'])
    const unsaid =
      "INSERT INTO peer_journal SELECT box, 9000, hlc, kind, bytes, -1 FROM peer_journal WHERE kind = 'scan' LIMIT 1"
    assert.deepEqual(kinds(unsaid), ['heard_unexplained'])
  })

  it('fails when rows that follow from replicated entries were changed', () => {
    const heard = "entry = (SELECT max(idx) FROM journal WHERE kind = 'heard' AND idx IN (SELECT entry FROM movements))"
    assert.deepEqual(kinds(`UPDATE movements SET checkpoint = 'b-in' WHERE ${heard}`), ['movement_differs'])
    assert.deepEqual(kinds(`DELETE FROM movements WHERE ${heard}`), ['movement_missing'])
    const twice = `INSERT INTO movements SELECT ticket, slot || 'x', surplus, direction, checkpoint, from_zone, to_zone, occurrence, at, hlc, scan_id, provisional, entry FROM movements WHERE ${heard} LIMIT 1`
    assert.ok(kinds(twice).includes('movement_unexplained'))
    assert.ok(kinds("UPDATE verdict_texts SET text = replace(text, 'ADMIT', 'BLOCKED')").includes('scan_differs'))
    // Its records stay, and belong to no case.
    assert.deepEqual(kinds('DELETE FROM flags'), ['flag_missing', 'flag_unexplained'])
    assert.deepEqual(kinds("UPDATE flags SET resolution = 'fraud'"), ['flag_differs'])
  })
})
