import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Db } from '../../ledger/db.ts'
import type { Entry } from '../../ledger/entries.ts'
import { isUrgent } from './urgent.ts'

/** None of these needs the ledger. */
const NO_DB = {} as Pick<Db, 'drizzle'>
const entry = (kind: string, fields: object) => ({ kind, fields }) as unknown as Entry

it('announcements of every severity, and reports of emergencies, overtake what else goes from box to box', () => {
  for (const severity of ['info', 'warning', 'emergency']) {
    assert.equal(isUrgent(entry('announcement', { severity }), NO_DB), true, severity)
  }
  assert.equal(isUrgent(entry('incident', { incident_kind: 'crush' }), NO_DB), true)
  assert.equal(isUrgent(entry('incident', { incident_kind: 'need_staff' }), NO_DB), false)
  assert.equal(isUrgent(entry('scan', {}), NO_DB), false)
})
