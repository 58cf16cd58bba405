/** Paper lists of real boxes: printed, ticked, typed in. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PaperRequest } from '@gatehouse/proto/wire/paper.ts'
import { paperQueue } from '../../src/ledger/schema.ts'
import { shortCodeKey, shortCodesBy } from '../../src/paper/short-code.ts'
import { World } from '../world/world.ts'

const TICKETS = [
  'P-1,once,Row 1,Ana Reis,,,,valid',
  'P-2,once,,Bo Ek,,,,valid',
  'P-3,vip,,Cy Day,,,,valid',
  'P-4,once,,Di Fu,,,,pending',
  'P-5,phone,,Ed Go,,,,valid',
]

async function listOf(world: World, gate: string, order: 'name' | 'order' = 'name'): Promise<string> {
  const { data, error } = await (await world.admin()).GET('/v1/admin/paper/list', {
    params: { query: { gate, order, actor: 'Mia' } },
    parseAs: 'text',
  })
  if (error) throw new Error(error.message)
  return String(data)
}

/** Short codes by name, and the number of the sheet, as somebody reads them on the paper. */
function readList(page: string): { sheet: string; codes: Map<string, string> } {
  const sheet = /paper list ([2-9A-Z]{6})</.exec(page)?.[1] ?? ''
  const rows = [...page.matchAll(/<td class="code">([^<]*)<\/td><td>([^<]*)<\/td>/g)]
  return { sheet, codes: new Map(rows.map(([, code = '', name = '']) => [name, code])) }
}

function request(world: World, more: Partial<PaperRequest> & Pick<PaperRequest, 'sheet' | 'codes'>): PaperRequest {
  const [from, until] = [3_600_000, 1_200_000].map((ms) => new Date(world.now() - ms).toISOString())
  const times = { from: from ?? '', until: until ?? '' }
  return { paper_id: `p-${crypto.randomUUID()}`, checkpoint: 'a-in', ...times, dry_run: false, actor: 'Mia', ...more }
}

async function typeIn(world: World, body: PaperRequest) {
  const { data, error } = await (await world.admin()).POST('/v1/admin/paper/admissions', { body })
  if (!data) throw new Error(`${error.code}: ${error.message}`)
  return data
}

const inside = async (world: World) =>
  (await (await world.admin()).GET('/v1/admin/stats')).data?.zones.find(({ id }) => id === 'arena')?.occupancy

test('the list of a gate has its tickets by name, each with a code of its own, and none that may not enter', async () => {
  await using world = await World.open({ tickets: TICKETS })
  const page = await listOf(world, 'a')
  const { sheet, codes } = readList(page)
  assert.deepEqual([...codes.keys()], ['Ana Reis', 'Bo Ek', 'Ed Go'])
  assert.equal(new Set(codes.values()).size, 3)
  assert.match(page, /1 more may not enter/)
  assert.match(page, new RegExp(`<thead>\\s*<tr><th[^>]*>Gate A, sheet <span class="code">${sheet}`))
  assert.deepEqual(readList(await listOf(world, 'a')).codes, codes, 'the same codes on the next sheet')
  assert.notEqual(readList(await listOf(world, 'a')).sheet, sheet)
  assert.ok(!page.includes('P-1'), 'no code that opens a gate is on paper')
})

test('a short code opens no gate at a scanner, however it is written', async () => {
  await using world = await World.open({ tickets: TICKETS })
  const device = await world.device()
  const code = readList(await listOf(world, 'a')).codes.get('Ana Reis') ?? ''
  for (const shown of [code, code.replace('-', ''), code.toLowerCase(), `paper:${code}`]) {
    assert.equal((await device.scan(shown)).verdict, 'UNKNOWN')
  }
})

test('ticked codes become admissions on paper, at the end of the time on the sheet, and count once however often they are typed in', async () => {
  await using world = await World.open({ tickets: TICKETS })
  const { sheet, codes } = readList(await listOf(world, 'a'))
  const ticked = [codes.get('Ana Reis') ?? '', (codes.get('Bo Ek') ?? '').toLowerCase().replace('-', ' '), '']
  const asked = request(world, { sheet, codes: ticked })
  const first = await typeIn(world, asked)
  assert.equal(first.recorded, true)
  assert.deepEqual(
    first.lines.map(({ name, verdict, confidence, flag, known }) => [name, verdict, confidence, flag, known]),
    [
      ['Ana Reis', 'ADMIT', 'provisional', null, false],
      ['Bo Ek', 'ADMIT', 'provisional', null, false],
    ],
  )
  assert.equal(await inside(world), 2)
  // The same request, whose answer was lost; and somebody else who types the same sheet in with other times.
  const again = await typeIn(world, asked)
  const other = await typeIn(
    world,
    request(world, { sheet, codes: [...ticked].reverse(), from: asked.from, until: asked.from }),
  )
  assert.deepEqual(
    again.lines.map(({ verdict }) => verdict),
    ['ADMIT', 'ADMIT'],
  )
  assert.ok(other.lines.every(({ known, verdict }) => known && verdict === 'ADMIT'))
  assert.equal(await inside(world), 2)
  const journal = world.box.ledger.read(0, 10_000)
  const scans = journal.flatMap((entry) => (entry.kind === 'scan' ? [entry.fields] : []))
  assert.equal(scans.length, 2)
  assert.ok(
    scans.every(
      ({ observed_at, offline_admitted, device }) =>
        observed_at === asked.until && offline_admitted && device === `paper-${sheet}`,
    ),
  )
  const sheets = journal.flatMap((entry) => (entry.kind === 'paper' ? [entry.fields] : []))
  assert.deepEqual(
    sheets.map(({ action, actor, tickets }) => [action, actor, tickets]),
    [
      ['printed', 'Mia', 3],
      ['admitted', 'Mia', 2],
    ],
  )
  assert.doesNotMatch(journal.map(({ bytes }) => bytes.toString()).join('\n'), /Ana|Reis|Bo Ek/)
  const device = await world.device()
  assert.equal((await device.scan('P-1')).verdict, 'ALREADY_USED')
})

test('every mistake is named, and while there is one nobody is recorded', async () => {
  await using world = await World.open({ tickets: TICKETS })
  const { sheet, codes } = readList(await listOf(world, 'a'))
  const vip = readList(await listOf(world, 'v')).codes.get('Cy Day') ?? ''
  const ana = codes.get('Ana Reis') ?? ''
  const slipped = (ana[0] === '2' ? '3' : '2') + ana.slice(1)
  const stranger = shortCodesBy(shortCodeKey(Buffer.alloc(32, 1)))('0'.repeat(32))
  const answer = await typeIn(
    world,
    request(world, { sheet, codes: [ana, slipped, 'ABC', 'OOOO-1111', stranger, vip, ana] }),
  )
  assert.equal(answer.recorded, false)
  assert.equal(answer.problems, 5)
  assert.deepEqual(
    answer.lines.map(({ problem, same_as }) => problem ?? same_as),
    [
      null,
      'A character is wrong, or two are swapped: compare it with the sheet.',
      'A short code has eight characters: compare it with the sheet.',
      'Short codes have no 0, 1, I, L or O: compare it with the sheet.',
      'No ticket for this event has this code: check it against the sheet.',
      'This ticket type is not for A entry: is it the sheet of another gate?',
      1,
    ],
  )
  assert.deepEqual(
    answer.lines.flatMap(({ problem_coded }) => problem_coded?.code ?? []),
    ['code_check', 'code_length', 'code_sign', 'code_unknown', 'other_gate'],
  )
  assert.equal(await inside(world), 0)
  for (const [wrong, sentence] of [
    [{ sheet: `${sheet.slice(0, -1)}${sheet.endsWith('2') ? '3' : '2'}` }, /wrong character/],
    [{ checkpoint: 'a-out' }, /choose an entrance/],
    [{ checkpoint: 'nowhere' }, /no such entrance/],
    [{ until: new Date(world.now() + 60_000).toISOString() }, /in the future/],
    [{ from: new Date(world.now()).toISOString() }, /ends before it begins/],
    [{ from: new Date(world.now() - 30 * 3_600_000).toISOString() }, /more than a day/],
  ] as const) {
    await assert.rejects(typeIn(world, request(world, { sheet, codes: [ana], ...wrong })), sentence)
  }
})

test('a ticket that was used before is flagged, as one that a scanner let in alone', async () => {
  await using world = await World.open({ tickets: TICKETS })
  const device = await world.device()
  await device.scan('P-1')
  const { sheet, codes } = readList(await listOf(world, 'a'))
  const answer = await typeIn(
    world,
    request(world, { sheet, codes: [codes.get('Ana Reis') ?? '', codes.get('Ed Go') ?? ''] }),
  )
  assert.equal(answer.lines[0]?.verdict, 'ALREADY_USED')
  assert.equal(answer.flags, 1)
  const { data } = await (await world.admin()).GET('/v1/admin/flags')
  assert.deepEqual(
    data?.flags.map(({ id, kind }) => [id, kind]),
    [[answer.lines[0]?.flag, 'double_use']],
  )
  assert.equal(answer.lines[1]?.verdict, 'ADMIT', 'a ticket for phones alone was found by its name')
  const verified = await (await world.admin()).GET('/v1/admin/verify')
  assert.deepEqual(verified.data?.problems ?? [], [])
})

test('a sheet that a power cut has interrupted is finished by the next start', async () => {
  await using world = await World.open({ tickets: TICKETS })
  const { sheet, codes } = readList(await listOf(world, 'a'))
  const asked = request(world, { sheet, codes: [...codes.values()] })
  // As it is on the disk after the first transaction, and before the first ticket.
  await world.restart(async () => {})
  const { ledger } = world.box
  const refs = ledger.db.drizzle.all<{ ref: string }>(
    "SELECT ref FROM tickets WHERE status = 'valid' AND tier IN ('once', 'phone')",
  )
  ledger.transact(() => {
    const { index: entry } = ledger.append('paper', {
      ...{
        actor: 'Mia',
        address: '127.0.0.1',
        action: 'admitted',
        at: asked.until,
        sheet,
        place: 'a-in',
        tickets: refs.length,
      },
      ...{ from: asked.from, until: asked.until },
    })
    const times = { from: Date.parse(asked.from), until: Date.parse(asked.until) }
    ledger.db.drizzle
      .insert(paperQueue)
      .values({ id: asked.paper_id, sheet, checkpoint: 'a-in', ...times, tickets: refs.map(({ ref }) => ref), entry })
      .run()
  })
  await world.restart()
  const answer = await typeIn(world, asked)
  assert.ok(answer.lines.every(({ verdict }) => verdict === 'ADMIT'))
  assert.equal(await inside(world), 3)
  assert.equal(world.box.ledger.db.drizzle.select().from(paperQueue).all().length, 0)
})

test('a list of ten thousand tickets is there in less than ten seconds, and sorted', async (t) => {
  const many = Array.from({ length: 10_000 }, (_, i) => `M-${i},once,,Person ${(i * 7919) % 10_000},,,,valid`)
  await using world = await World.open({ tickets: many })
  const started = performance.now()
  const page = await listOf(world, 'a')
  const seconds = (performance.now() - started) / 1000
  t.diagnostic(`${seconds.toFixed(1)} s, ${(Buffer.byteLength(page) / 1e6).toFixed(1)} MB`)
  const names = [...readList(page).codes.keys()]
  assert.equal(names.length, 10_000)
  assert.deepEqual(names.slice(0, 3), ['Person 0', 'Person 1', 'Person 2'])
})
