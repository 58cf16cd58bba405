/** The evacuation sheet of real boxes: its figures, its names, and the copy on the disk. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { COMMAND_LINE } from '../../src/ca/actor.ts'
import type { EventFile } from '../../src/event/event.ts'
import { EVACUATION_FOLDER, FIGURES_FILE, NAMES_FILE } from '../../src/paper/evacuation-keeper.ts'
import { erasePersonalData } from '../../src/tickets/erasure.ts'
import { gatehouse as command } from '../world/command.ts'
import { TEST_EVENT } from '../world/event.ts'
import { ProcessBox } from '../world/process-box.ts'
import { until } from '../world/until.ts'
import { World } from '../world/world.ts'

const NAMED: EventFile = { ...TEST_EVENT, evacuation_names: true }

function textOf(html: string): string {
  return html
    .replace(/<style>[^<]*<\/style>/, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
}

async function pageOf(world: World): Promise<string> {
  const { data } = await (await world.admin()).GET('/v1/admin/evacuation/page', { parseAs: 'text' })
  return String(data)
}

test('the sheet says by zone who may be inside, what is not counted, and where its copy is', async () => {
  await using world = await World.open()
  const device = await world.device()
  for (const code of ['ONCE-1', 'ONCE-2', 'VIP-1']) await device.scan(code, { checkpoint: 'b-in' })
  await device.scan('VIP-1', { checkpoint: 'v-in' })
  const { data } = await (await world.admin()).GET('/v1/admin/evacuation')
  assert.deepEqual(
    data?.zones.map(({ id, inside }) => [id, inside]),
    [
      ['arena', 2],
      ['lounge', 1],
    ],
  )
  assert.equal(data?.total.inside, 3)
  assert.equal(data?.names, 'not_allowed')
  assert.match(data?.not_counted[0] ?? '', /without a scan/)
  assert.equal(data?.kept_in, join(world.folder, 'data', EVACUATION_FOLDER, FIGURES_FILE))
  const page = await pageOf(world)
  assert.match(textOf(page), /Arena 2 2 2 5000 .* Total 3/)
  assert.doesNotMatch(page, /Ana Reis/)
  assert.doesNotMatch(page, /<script|<link|<img|src=|href=|url\(|@import/i, 'it draws on nothing but itself')
})

test('with the leave of the event file the page lists by zone who came in last and did not leave', async () => {
  const tickets = [
    'N-1,once,A 1,Ana <b>Reis</b>,,,,valid',
    'N-2,reentry,,Bo Ek,,,,valid',
    'N-3,once,,,,,,valid',
    'N-4,once,,Cy Not Here,,,,valid',
  ]
  await using world = await World.open({ event: NAMED, tickets })
  const device = await world.device()
  for (const code of ['N-1', 'N-2', 'N-3']) await device.scan(code)
  await device.scan('N-2', { checkpoint: 'a-out' })
  const before = textOf(await pageOf(world))
  assert.match(before, /Arena: 2 tickets, 1 with a name/)
  assert.match(before, /Ana &lt;b&gt;Reis&lt;\/b&gt; Day ticket A 1/)
  assert.match(before, /And 1 ticket without a name/)
  assert.doesNotMatch(before, /Bo Ek|Cy Not Here/)
  await device.scan('N-2')
  await device.scan('N-1', { offline_admitted: true })
  const after = textOf(await pageOf(world))
  assert.match(after, /Bo Ek/)
  assert.match(after, /2 people on this ticket/, 'a ticket that was used twice counts for two')
})

test('nobody without the admin token sees the sheet, on any port', async () => {
  await using world = await World.open({ event: NAMED })
  const { http, https } = world.box.ports
  for (const path of ['/v1/admin/evacuation', '/v1/admin/evacuation/page', '/evacuation', `/${FIGURES_FILE}`]) {
    const plain = await fetch(`http://127.0.0.1:${http}${path}`)
    assert.ok([401, 404].includes(plain.status), `${path}: ${plain.status}`)
  }
  const stranger = await world.admin('not-the-token-not-the-token-not-the-token')
  assert.equal((await stranger.GET('/v1/admin/evacuation')).response.status, 401)
  assert.equal((await stranger.GET('/v1/admin/evacuation/page')).response.status, 401)
  assert.ok(https)
})

test('an erasure removes the page with names at once, and no later one brings it back', async () => {
  await using world = await World.open({ event: NAMED, tickets: ['N-1,once,,Ana Reis,,,,valid'] })
  const folder = join(world.folder, 'data', EVACUATION_FOLDER)
  const names = join(folder, NAMES_FILE)
  await until(() => existsSync(names))
  erasePersonalData(world.box.ledger, COMMAND_LINE, () => world.now())
  await until(() => !existsSync(names))
  await world.restart()
  await until(() => existsSync(join(folder, FIGURES_FILE)))
  assert.match(textOf(await pageOf(world)), /they were erased/)
  assert.ok(!existsSync(names))
})

test('the erasure of one person takes the page with names from the disk at once; the next one lists the others', async () => {
  const tickets = ['N-1,once,,Ana Reis,,,,valid', 'N-2,once,,Bo Ek,,,,valid']
  await using world = await World.open({ event: NAMED, tickets })
  const device = await world.device()
  for (const code of ['N-1', 'N-2']) await device.scan(code)
  await world.restart()
  const names = join(world.folder, 'data', EVACUATION_FOLDER, NAMES_FILE)
  const kept = () => (existsSync(names) ? readFileSync(names, 'utf8') : '')
  await until(() => kept().includes('Ana Reis') && kept().includes('Bo Ek'))
  const admin = await world.admin()
  const body = { actor: 'Rui' }
  const { data } = await admin.POST('/v1/admin/desk/ticket', { body: { ...body, ticket: 'N-1' } })
  const params = { path: { ref: data?.ticket ?? assert.fail() } }
  await admin.POST('/v1/admin/desk/tickets/{ref}/forget', { params, body })
  await until(() => !kept().includes('Ana Reis'))
  await until(() => kept().includes('Bo Ek'))
  assert.doesNotMatch(kept(), /Ana Reis/)
  // Beside the box, by the command line.
  const { code } = await command(['forget', '--ticket', 'N-2', '--yes'], {
    environment: world.environment,
    cwd: world.folder,
  })
  assert.equal(code, 0)
  assert.doesNotMatch(kept(), /Bo Ek/)
})

test('after SIGKILL the last sheet is on the disk, whole, and opens without a box', async () => {
  await using box = new ProcessBox({ event: NAMED })
  const folder = join(box.dataDir, EVACUATION_FOLDER)
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  await box.start()
  const device = await box.device()
  await device.scan('ONCE-1')
  await box.kill()
  // The next start counts the journal, and writes the sheet before anything else happens at the gates.
  await box.start()
  await until(() => existsSync(join(folder, NAMES_FILE)) && read(NAMES_FILE).includes('Ana Reis'))
  await box.kill()
  assert.match(textOf(read(FIGURES_FILE)), /Arena 1 1 1 5000/)
  for (const name of [FIGURES_FILE, NAMES_FILE]) assert.match(read(name), /<\/html>\s*$/)
  // The kill may come while the next sheet is being written, beside the last one.
  const whole = readdirSync(folder).filter((name) => !name.endsWith('.new'))
  assert.deepEqual(whole.sort(), [NAMES_FILE, FIGURES_FILE].sort())
})
