import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Value } from 'typebox/value'
import type { Publication, Situation, Slot } from './catalog.ts'
import { PostgresOptions } from './options.ts'
import { type Known, plan } from './plan.ts'

const SLOT: Slot = {
  plugin: 'pgoutput',
  type: 'logical',
  database: 'shop',
  temporary: false,
  activePid: null,
  restartLsn: '0/50',
  confirmedFlushLsn: '0/60',
  retainedWalBytes: 0,
  walStatus: 'reserved',
  safeWalBytes: null,
  invalidation: null,
}
const PUBLICATION: Publication = { oid: '7', allTables: true, leavesOut: [], tables: [] }
const KNOWN: Known = { acknowledged: 0x60n, publication: '7' }

interface Case {
  slot?: Partial<Slot> | null
  publication?: Partial<Publication> | null
  known?: Known | null
  broken?: string
  apart?: string
  /** The objects that may be created, and whether a loss is accepted. */
  may?: ('slot' | 'publication' | 'recreate')[]
}

function decide({ slot = {}, publication = {}, known = KNOWN, broken, apart, may = [] }: Case) {
  const options = Value.Default(PostgresOptions, {
    kind: 'postgres',
    slot: { create: may.includes('slot'), onLost: may.includes('recreate') ? 'recreate' : 'fail' },
    publication: { create: may.includes('publication') },
  }) as PostgresOptions
  const situation: Situation = {
    version: 180_000,
    database: { name: 'shop', oid: '5' },
    walLevel: 'logical',
    end: 0x100n,
    slot: slot === null ? undefined : { ...SLOT, ...slot },
    publication: publication === null ? undefined : { ...PUBLICATION, ...publication },
  }
  const step = plan(situation, known ?? undefined, options, { broken, apart })
  if ('reason' in step) return `${step.action}: ${step.reason}`
  return step.action === 'create' ? `create ${step.publication}` : step.action
}

describe('what becomes of slot and publication', () => {
  it('streams where it was left, further back, and where nothing is known', () => {
    assert.equal(decide({}), 'stream')
    // A server that has crashed may have forgotten the last acknowledgements.
    assert.equal(decide({ slot: { confirmedFlushLsn: '0/5F' } }), 'stream')
    assert.equal(decide({ known: null, slot: { confirmedFlushLsn: '0/FF' } }), 'stream')
    assert.equal(decide({ slot: { walStatus: 'extended' } }), 'stream')
  })

  it('creates what was never there, when it may', () => {
    const never: Case = { slot: null, publication: null, known: null }
    assert.equal(decide({ ...never, may: ['slot', 'publication'] }), 'create true')
    assert.equal(decide({ ...never, publication: {}, may: ['slot'] }), 'create false')
    assert.match(decide({ ...never, may: ['slot'] }), /^fail: There is no publication/)
    assert.match(decide({ ...never, may: ['publication', 'recreate'] }), /^fail: There is no slot/)
    assert.match(
      decide({ ...never, slot: {}, may: ['slot', 'publication', 'recreate'] }),
      /^fail: There is no publication .*drop the slot/,
    )
  })

  it('never mends a loss in silence', () => {
    const losses: [Case, RegExp][] = [
      [{ slot: null }, /slot changefeed is gone/],
      [{ slot: { walStatus: 'lost' } }, /has invalidated the slot changefeed \(wal_removed\)/],
      [{ slot: { invalidation: 'idle_timeout' } }, /\(idle_timeout\)/],
      [{ slot: { invalidation: 'rows_removed' }, known: null }, /\(rows_removed\)/],
      [{ publication: null }, /publication changefeed is gone/],
      [{ publication: { oid: '8' } }, /publication changefeed was dropped and made again/],
      [{ broken: 'publication "x" does not exist' }, /cannot be read: publication "x" does not exist/],
      [{ slot: { confirmedFlushLsn: '0/61' } }, /stands at 0\/61, further on than it was left/],
    ]
    for (const [loss, why] of losses) {
      for (const may of [[], ['slot', 'publication']] as const) {
        const told = decide({ ...loss, may: [...may] })
        assert.match(told, /^fail: .*Changes are lost/)
        assert.match(told, why)
      }
      const mended = decide({ ...loss, may: ['recreate', 'publication'] })
      assert.match(mended, /^recreate: /)
      assert.match(mended, why)
    }
    assert.match(decide({ publication: null, may: ['recreate'] }), /^fail: .*publication\.create is not set/)
  })

  it('never touches what is somebody else’s', () => {
    const all: Case = { may: ['slot', 'publication', 'recreate'] }
    assert.match(decide({ ...all, slot: { type: 'physical', plugin: null } }), /^fail: .*configure another name/)
    assert.match(decide({ ...all, slot: { plugin: 'wal2json' } }), /^fail: .*configure another name/)
    assert.match(decide({ ...all, slot: { database: 'other' } }), /^fail: .*belongs to the database other/)
  })

  it('never takes another log for a first start, and goes on with its slot where it has one', () => {
    const apart = 'Another cluster answers'
    for (const slot of [null, {}] as const) {
      assert.match(
        decide({ apart, slot, may: ['slot', 'publication'] }),
        /^fail: Another cluster answers\. .*do not join/,
      )
      assert.equal(decide({ apart, slot, may: ['recreate'] }), 'recreate: Another cluster answers')
    }
    assert.match(decide({ apart, publication: null, may: ['recreate'] }), /publication\.create is not set/)
  })
})
