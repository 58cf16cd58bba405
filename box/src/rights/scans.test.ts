import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import fc from 'fast-check'
import { openDb } from '../ledger/db.ts'
import { Scans, type StoredScan } from './scans.ts'

it('gives back the answer that was put last for a scan id, byte for byte, also after a restart', (t: TestContext) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-scans-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'ledger.db')
  let db = openDb(path)
  const scanId = fc.constantFrom(
    '2f1d0a4e-7c55-4f0e-9d3a-0b1c2d3e4f50',
    '2F1D0A4E-7C55-4F0E-9D3A-0B1C2D3E4F50',
    'a',
    'A',
    'a ',
    '',
    '1',
    '01',
    '\u00e4',
    'a\u0308',
    '\u{1f39f}',
  )
  const digest = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes))
  const stored = fc
    .tuple(scanId, digest, fc.boolean(), fc.json(), fc.nat())
    .map(([scanId, digest, passed, response, entry]): StoredScan => ({ scanId, digest, passed, response, entry }))
  const expected = new Map<string, StoredScan>()
  const law = fc.property(fc.array(stored), (puts) => {
    const scans = new Scans(db)
    db.transaction(() => {
      for (const scan of puts) scans.put(scan)
    })
    for (const scan of puts) expected.set(scan.scanId, scan)
    db.close()
    db = openDb(path)
    const again = new Scans(db)
    for (const [id, scan] of expected) assert.deepEqual(again.find(id), scan)
    assert.equal(again.find('never'), undefined)
  })
  fc.assert(law, { numRuns: 20 })
  db.close()
})
