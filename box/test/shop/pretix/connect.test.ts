/** `gatehouse shop connect` as an operator types it, against a server of pretix's shapes: what it proposes, writes and refuses. */
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseEvent } from '../../../src/event/event.ts'
import { gatehouse } from '../../world/command.ts'
import { answer, PretixServer, TOKEN } from './server.ts'
import { position } from './world.ts'

async function world() {
  const pretix = await PretixServer.start()
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-connect-'))
  const environment = { GATEHOUSE_DATA_DIR: join(folder, 'data'), GATEHOUSE_EVENT_DIR: join(folder, 'event') }
  pretix.items = [
    { id: 1, name: { en: 'Ticket', de: 'Karte' }, admission: true, variations: [] },
    {
      ...{ id: 2, name: { en: 'Special' }, admission: true },
      variations: [
        { id: 21, value: { en: 'VIP' } },
        { id: 22, value: { en: 'Flex' } },
      ],
    },
    { id: 3, name: { en: 'Mug # 1' }, admission: false, variations: [] },
  ]
  pretix.lists = [
    { id: 5, name: 'Entrance', all_products: true, limit_products: [], subevent: null, allow_entry_after_exit: false },
    { id: 6, name: 'Lounge: "quiet"', all_products: false, limit_products: [2], subevent: null },
  ]
  const at = '2026-07-01T10:00:00.000000Z'
  const order = { code: 'AAA', status: 'p', testmode: false, datetime: at, last_modified: at }
  pretix.orders = [
    { ...order, positions: [position({ id: 1 }), position({ id: 2, item: 3 }), position({ id: 3, item: 9 })] },
  ]
  return {
    pretix,
    event: join(folder, 'event'),
    data: join(folder, 'data'),
    connect: (...args: string[]) => gatehouse(['shop', 'connect', pretix.url, TOKEN, ...args], { environment }),
    run: (...args: string[]) => gatehouse(args, { environment }),
    async [Symbol.asyncDispose]() {
      await pretix[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true })
    },
  }
}

test('a token becomes an event file, a mapping and a connection, and check-event finds no mistake in them', async () => {
  await using w = await world()
  const { code, out, err } = await w.connect()
  assert.equal(code, 0, err)
  const file = JSON.parse(readFileSync(join(w.event, 'event.json'), 'utf8'))
  assert.ok(!('mistakes' in parseEvent(file)))
  assert.deepEqual(
    file.tiers.map(({ id, name, entry }: Record<string, string>) => [id, name, entry]),
    [
      ['ticket', 'Ticket', 'once'],
      ['special-vip', 'Special – VIP', 'once'],
      ['special-flex', 'Special – Flex', 'once'],
    ],
  )
  const lounge = file.checkpoints.find(({ id }: { id: string }) => id === 'lounge-quiet-in')
  assert.deepEqual(lounge.tiers, ['special-vip', 'special-flex'])
  const mapping = readFileSync(join(w.event, 'pretix.yaml'), 'utf8')
  for (const line of [
    'item:1: ticket',
    "item:3: ''",
    '5: [entrance-in, entrance-out]',
    '6: [lounge-quiet-in, lounge-quiet-out]',
  ])
    assert.ok(mapping.includes(line), `${line} in\n${mapping}`)
  assert.equal(statSync(join(w.data, 'shop.json')).mode & 0o777, 0o600)
  assert.doesNotMatch(out + err + mapping, /aaaaaaaa/)
  assert.match(out, /list 5 \(Entrance\): entrance-in, entrance-out/)
  const checked = await w.run('check-event')
  assert.equal(checked.code, 0, checked.out)
  assert.doesNotMatch(checked.out, /pretix.yaml/)
})

test('what a mapping leaves open is said: a tier that no product is, a checkpoint that no list is told of', async () => {
  await using w = await world()
  await w.connect()
  writeFileSync(
    join(w.event, 'pretix.yaml'),
    'tiers:\n  item:1: ticket\n  item:2/21: special-vip\nlists:\n  5: [entrance-in]\n',
  )
  const { code, out } = await w.run('check-event')
  assert.equal(code, 0)
  const lines = out.split('\n').filter((line) => line.startsWith('pretix.yaml'))
  assert.equal(lines.length, 4, out)
  for (const name of ['special-flex', 'entrance-out', 'lounge-quiet-in', 'lounge-quiet-out']) {
    assert.equal(lines.filter((line) => line.includes(` ${name} `) || line.endsWith(` ${name}.`)).length, 1, name)
  }
  assert.match((await w.connect()).out, /list 6 .*no checkpoint/)
})

test('of a series, the dates are listed, and those that were chosen are kept', async () => {
  await using w = await world()
  w.pretix.event.has_subevents = true
  w.pretix.subevents = [7, 8].map((id) => ({
    id,
    name: { en: `Day ${id}` },
    date_from: `2026-07-0${id}T10:00:00Z`,
    date_to: null,
  }))
  const { code, out, err } = await w.connect('--date', '8')
  assert.doesNotMatch(out, /share a festival day/)
  assert.equal(code, 0, err)
  assert.match(out, /date 7 \(Day 7, 2026-07-07T10:00:00Z\): not at this box/)
  assert.match(out, /date 8 \(Day 8, 2026-07-08T10:00:00Z\)\n/)
  assert.deepEqual(JSON.parse(readFileSync(join(w.data, 'shop.json'), 'utf8')).subevents, [8])
  const unknown = await w.connect('--date', '9')
  assert.deepEqual([unknown.code, /has no date 9/.test(unknown.err)], [2, true])
})

test('dates of a series that share a festival day are named, and only those', async () => {
  await using w = await world()
  w.pretix.event.has_subevents = true
  const at = ['2026-07-04T12:00:00Z', '2026-07-04T18:00:00Z', '2026-07-05T18:00:00Z']
  w.pretix.subevents = at.map((date_from, i) => ({ id: i + 1, name: { en: 'A date' }, date_from, date_to: null }))
  const { code, out, err } = await w.connect('--dry-run')
  assert.equal(code, 0, err)
  assert.match(out, /Dates 1, 2 share a festival day, and a ticket of one admits/)
})

test('a dry run writes nothing, and reports what would become a ticket and what would not', async () => {
  await using w = await world()
  const { code, out, err } = await w.connect('--dry-run', '--json')
  assert.equal(code, 1, err)
  const report = JSON.parse(out.trim().split('\n').at(-1) ?? '')
  assert.deepEqual([report.read, report.added, report.rejected.length], [2, 1, 1])
  assert.match(report.rejected[0].reason, /order AAA: .*item:9.* fits no ticket type/)
  assert.ok(!existsSync(w.event) && !existsSync(w.data))
})

test('what there is stays: the organiser has edited it', async () => {
  await using w = await world()
  await w.connect()
  const path = join(w.event, 'pretix.yaml')
  writeFileSync(path, readFileSync(path, 'utf8').replace('item:1: ticket', 'item:1: special-vip'))
  const before = readFileSync(path, 'utf8')
  assert.equal((await w.connect()).code, 0)
  assert.equal(readFileSync(path, 'utf8'), before)
  writeFileSync(path, 'tiers:\n  item:1: nobody\nlists:\n  5: [nowhere]\n')
  const mistaken = await w.run('check-event')
  assert.equal(mistaken.code, 1)
  assert.match(mistaken.out, /line 2: .*nobody/)
  assert.match(mistaken.out, /line 4: .*nowhere/)
})

test('a first token of a device is exchanged once and kept, whatever happens after it', async () => {
  await using w = await world()
  let used = 0
  w.pretix.fault = ({ path }, response) => {
    if (!path.endsWith('device/initialize')) return false
    if (used++ > 0) return answer(response, 400, { token: ['This initialization token has already been used.'] })
    return answer(response, 201, { api_token: 'd'.repeat(64), device_id: 4, organizer: 'acme', unique_serial: 'X' })
  }
  const first = 'abcdefgh12345678'
  // The token is refused from here on, as the server knows only its team's: the command ends early.
  const early = await w.run('shop', 'connect', w.pretix.url, first)
  assert.equal(early.code, 2)
  const again = await w.run('shop', 'connect', w.pretix.url, first)
  assert.match(again.err, /used before/)
  w.pretix.device = 'd'.repeat(64)
  const kept = await w.run('shop', 'connect', w.pretix.url)
  assert.equal(kept.code, 0, kept.err)
  const { token, device } = JSON.parse(readFileSync(join(w.data, 'shop.json'), 'utf8'))
  assert.deepEqual([token.kind, device], ['Device', 4])
  assert.ok(!existsSync(join(w.data, 'shop-token.json')))
})

test('several events, an unknown date and a feed of a database are refused with their reason', async () => {
  await using w = await world()
  const cases: [string[], RegExp][] = [
    [['--event', 'summer', '--event', 'winter'], /takes one event of pretix/],
    [['--date', '7'], /no dates to choose from/],
    [['--ca', '/nowhere.pem'], /cannot be read from \/nowhere.pem/],
  ]
  for (const [args, words] of cases) {
    const { code, err } = await w.connect(...args)
    assert.equal(code, 2)
    assert.match(err, words)
  }
  assert.ok(!existsSync(w.data))
})
