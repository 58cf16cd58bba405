import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { eq } from '../drizzle/core.ts'
import { keysOf } from '../seal/verifier-key.ts'
import { openDb } from './db.ts'
import { beginNewIncarnation, openIdentity, writeValue } from './identity.ts'
import { identity } from './schema.ts'

it('a life has its beginning for as long as it lives, and the next one is higher, whatever the clock says', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-identity-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const db = openDb(join(folder, 'ledger.db'))
  t.after(() => db.close())
  const open = (unixMs: number) => openIdentity(db, 'e', () => unixMs)
  const first = open(1_700_000_000_500)
  assert.equal(first.incarnationNumber, 1_700_000_000)
  assert.deepEqual(open(1_800_000_000_000), first)
  beginNewIncarnation(db, () => 1_750_000_000_000)
  const second = open(0)
  assert.equal(second.incarnationNumber, 1_750_000_000)
  assert.notEqual(second.incarnation, first.incarnation)
  assert.deepEqual([second.boxId, second.signingSeed], [first.boxId, first.signingSeed])
  beginNewIncarnation(db, () => 1_000)
  assert.equal(open(0).incarnationNumber, 1_750_000_001)
})

it("the box that made the event signs its log with the event's key; one that joined, with its own", (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-identity-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const db = openDb(join(folder, 'ledger.db'))
  t.after(() => db.close())
  const first = openIdentity(db, 'e', () => 0)
  assert.deepEqual([first.logSeed, first.keyBox], [first.signingSeed, first.boxId])
  const keys = keysOf('e', first)
  assert.equal(keys.logVerifierKey, keys.verifierKey)

  writeValue(db, 'box_id', Buffer.from('box-2'))
  writeValue(db, 'key_box', Buffer.from(first.boxId))
  db.secrets.set({ log_seed: Buffer.alloc(32, 7) })
  db.drizzle.delete(identity).where(eq(identity.name, 'keys_digest')).run()
  const joined = keysOf(
    'e',
    openIdentity(db, 'e', () => 0),
  )
  assert.equal(joined.verifierKey, keys.verifierKey)
  assert.match(joined.logVerifierKey, /^gatehouse\/e\/box-2\+/)
  assert.notDeepEqual(joined.logVerifierKey.split('+')[2], keys.verifierKey.split('+')[2])
})
