import assert from 'node:assert/strict'
import { Buffer } from 'node:buffer'
import { describe, it } from 'node:test'
import type { ChangeEvent } from '../../change.ts'
import { Transactions } from './transactions.ts'

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')
const BEGIN = hex(`42 0000000100000002 0000000000000001 00000001`)
const COMMIT = hex(`43 00 0000000100000002 0000000100000032 0000000000000001`)
const RELATION = hex(`52 00000001 7000 7400 64 0001 01 6100 00000017 ffffffff`)
const INSERT = hex(`49 00000001 4e 0001 74 00000001 37`)
const TRUNCATE = hex(`54 00000002 00 00000001 00000001`)

function listen() {
  const events: ChangeEvent[] = []
  const commits: object[] = []
  const begun: object[] = []
  const listener = {
    began: () => assert.fail(),
    event: (event: ChangeEvent) => void events.push(event),
    commit: (commit: object) => void commits.push(commit),
    idle: () => assert.fail(),
    gap: () => assert.fail(),
  }
  const transactions = new Transactions(listener, (transaction) => begun.push(transaction))
  return { events, commits, begun, transactions, take: (bytes: Buffer) => transactions.take(bytes, 0, 0xa, 0xbc) }
}

describe('transactions', () => {
  it('number their events, and end behind their commit', () => {
    const { events, commits, begun, transactions, take } = listen()
    for (let times = 0; times < 2; times++) {
      take(BEGIN)
      assert.equal(transactions.between, false)
      for (const message of [RELATION, INSERT, TRUNCATE, INSERT]) take(message)
      assert.deepEqual(begun.at(-1), { commitLsn: 0x1_0000_0002n, commitTime: '2000-01-01T00:00:00.000001Z' })
      take(COMMIT)
      assert.equal(transactions.between, true)
    }
    const [event] = events
    assert.deepEqual(event, {
      id: '1/2:0',
      lsn: 'A/BC',
      commitLsn: '1/2',
      commitTime: '2000-01-01T00:00:00.000001Z',
      schema: 'p',
      table: 't',
      op: 'insert',
      beforeJson: '',
      afterJson: '{"a":"7"}',
      position: { commitLsn: 0x1_0000_0002n, index: 0 },
      bytes: event?.bytes,
    })
    assert.ok((event?.bytes ?? 0) > 100)
    const ids = ['1/2:0', '1/2:1', '1/2:2', '1/2:3']
    assert.deepEqual(
      events.map(({ id }) => id),
      [...ids, ...ids],
    )
    assert.deepEqual(
      commits,
      [0, 1].map(() => ({ commitLsn: 0x1_0000_0002n, end: 0x1_0000_0032n })),
    )
  })

  it('may be empty', () => {
    const { events, commits, take } = listen()
    take(BEGIN)
    take(COMMIT)
    assert.deepEqual([events.length, commits.length], [0, 1])
  })

  it('are not mixed up', () => {
    const error = (message: RegExp) => ({ name: 'ProtocolError', message })
    const { take } = listen()
    take(RELATION)
    assert.throws(() => take(INSERT), error(/outside of a transaction/))
    assert.throws(() => take(COMMIT), error(/outside of a transaction/))
    take(BEGIN)
    assert.throws(() => take(BEGIN), error(/begins inside another/))
    const other = Buffer.from(COMMIT).fill(9, 2, 10)
    assert.throws(() => take(other), error(/did not promise/))
    const never = Buffer.from(BEGIN).fill(0x7f, 9, 17)
    assert.throws(() => listen().take(never), error(/no calendar/))
  })

  it('name a change that is too large to carry, and do not decode it', () => {
    const { events, take } = listen()
    take(BEGIN)
    for (const message of [RELATION, INSERT]) take(message)
    // As the server sends 300 MB of bytea; the pages of zeros take no memory.
    const huge = Buffer.alloc(600_000_013)
    hex('49 00000001 4e 0001 74 23c34600').copy(huge)
    assert.throws(() => take(huge), {
      name: 'SourceError',
      message: /^The change 1\/2:1 of p\.t takes 600000013 bytes.*pg_replication_slot_advance\('<slot>', '1\/3'\)/,
    })
    assert.equal(events.length, 1)
  })
})
