import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from '../drizzle/core.ts'
import { GatehouseError } from '../errors.ts'
import { openLedger } from '../ledger/open.ts'
import { journal } from '../ledger/schema.ts'
import { ExportThreads } from './export/thread.ts'
import { Inspections } from './inspections.ts'
import { signingKey } from './verifier-key.ts'

const BY = { actor: 'a', address: '::1' }

describe('what reads the whole record', () => {
  let dataDir: string
  let path: string
  before(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-inspections-'))
    path = join(dataDir, 'ledger.db')
    openLedger({ dataDir, eventId: 'test-fair', wallClock: Date.now }).ledger[Symbol.dispose]()
  })
  after(() => rmSync(dataDir, { recursive: true, force: true }))

  const cover = {
    origin: 'gatehouse/test-fair/box',
    signingKey: signingKey(Buffer.alloc(32)),
    software: 's',
    madeAt: 0,
  }
  const closed = { code: 'ledger_unavailable', message: /closing/ }

  it('says of a record that somebody has damaged what to do', async () => {
    const { ledger } = openLedger({ dataDir, eventId: 'test-fair', wallClock: Date.now })
    const { index } = ledger.transact(() => ledger.append('seal', BY))
    ledger.db.drizzle
      .update(journal)
      .set({ kind: 'scan', bytes: Buffer.from('{"half') })
      .where(eq(journal.index, index))
      .run()
    ledger[Symbol.dispose]()
    await using exports = new ExportThreads(path)
    await assert.rejects(exports.report({ ...cover, size: index + 1 }), (error) => {
      return error instanceof GatehouseError && error.code === 'conflict' && /gatehouse verify/.test(error.message)
    })
  })

  it('says how far a verification is, and of none that it is not there', async () => {
    const { ledger } = openLedger({ dataDir, eventId: 'test-fair', wallClock: Date.now })
    ledger.transact(() => {
      for (let i = 0; i < 3000; i++) ledger.append('seal', BY)
    })
    ledger[Symbol.dispose]()
    await using inspections = new Inspections(path)
    const fraction = () => inspections.verified
    assert.equal(fraction(), undefined)
    const answer = inspections.verify()
    const seen = new Set([fraction()])
    const look = setInterval(() => seen.add(fraction()), 1)
    await answer.finally(() => clearInterval(look))
    assert.equal(fraction(), undefined)
    assert.ok(seen.has(0), 'it begins at nothing')
    const steps = [...seen].filter((step) => step !== undefined)
    assert.deepEqual(steps, steps.toSorted(), 'and only grows')
    assert.ok(steps.length > 1, `${steps}`)
  })

  // A thread takes longer to begin than any of these waits.
  for (const ms of [0, 1, 20]) {
    it(`says that the box is closing when it does so ${ms} ms later, and afterwards`, async () => {
      const inspections = new Inspections(path)
      const exports = new ExportThreads(path)
      const asked = [inspections.verify(), exports.report({ ...cover, size: 0 })]
      const answers = Promise.all(asked.map((answer) => assert.rejects(answer, closed)))
      if (ms > 0) await sleep(ms)
      await Promise.all([inspections[Symbol.asyncDispose](), exports[Symbol.asyncDispose]()])
      await answers
      await assert.rejects(inspections.verify(), closed)
      await assert.rejects(exports.report({ ...cover, size: 0 }), closed)
    })
  }
})
