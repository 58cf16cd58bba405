/**
 * Issue 23, "what must be seen", 3: an existing installation, of before there were people who sign in, starts with this version. It keeps
 * its token, its authority and its record, and loses nothing.
 */
import assert from 'node:assert/strict'
import { createReadStream, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import Sqlite from 'better-sqlite3'
import type { BackupManifest } from '../src/backup/manifest.ts'
import { unpackBackup } from '../src/backup/unpack.ts'
import { openSnapshot } from '../src/ledger/db.ts'
import { verifyLedger } from '../src/seal/verify.ts'
import { addPerson, PIN, signIn } from './staff/world.ts'
import { ask, assertFailure } from './world/ask.ts'
import { World } from './world/world.ts'

const ARCHIVE = join(import.meta.dirname, 'golden/backup.tar.gz')
/** The day after it was made. */
const THEN = Date.parse('2026-11-23T09:00:00Z')

type Rows = Record<string, number>

/** Rows of every table that the version of then had. */
function rowsIn(path: string, tables?: readonly string[]): Rows {
  const db = new Sqlite(path, { readonly: true })
  const names =
    tables ??
    db
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
      .pluck()
      .all()
      .map(String)
  const counted = names.map((name) => [name, Number(db.prepare(`SELECT count(*) FROM "${name}"`).pluck().get())])
  db.close()
  return Object.fromEntries(counted)
}

function journalOf(path: string): string[] {
  const db = new Sqlite(path, { readonly: true })
  const entries = db.prepare('SELECT bytes FROM journal ORDER BY idx').pluck().all() as Buffer[]
  db.close()
  return entries.map(String)
}

let world: World
let manifest: BackupManifest
let folder: string
let was: { token: string; authority: string; journal: string[]; rows: Rows; devices: unknown[] }
const dataFile = (name: string) => join(folder, 'data', name)

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-golden-'))
  manifest = await unpackBackup(createReadStream(ARCHIVE), ARCHIVE, folder)
  const db = new Sqlite(dataFile('ledger.db'), { readonly: true })
  const devices = db.prepare('SELECT id, name, revoked_at FROM devices ORDER BY id').all()
  db.close()
  was = {
    token: readFileSync(dataFile('admin-token'), 'utf8'),
    authority: readFileSync(dataFile('ca/authority.pem'), 'utf8'),
    journal: journalOf(dataFile('ledger.db')),
    rows: rowsIn(dataFile('ledger.db')),
    devices,
  }
  world = await World.open({
    offsetMs: THEN - Date.now(),
    environment: { GATEHOUSE_DATA_DIR: join(folder, 'data'), GATEHOUSE_EVENT_DIR: join(folder, 'event') },
  })
})
after(async () => {
  await world?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

it('keeps its token, which opens the control room as before, and its authority', async () => {
  const token = was.token.trim()
  assert.equal(world.box.adminToken, token)
  assert.equal(world.box.adminTokenIsNew, false, 'it is not printed again')
  assert.equal(readFileSync(dataFile('admin-token'), 'utf8'), was.token)
  assert.equal(readFileSync(dataFile('ca/authority.pem'), 'utf8'), was.authority)
  assert.equal(world.box.boxId, manifest.box_id)
  const { data } = await (await world.admin(token)).GET('/v1/admin/devices')
  assert.deepEqual(
    data?.devices.map(({ device_id: id, name, revoked_at }) => ({ id, name, revoked: revoked_at !== null })).sort(byId),
    (was.devices as { id: string; name: string; revoked_at: number | null }[]).map(({ id, name, revoked_at }) => ({
      ...{ id, name },
      revoked: revoked_at !== null,
    })),
  )
  const { data: own } = await (await world.admin(token)).GET('/v1/admin/session')
  assert.partialDeepStrictEqual(own, { way: 'admin_token', role: 'admin', people: false })
  const wrong = { authorization: `Bearer ${token.slice(1)}A` }
  assertFailure(
    await ask(world.box.ports.https, '/v1/admin/devices', { tls: { ca: await world.ca }, headers: wrong }),
    'bad_token',
  )
})

it('loses no entry and no row', () => {
  const now = journalOf(dataFile('ledger.db'))
  assert.ok(was.journal.length === manifest.entries && was.journal.length > 80)
  assert.deepEqual(now.slice(0, was.journal.length), was.journal)
  const there = new Set(Object.keys(rowsIn(dataFile('ledger.db'))))
  // The keys among the small values are in a file beside the ledger since.
  const kept = Object.keys(was.rows).filter((name) => there.has(name) && name !== 'identity')
  const rows = rowsIn(dataFile('ledger.db'), kept)
  for (const name of kept) assert.ok((rows[name] ?? 0) >= (was.rows[name] ?? 0), name)
  for (const name of ['tickets', 'devices', 'movements', 'scans', 'flags', 'seals', 'announcements'])
    assert.ok(kept.includes(name) && (was.rows[name] ?? 0) > 0, `${name} is among them, with rows`)
})

it('makes its first person with the token of then, who signs in; and the record verifies', async () => {
  await addPerson(await world.admin(was.token.trim()), 'Ada Admin', 'admin')
  const { client } = await signIn(world, 'Ada Admin', PIN)
  const { data } = await client.GET('/v1/admin/log', { params: { query: { limit: 500 } } })
  assert.ok((data?.rows.length ?? 0) >= was.journal.length)
  using snapshot = openSnapshot(dataFile('ledger.db'))
  assert.deepEqual(verifyLedger(snapshot).problems, [])
})

function byId(a: { id: string }, b: { id: string }): number {
  return a.id < b.id ? -1 : 1
}
