/** A CSV of no known shop: matched over the network, kept in the event's folder, and read from there by everything else. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { GatehouseClient } from '@gatehouse/proto/client.ts'
import { COLUMNS_HEAD_BYTES } from '@gatehouse/proto/wire/import-columns.ts'
import { importFile } from '../../src/cli/import.ts'
import { World } from '../world/world.ts'

const FILE = 'Kartennr;Sorte;Stand\nK-1;Tag;offen\nK-2;Tag;da\n'
const MATCH = {
  column: ['code=Kartennr', 'tier=Sorte', 'status=Stand'],
  status: ['offen=pending', 'da=valid'],
  tier: ['Tag=once'],
}

describe('a file of no known shop', () => {
  let world: World
  let admin: GatehouseClient
  let kept: string
  before(async () => {
    world = await World.open()
    admin = await world.admin()
    kept = join(world.environment.GATEHOUSE_EVENT_DIR ?? '', 'columns.json')
  })
  after(() => world[Symbol.asyncDispose]())

  const sent = (body: string | Buffer) => ({
    body: body as never,
    bodySerializer: (file: unknown) => file as BodyInit,
    headers: { 'content-type': 'application/octet-stream' },
  })
  const send = (file: string, query: object = {}) =>
    admin.POST('/v1/admin/import/tickets', { params: { query }, ...sent(file) })
  const look = (file: string | Buffer) => admin.POST('/v1/admin/import/columns', sent(file))

  const kinds = (file: string | Buffer) => admin.POST('/v1/admin/import/kinds', sent(file))

  it('shows which ticket types a column could name, before there is an event for them, without a trace', async () => {
    const { data } = await kinds(FILE)
    assert.deepEqual(data, {
      ...{ format: 'unknown', tickets: 0, kinds: [], more: false, tier_column: null },
      columns: [
        { name: 'Kartennr', values: ['K-1', 'K-2'], more: false },
        { name: 'Sorte', values: ['Tag'], more: false },
        { name: 'Stand', values: ['offen', 'da'], more: false },
      ],
    })
    assert.ok(!existsSync(kept))
    // A file that an import would refuse is refused here, by a thread that the box does without.
    for (const bad of [
      '[[[[',
      '{"orders": [',
      'Order code;Product\nX;VIP\n',
      Buffer.alloc(70_000),
      Buffer.from([0x50, 0x4b, 3, 4]),
    ]) {
      const { error, response } = await kinds(bad)
      assert.deepEqual([response.status, error?.code], [400, 'bad_request'])
    }
    assert.equal((await admin.GET('/v1/admin/stats')).response.status, 200)
  })

  it('is asked for, previewed without a trace, imported, and known from then on', async () => {
    const { data: first } = await look(FILE)
    assert.deepEqual(first, {
      format: 'unknown',
      columns: [
        { name: 'Kartennr', values: ['K-1', 'K-2'], more: false },
        { name: 'Sorte', values: ['Tag'], more: false },
        { name: 'Stand', values: ['offen', 'da'], more: false },
      ],
      ...{ kept: null, fits: false, missing: [] },
    })
    assert.match((await send(FILE)).error?.message ?? '', /of no known shop/)
    const { data: dry } = await send(FILE, { ...MATCH, dry_run: true })
    assert.deepEqual([dry?.added, dry?.matched, dry?.warnings], [2, 'now', []])
    assert.ok(!existsSync(kept))
    const { data: done } = await send(FILE, MATCH)
    assert.deepEqual([done?.added, done?.warnings], [2, []])
    const device = await world.device()
    assert.equal((await device.scan('K-2')).verdict, 'ADMIT')
    assert.equal((await device.scan('K-1')).verdict, 'NOT_PAID')

    const next = FILE.replace('offen', 'da').concat('K-3;Tag;da\n')
    assert.equal((await look(next)).data?.fits, true)
    assert.equal((await kinds(next)).data?.tier_column, 'Sorte')
    const { data: again } = await send(next)
    assert.deepEqual([again?.matched, again?.added, again?.changed], ['kept', 1, 1])
    assert.equal((await device.scan('K-1')).verdict, 'ADMIT')
  })

  it('is known to the command line by the same file, and a file whose columns moved is not', async (t) => {
    const path = join(world.environment.GATEHOUSE_EVENT_DIR ?? '', '..', 'next.csv')
    const run = async (text: string, values = {}) => {
      writeFileSync(path, text)
      const log = t.mock.method(console, 'log', () => {})
      await importFile.run({ values, positionals: [path], environment: world.environment })
      const [call] = log.mock.calls
      log.mock.restore()
      return String(call?.arguments[0])
    }
    assert.match(await run(`${FILE}K-4;Tag;da\n`), /^Imported by the columns of an earlier file: .* 1 added/)
    const moved = 'Sorte;Kartennr;Stand\nTag;K-5;da\n'
    await assert.rejects(run(moved), /of no known shop/)
    const { data } = await look(moved)
    assert.deepEqual([data?.fits, data?.missing, data?.kept?.header], [false, [], ['Kartennr', 'Sorte', 'Stand']])
    const values = { column: MATCH.column, status: MATCH.status, tier: MATCH.tier }
    assert.match(await run(moved, values), /^Imported by the columns named: .* 1 added/)
    assert.equal((await look(moved)).data?.fits, true)
    assert.equal(JSON.parse(readFileSync(kept, 'utf8')).files.length, 2)
  })

  it('is kept once for the same columns, with the tiers of both times', async () => {
    const { data } = await send(`${FILE}K-6;Woche;da\n`, { tier: 'Woche=daily' })
    assert.deepEqual([data?.rejected, data?.matched], [[], 'kept'])
    const { files } = JSON.parse(readFileSync(kept, 'utf8'))
    assert.equal(files.length, 2)
    assert.deepEqual(files.at(-1).tiers, [
      { product: 'Tag', tier: 'once' },
      { product: 'Woche', tier: 'daily' },
    ])
  })

  it('is imported beside a columns.json that somebody broke, which stays as it is and is named', async () => {
    const sound = readFileSync(kept, 'utf8')
    for (const broken of ['{"version": 1', '{"version": 2, "files": []}', '{"version": 1, "files": [{"header": 7}]}']) {
      writeFileSync(kept, broken)
      assert.equal((await look(FILE)).data?.kept, null)
      const { data } = await send(FILE, MATCH)
      assert.match(data?.warnings.at(-1) ?? '', /was not kept: columns.json .*: correct it, or remove it/)
      assert.equal(readFileSync(kept, 'utf8'), broken)
      // A shop's own file needs none of it.
      assert.deepEqual((await send('code,tier\nK-1,once\n', { dry_run: true })).data?.warnings, [])
    }
    writeFileSync(kept, sound)
  })

  it('is looked at by admins alone, and by its beginning', async () => {
    const stranger = await world.admin('not the token')
    const { error } = await stranger.POST('/v1/admin/import/columns', sent(FILE))
    assert.equal(error?.code, 'bad_token')
    assert.equal((await look(Buffer.alloc(COLUMNS_HEAD_BYTES + 1, 'a,b\n'))).error?.code, 'too_large')
    assert.equal((await look('')).error?.code, 'bad_request')
    const wide = `${Array.from({ length: 10_000 }, (_, i) => `c${i}`).join(',')}\n`
    assert.match((await look(wide)).error?.message ?? '', /10000 columns/)
  })
})
