import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it, type TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { sql } from '../drizzle/core.ts'
import type { GatehouseError } from '../errors.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { openLedger } from '../ledger/open.ts'
import { createLogger } from '../log.ts'
import { openCheckpoint } from './checkpoint.ts'
import { consistencyProof, leafHash, rootOf, verifyConsistency } from './merkle.ts'
import { readVerifierKey } from './note.ts'
import { type Seal, Sealer } from './sealer.ts'
import { LogTree, rootOver } from './tree.ts'
import { signingKey, verifierKey } from './verifier-key.ts'

const ORIGIN = 'gatehouse/test-fair/box-0badcafe'
const KEY = signingKey(Buffer.alloc(32, 7))
const VERIFIER = readVerifierKey(verifierKey(ORIGIN, KEY))
const ACT = { actor: 'Ana', address: '192.0.2.1' }

describe('the sealer', () => {
  let folder: string
  let ledger: Ledger
  let sealer: Sealer
  let lines: string[]

  function open(): { ledger: Ledger; sealer: Sealer } {
    const opened = openLedger({ dataDir: folder, eventId: 'test-fair', wallClock: () => 1_785_000_000_000 })
    const logger = createLogger('info', { write: (line) => void lines.push(line) })
    return {
      ledger: opened.ledger,
      sealer: new Sealer({ ledger: opened.ledger, origin: ORIGIN, signingKey: KEY, logger, now: () => 5 }),
    }
  }
  const restart = () => {
    ledger[Symbol.dispose]()
    ;({ ledger, sealer } = open())
  }
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-sealer-'))
    lines = []
    ;({ ledger, sealer } = open())
  })
  afterEach(async () => {
    await sealer[Symbol.asyncDispose]()
    ledger[Symbol.dispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  const append = (count: number, to = ledger) =>
    to.commit(() => {
      for (let i = 0; i < count; i++) to.append('mode', { actor: `${i}`, mode: 'STRICT', reason: 'test' })
    })
  const tamper = (statement: string) => ledger.db.drizzle.run(sql.raw(statement))
  const refused = async (why: string) => {
    const before = sealer.seals()
    const size = ledger.size
    await assert.rejects(
      sealer.seal(ACT),
      (error: GatehouseError) => error.code === 'conflict' && error.message.includes(why),
    )
    assert.equal(sealer.refusal, why)
    assert.deepEqual(sealer.seals(), before)
    assert.equal(ledger.size, size, 'what was asked for is not journalled either')
  }

  /** Each seal's note says what its row says, and its tree continues the one before. */
  function assertChain(seals: Seal[]): void {
    const tree = new LogTree(ledger.db)
    const range = (start: number, end: number) => tree.range(start, end)
    const hashes = ledger.read(0, 1e6).map(({ bytes }) => leafHash(bytes))
    for (const [i, { size, root, note }] of seals.entries()) {
      const checkpoint = openCheckpoint(note, VERIFIER)
      assert.deepEqual([checkpoint.size, Buffer.from(checkpoint.root)], [size, root])
      assert.deepEqual(rootOver(hashes.slice(0, size)), root)
      const before = seals[i - 1]
      if (!before) continue
      assert.ok(before.size < size)
      const proof = consistencyProof(before.size, size, range)
      verifyConsistency({ first: before.size, second: size, firstRoot: before.root, secondRoot: root }, proof)
    }
  }

  it('signs how long the journal is and its root, and says nothing of a journal without entries', async () => {
    assert.equal(await sealer.seal(), undefined)
    await append(3)
    const seal = await sealer.seal()
    assert.deepEqual([seal?.size, seal?.at], [3, 5])
    assert.deepEqual(sealer.lastSeal(), seal)
    assertChain(sealer.seals())
    assert.deepEqual(
      rootOf(3, (a, b) => new LogTree(ledger.db).range(a, b)),
      seal?.root,
    )
  })

  it('has one seal for one length, and an entry of whoever asked, which the seal covers', async () => {
    await append(3)
    const first = await sealer.seal()
    assert.deepEqual(await sealer.seal(), first)
    const asked = await sealer.seal(ACT)
    assert.equal(asked?.size, 4)
    const { kind, bytes } = ledger.read(3, 1)[0] ?? assert.fail()
    const { actor, address } = JSON.parse(bytes.toString())
    assert.deepEqual([kind, actor, address], ['seal', 'Ana', '192.0.2.1'])
    assert.equal(sealer.seals().length, 2)
  })

  it('continues its chain through many sizes, restarts, and a second process that seals too', async () => {
    const other = open()
    try {
      for (const [i, count] of [1, 255, 1, 1000, 5000, 2, 70].entries()) {
        await append(count)
        await append(count, other.ledger)
        if (i === 3) restart()
        await Promise.all([sealer.seal(ACT), other.sealer.seal(ACT), sealer.seal(), other.sealer.seal()])
      }
      assert.equal(sealer.seals().length, 14)
      assert.deepEqual(other.sealer.seals(), sealer.seals())
      assertChain(sealer.seals())
    } finally {
      other.ledger[Symbol.dispose]()
    }
  })

  it('keeps nothing of a seal that did not reach the disk', async () => {
    await append(3)
    await sealer.seal()
    await append(1)
    // A crash, a full disk or a neighbour's failure does the same: the transaction is gone after the note was signed.
    assert.throws(() =>
      ledger.transact(() => {
        void sealer.seal(ACT)
        throw new Error('power cut')
      }),
    )
    tamper('PRAGMA query_only = 1')
    await assert.rejects(sealer.seal(ACT))
    tamper('PRAGMA query_only = 0')
    assert.equal(sealer.refusal, null)
    restart()
    assertChain(sealer.seals())
    await append(1)
    await sealer.seal()
    assertChain(sealer.seals())
  })

  it('signs nothing that contradicts its newest seal, and says why', async () => {
    await append(600)
    await sealer.seal()
    await append(10)
    const bytes = (index: number) => `bytes = CAST(replace(bytes, 'test', 'tost') AS BLOB) WHERE idx = ${index}`
    for (const [why, breakIt, mend] of [
      [
        'entries_changed',
        `UPDATE journal SET ${bytes(599)}`,
        `UPDATE journal SET ${bytes(599).replace("'test', 'tost'", "'tost', 'test'")}`,
      ],
      ['entries_changed', 'UPDATE subtrees SET hash = zeroblob(32) WHERE idx = 1', undefined],
    ] as const) {
      tamper(breakIt)
      await refused(why)
      if (mend) tamper(mend)
      else tamper('DELETE FROM subtrees')
      assert.ok(await sealer.seal(ACT))
      assert.equal(sealer.refusal, null)
    }
    tamper('UPDATE seals SET root = zeroblob(32) WHERE size = (SELECT max(size) FROM seals)')
    await refused('seal_changed')
    await assert.rejects(sealer.seal(), { code: 'conflict', reason: 'record_contradicts' })
  })

  it('signs nothing after entries or seals have gone missing', async () => {
    await append(600)
    await sealer.seal()
    tamper('DELETE FROM journal WHERE idx >= 590')
    restart()
    await refused('entries_missing')
    tamper('DELETE FROM seals')
    await refused('seal_missing')
  })

  it('does it by itself: every minute, after 1,000 entries, when the mode changes, and at the end', async (t: TestContext) => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    const sealed = async (size: number) => {
      for (let turn = 0; turn < 100 && sealer.lastSeal()?.size !== size; turn++) await setImmediate()
      assert.equal(sealer.lastSeal()?.size, size)
    }
    const idle = async () => {
      for (let turn = 0; turn < 20; turn++) await setImmediate()
    }
    const quiet = (count: number) =>
      ledger.commit(() => {
        for (let i = 0; i < count; i++) ledger.append('restart', { actor: `${i}`, address: '::1' })
      })
    await quiet(5)
    sealer.start()
    t.mock.timers.tick(59_999)
    await idle()
    assert.equal(sealer.lastSeal(), undefined)
    t.mock.timers.tick(1)
    await sealed(5)
    t.mock.timers.tick(60_000)
    await idle()
    await quiet(998)
    await idle()
    await sealed(5)
    await quiet(2)
    await sealed(1005)
    await append(1)
    await sealed(1006)
    await quiet(1)
    await sealer[Symbol.asyncDispose]()
    await sealed(1007)
    assert.equal(sealer.seals().length, 4)
    assertChain(sealer.seals())
    assert.deepEqual(lines, [])
  })

  it('goes on by itself when it cannot, and the log says why', async () => {
    await append(3)
    await sealer.seal()
    tamper('UPDATE seals SET note = note || note')
    await append(3)
    await sealer[Symbol.asyncDispose]()
    const [line] = lines.map((text) => JSON.parse(text))
    assert.deepEqual([line.event, line.refusal, line.err.code], ['not_sealed', 'seal_missing', 'conflict'])
  })
})
