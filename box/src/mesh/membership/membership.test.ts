import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { keyHolder } from '../../../test/mesh/keys.ts'
import { COMMAND_LINE } from '../../ca/actor.ts'
import { GatehouseError } from '../../errors.ts'
import { openLedger } from '../../ledger/open.ts'
import { boxes } from '../../ledger/schema.ts'
import { signingKey } from '../../seal/verifier-key.ts'
import { firstTopology, signTopology, type Topology, TopologyError, withBox, withoutBox } from '../topology.ts'
import { Membership } from './membership.ts'

const eventKey = signingKey(randomBytes(32))
const box = (id: string) => ({
  id,
  name: `Gate ${id}`,
  log_key: `gatehouse/fair/${id}+00000000+AAAA`,
  host: '10.0.0.2',
  ports: { route: 6222, leaf: 7422 },
  https: 'https://10.0.0.2:8443',
  device: 'https://10.0.0.2:8444',
})
const act = (action: 'began' | 'joined' | 'removed', about: string) => ({ ...COMMAND_LINE, action, box: about })

describe('membership', () => {
  let folder: string
  let stack: DisposableStack
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-membership-'))
    stack = new DisposableStack()
    stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  })
  afterEach(() => stack.dispose())

  /** A process of its own over the same ledger. */
  const open = (self = keyHolder('box-self')) => {
    const { ledger } = openLedger({ dataDir: folder, eventId: 'fair', wallClock: () => 1_000 })
    stack.defer(() => ledger[Symbol.dispose]())
    const membership = stack.use(
      new Membership({ ledger, eventId: 'fair', eventKey, keyHolder: self, now: () => 1_000 }),
    )
    const told: number[] = []
    membership.onChange(({ version }) => told.push(version))
    return { ledger, membership, told }
  }
  const first = () => firstTopology('fair', box('box-a'))

  it('begins with nobody, and tells each change once, whoever made it', async () => {
    const [one, other] = [open(), open()]
    assert.equal(one.membership.topology, undefined)
    await assert.rejects(
      one.membership.change(() => undefined, act('began', 'box-a')),
      (error) => error instanceof GatehouseError && error.code === 'conflict',
    )
    await one.membership.change(first, act('began', 'box-a'))
    // The other process has not looked yet: its change goes on from what is on disk.
    await other.membership.change((now) => withBox(now as Topology, box('box-b')), act('joined', 'box-b'))
    assert.deepEqual(other.told, [2])
    one.ledger.transact(() => {})
    assert.deepEqual(one.told, [1, 2])
    assert.equal(one.membership.signed, other.membership.signed)
    const kinds = one.ledger.read(0, 10).map(({ kind, fields }) => [kind, kind === 'mesh' && fields.action])
    assert.deepEqual(kinds, [
      ['mesh', 'began'],
      ['mesh', 'joined'],
    ])
  })

  it('takes a newer list that the event has signed, and nothing else', async () => {
    const { membership, ledger, told } = open()
    await membership.change(first, act('began', 'box-a'))
    const two = withBox(first(), box('box-b'))
    const { size } = ledger
    await assert.rejects(membership.adopt('{}', 'box-b'), TopologyError)
    await assert.rejects(membership.adopt(signTopology(two, signingKey(randomBytes(32))), 'box-b'), TopologyError)
    const foreign = firstTopology('expo', box('box-a'))
    await assert.rejects(membership.adopt(signTopology(foreign, eventKey), 'box-b'), TopologyError)
    assert.equal(ledger.size, size, 'nothing of it is written down')

    assert.equal(await membership.adopt(signTopology(two, eventKey), 'box-b'), true)
    assert.equal(await membership.adopt(signTopology(two, eventKey), 'box-b'), false, 'not twice')
    assert.equal(await membership.adopt(signTopology(first(), eventKey), 'box-b'), false, 'nor an older one')
    assert.deepEqual(told, [1, 2])
  })

  it('keeps who has left, and what is known of their journals', async () => {
    const { membership, ledger } = open()
    await membership.change(() => withBox(first(), box('box-b')), act('joined', 'box-b'))
    const { drizzle } = ledger.db
    drizzle.update(boxes).set({ heard: 7 }).run()
    await membership.change((now) => now && withoutBox(now, 'box-b'), act('removed', 'box-b'))
    const rows = drizzle.select().from(boxes).all()
    assert.deepEqual(
      rows.map(({ id, heard, leftAt }) => [id, heard, leftAt]),
      [
        ['box-a', 7, null],
        ['box-b', 7, 1_000],
      ],
    )
    await assert.rejects(
      membership.change((now) => now && withoutBox(now, 'box-z'), act('removed', 'box-z')),
      (error) => error instanceof GatehouseError && error.code === 'conflict',
    )
  })
})
