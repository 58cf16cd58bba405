import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { openLedger } from '../ledger/open.ts'
import { tickets as table } from '../ledger/schema.ts'
import { assignSharedRefs, sharedRefs } from './shared-ref.ts'
import { Tickets } from './tickets.ts'

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-shared-ref-'))
after(() => rmSync(folder, { recursive: true, force: true }))

function keyFile(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const ONE = keyFile('one', `${'a1'.repeat(32)}\n`)
const TWO = keyFile('two', 'b2'.repeat(32))

/** A box with these codes. */
function boxOf(name: string, codes: readonly string[], eventId = 'fair') {
  const opened = openLedger({
    dataDir: join(folder, name),
    eventId,
    wallClock: () => 1_780_000_000_000,
    changelog: 'none',
  })
  const { ledger, identity } = opened
  const insert = async (code: string, n: number) => {
    const tickets = new Tickets(ledger.db, identity.refKey)
    const [codeHash, keyHash] = ['code', 'key'].map((kind) => Buffer.from(`${kind}-${code}`.padEnd(16)))
    if (!codeHash || !keyHash) throw new Error('there are two')
    const personal = {
      holderName: null,
      email: null,
      seat: null,
      validFrom: null,
      validUntil: null,
      statusDetail: null,
    }
    const key = { seed: Buffer.alloc(32), publicKey: Buffer.alloc(32, n), keyHash }
    const ref = tickets.refOf(`${name}${n}`)
    await ledger.commit(() =>
      tickets.insert(
        { ...personal, ...key, ref, capability: `${name}${n}`, code, codeHash, tier: 'once', status: 'valid' },
        0,
      ),
    )
  }
  const refs = () => ledger.db.drizzle.select({ code: table.code, ref: table.sharedRef }).from(table).all()
  return {
    ledger,
    identity,
    insert,
    refs,
    start: () => Promise.all(codes.map(insert)),
    [Symbol.asyncDispose]: async () => ledger[Symbol.dispose](),
  }
}

describe('what names a ticket at several boxes', () => {
  it('is the same at two boxes with one key, also for tickets that were there before it', async () => {
    await using one = boxOf('box-one', ['A', 'B'])
    await using two = boxOf('box-two', ['B'])
    await one.start()
    assert.deepEqual(
      one.refs().map(({ ref }) => ref),
      [null, null],
    )
    await assignSharedRefs(ONE, one.ledger)
    await assignSharedRefs(ONE, two.ledger)
    await two.start()
    const refOf = (box: typeof one, code: string) => box.refs().find((row) => row.code === code)?.ref
    assert.match(refOf(one, 'B') ?? '', /^[0-9a-f]{32}$/)
    assert.equal(refOf(one, 'B'), refOf(two, 'B'))
    assert.notEqual(refOf(one, 'A'), refOf(one, 'B'))

    const { ledger, identity } = two
    const recoded = new Tickets(ledger.db, identity.refKey)
    await ledger.commit(() =>
      recoded.recode(
        { id: 1, code: 'B', deskCode: null },
        { code: 'A', before: Buffer.alloc(16), codeHash: Buffer.alloc(16, 1) },
        0,
      ),
    )
    assert.equal(refOf(two, 'A'), refOf(one, 'A'))

    const before = refOf(one, 'B')
    await assignSharedRefs(undefined, one.ledger)
    assert.equal(refOf(one, 'B'), before)
    await assignSharedRefs(TWO, one.ledger)
    assert.notEqual(refOf(one, 'B'), before)
  })

  it('is another one at another event, and nothing for a file that holds no key', async () => {
    await using fair = boxOf('box-fair', [])
    await using ball = boxOf('box-ball', [], 'ball')
    await assignSharedRefs(ONE, fair.ledger)
    await assignSharedRefs(ONE, ball.ledger)
    assert.notEqual(sharedRefs(fair.ledger.db)('A'), sharedRefs(ball.ledger.db)('A'))
    await assert.rejects(assignSharedRefs(keyFile('short', 'a1b2'), fair.ledger), /is not a ticket key: copy the file/)
    await assert.rejects(assignSharedRefs(join(folder, 'missing'), fair.ledger), /ENOENT/)
  })
})
