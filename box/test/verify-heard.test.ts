/** "gatehouse verify" on a box that has heard others: what was heard is held against what this box said that it heard. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../src/drizzle/core.ts'
import { Hearing } from './hearing.ts'

const NOON = Date.parse('2026-07-04T12:00:00Z')

describe('a ledger with what other boxes said', () => {
  let hearing: Hearing
  before(async () => {
    hearing = await Hearing.open({ boxes: 2, now: NOON })
    await hearing.import(['T-0,once', 'T-1,once'])
    for (const desk of hearing.desks) desk.mode = 'DEGRADED'
    for (const desk of hearing.desks) await desk.scan('T-0')
    await hearing.desk(1).scan('T-1')
    await hearing.desk(1).scan('T-1')
    await hearing.settle()
  })
  after(() => hearing[Symbol.dispose]())

  /** Kinds of problems after somebody has written into the file; nothing of it stays. */
  const kinds = (...statements: string[]): string[] => {
    const { drizzle } = hearing.desk(0).deps.ledger.db
    const tables = ['peer_journal', 'movements', 'scans', 'flags']
    for (const table of tables) drizzle.run(sql.raw(`CREATE TABLE kept_${table} AS SELECT * FROM ${table}`))
    try {
      for (const statement of statements) drizzle.run(sql.raw(statement))
      return hearing.problems(0).map(({ kind }) => kind)
    } finally {
      for (const table of tables) {
        drizzle.run(sql.raw(`DELETE FROM ${table}`))
        drizzle.run(sql.raw(`INSERT INTO ${table} SELECT * FROM kept_${table}`))
        drizzle.run(sql.raw(`DROP TABLE kept_${table}`))
      }
    }
  }

  it('is whole as the boxes have left it', () => {
    assert.deepEqual(kinds(), [])
  })

  it('is not, when a word of another box was changed, taken out or put in', () => {
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

  it('is not, when what follows from it was changed', () => {
    const heard = "entry = (SELECT max(idx) FROM journal WHERE kind = 'heard' AND idx IN (SELECT entry FROM movements))"
    assert.deepEqual(kinds(`UPDATE movements SET checkpoint = 'b-in' WHERE ${heard}`), ['movement_differs'])
    assert.deepEqual(kinds(`DELETE FROM movements WHERE ${heard}`), ['movement_missing'])
    const twice = `INSERT INTO movements SELECT ticket, slot || 'x', surplus, direction, checkpoint, from_zone, to_zone, occurrence, at, hlc, scan_id, provisional, entry FROM movements WHERE ${heard} LIMIT 1`
    assert.ok(kinds(twice).includes('movement_unexplained'))
    assert.ok(kinds("UPDATE scans SET response = replace(response, 'ADMIT', 'BLOCKED')").includes('scan_differs'))
    assert.deepEqual(kinds('DELETE FROM flags'), ['flag_missing'])
    assert.deepEqual(kinds("UPDATE flags SET resolution = 'fraud'"), ['flag_differs'])
  })
})
