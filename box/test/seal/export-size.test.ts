/** An export of a long journal is made and checked in time that grows with it, and in memory that does not. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { recordEvent } from '../../src/event/recorded.ts'
import type { NewEntry } from '../../src/ledger/entries.ts'
import { createLogger } from '../../src/log.ts'
import { exportChunks } from '../../src/seal/export/export.ts'
import { Sealer } from '../../src/seal/sealer.ts'
import { originOf, signingKey, verifierKey } from '../../src/seal/verifier-key.ts'
import { Desk } from '../world/desk.ts'

const ENTRIES = process.env.GATEHOUSE_TEST_LONG ? 1_000_000 : 20_000
/** Between two seals, as the box does it. */
const BATCH = 1000
const VERIFIER = join(import.meta.dirname, '../../verify-export.ts')

function scanOf(i: number, at: string): NewEntry<'scan'> {
  const checkpoint = ['a-in', 'b-in', 'a-out'][i % 3] ?? 'a-in'
  const ticket = Math.floor(i / 3)
    .toString(16)
    .padStart(32, '0')
  const passed = i % 10 !== 9
  return {
    at,
    checkpoint,
    code: ticket,
    confidence: 'confirmed',
    device: `dev-${i % 40}`,
    device_hlc: '1785000000000.000000',
    direction: checkpoint === 'a-out' ? 'out' : 'in',
    observed_at: at,
    occurrence: 1 + (i % 3),
    offline_admitted: false,
    scan_id: `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
    slot: passed ? 'arena' : null,
    surplus: 0,
    ticket,
    tier: 'reentry',
    verdict: passed ? (checkpoint === 'a-out' ? 'EXIT' : 'ADMIT') : 'ALREADY_USED',
  }
}

describe(`an export of ${ENTRIES} entries`, () => {
  it('is made and checked in flat memory', { timeout: 3_600_000 }, async (t) => {
    using desk = await Desk.open({ now: Date.parse('2026-07-17T10:00:00+01:00') })
    const { ledger, identity } = desk.deps
    const origin = originOf(desk.event.id, identity.boxId)
    const key = signingKey(identity.signingSeed)
    await recordEvent(desk.event, identity.boxId, ledger)
    const sealer = new Sealer({ ledger, origin, signingKey: key, logger: createLogger('silent'), now: () => desk.now })
    while (ledger.size < ENTRIES) {
      desk.now += 60_000
      const at = new Date(desk.now).toISOString()
      ledger.transact(() => {
        for (let i = 0; i < BATCH; i++) ledger.append('scan', scanOf(ledger.size, at))
      })
      await sealer.seal()
    }
    const { size = 0 } = sealer.lastSeal() ?? {}

    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-export-'))
    try {
      const path = join(folder, 'event.jsonl')
      const file = openSync(path, 'w')
      const started = performance.now()
      const cover = { origin, signingKey: key, software: 'gatehouse/0', madeAt: desk.now, size }
      for (const chunk of exportChunks(ledger.db, cover)) writeFileSync(file, chunk)
      closeSync(file)
      const made = (performance.now() - started) / 1000
      const megabytes = statSync(path).size / 1e6

      const rss = `data:text/javascript,process.on('exit',()=>process.stderr.write(String(process.resourceUsage().maxRSS)))`
      const before = performance.now()
      const args = ['--import', rss, VERIFIER, path, '--key', verifierKey(origin, key)]
      const ran = spawnSync(process.execPath, args, { env: { PATH: process.env.PATH }, encoding: 'utf8' })
      const seconds = (performance.now() - before) / 1000
      assert.equal(ran.status, 0, ran.stdout)
      const megabytesUsed = Number(ran.stderr) / 1024
      t.diagnostic(
        `${size} entries, ${Math.ceil(size / BATCH)} seals, ${megabytes.toFixed(0)} MB: made in ${made.toFixed(1)} s, checked in ${seconds.toFixed(1)} s with ${megabytesUsed.toFixed(0)} MB`,
      )
      // Node itself takes fifty or more; the file of the long form is five hundred.
      assert.ok(megabytesUsed < 250, `${megabytesUsed} MB`)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
