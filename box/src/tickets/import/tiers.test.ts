import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { MOST_KINDS } from '@gatehouse/proto/wire/import-columns.ts'
import { readTickets } from './read.ts'
import { tiersOf } from './tiers.ts'

const look = (text: string, kept: Parameters<typeof tiersOf>[1] = []) => tiersOf(Buffer.from(text), kept)
const rows = (header: string, row: (i: number) => string, n: number) =>
  [header, ...Array.from({ length: n }, (_, i) => row(i))].join('\n')

/** Files as the shops write them, and what the guide makes of each. */
const FILES = {
  gatehouse: ['code,tier\nA,Day\nB,"Night, late"\nC,Day\n', 3, ['Day', 'Night, late']],
  pretix: [
    'Order code;Attendee name;Product;Secret\nX1;Ana;Early Bird – Student;s1\nX2;Rui;VIP;s2\n',
    2,
    ['Early Bird – Student', 'VIP'],
  ],
  eventbrite: ['\uFEFFOrder #,Ticket Type,Barcode #\r\n1,Early Bird,0001\r\n', 1, ['Early Bird']],
} as const

describe('ticket types in a file', () => {
  for (const [format, [text, tickets, kinds]] of Object.entries(FILES)) {
    it(`of ${format} are its products, and an import recognises them by these names`, async () => {
      const found = await look(text)
      assert.deepEqual({ ...found }, { format, tickets, kinds, more: false, columns: [], tier_column: null })
      const tiers = kinds.map((name, i) => ({ id: `t${i}`, name }))
      const { rejected, rows } = await readTickets(Buffer.from(text), {
        ...{ format: 'auto', tiers, tierMap: {}, timezone: 'UTC' },
      })
      assert.deepEqual([rejected.length, rows.length], [0, tickets])
    })
  }

  for (const title of [
    'Liste der Karten;;;\n',
    'Liste der Karten\n',
    '\nListe\nStand, 3. Mai\n;;;\n',
    'sep=;\nListe;;;\n',
  ]) {
    it(`below ${JSON.stringify(title)} are read from the header, which is no ticket`, async () => {
      const text = `${title}Nr;Sorte;Gast;Platz\nK-1;Tag;Änne;\n;;;\nK-2;Fest;Bo;7\nK-3\n`
      const { columns } = await look(text)
      assert.deepEqual(
        columns.map(({ name, values }) => [name, values.length]),
        Object.entries({ Nr: 3, Sorte: 2, Gast: 2, Platz: 1 }),
      )
      const { rejected, rows } = await readTickets(Buffer.from(text), {
        ...{ format: 'auto', tiers: [{ id: 't', name: 'Tag' }], tierMap: { Fest: 't' }, timezone: 'UTC' },
        match: {
          columns: [
            { field: 'code', column: 'Nr' },
            { field: 'tier', column: 'Sorte' },
          ],
          statuses: [],
          every_tier: null,
        },
      })
      // By the lines of the file.
      assert.deepEqual([rows.length, rejected.map(({ row }) => row)], [2, [title.split('\n').length + 4]])
    })
  }

  it('of a table whose only named column is one of ours begin with its first line', async () => {
    assert.deepEqual(
      (await look('Code;;\nA-1;Day;\n')).columns.map(({ name }) => name),
      ['Code', '#2', '#3'],
    )
    await assert.rejects(look('A1\nA2\nA3\n'), /not a row of a table/)
  })

  it('of pretix as JSON have the names of items and variations, and no mugs', async () => {
    const position = (id: number, more: object = {}) => ({
      id,
      positionid: id,
      item: 1,
      variation: null,
      secret: `s${id}`,
      ...more,
    })
    const file = [
      {
        id: 1,
        name: { de: 'Tageskarte', en: 'Day' },
        admission: true,
        variations: [{ id: 4, value: { en: 'Student' } }],
      },
      { id: 2, name: { en: 'Mug' }, admission: false, variations: [] },
      {
        code: 'O1',
        status: 'p',
        positions: [
          position(1),
          position(2, { variation: 4 }),
          position(3, { item: 2 }),
          position(4, { addon_to: 1, item: 9 }),
        ],
      },
    ]
    const { format, tickets, kinds } = await look(JSON.stringify(file))
    assert.deepEqual([format, tickets], ['pretix', 2])
    assert.equal(kinds.length, 2)
    assert.match(kinds[1] ?? '', /Student/)
    const tiers = kinds.map((name, i) => ({ id: `t${i}`, name }))
    const read = await readTickets(Buffer.from(JSON.stringify(file)), {
      ...{ format: 'auto', tiers, tierMap: {}, timezone: 'UTC' },
    })
    assert.deepEqual([read.rejected, read.rows.map(({ tier }) => tier)], [[], ['t0', 't1']])
  })

  it('of no known shop are the values of one of its columns, of the same one as before', async () => {
    const text = 'Nr;Sorte\nK-1;Tag\nK-2;Fest\nK-3;Tag\n'
    const found = await look(text)
    assert.deepEqual(
      [found.format, found.columns.map(({ values }) => values), found.tier_column],
      [
        'unknown',
        [
          ['K-1', 'K-2', 'K-3'],
          ['Tag', 'Fest'],
        ],
        null,
      ],
    )
    const match = { columns: [{ field: 'tier' as const, column: 'Sorte' }], every_tier: null, statuses: [] }
    const one = { kept_at: '2026-07-01T10:00:00Z', header: ['Nr', 'Sorte'], match, tiers: [] }
    assert.equal((await look(text, [one])).tier_column, 'Sorte')
    assert.equal((await look('Sorte;Nr\nTag;1\n', [one])).tier_column, null)
  })

  it('are as many as an event can have, however many a file names', async () => {
    const hostile = await look(rows('code,tier', (i) => `c${i},kind ${i} ${'x'.repeat(900)}`, 2000))
    assert.deepEqual([hostile.kinds.length, hostile.more, hostile.tickets], [MOST_KINDS, true, 2000])
    assert.ok(hostile.kinds.every((name) => name.length <= 120))
    const unknown = await look(rows('a,b', (i) => `${i},${'y'.repeat(500)}${i}`, 2000))
    assert.deepEqual(
      unknown.columns.map(({ values, more }) => [values.length, more]),
      [
        [MOST_KINDS, true],
        [1, false],
      ],
    )
    assert.ok(JSON.stringify(unknown).length < 10_000)
  })

  it('are on one line, and what is no ticket file is refused with a sentence', async () => {
    assert.deepEqual((await look('code,tier\nA,"Day\n\u202Epass\u200B"\n')).kinds, ['Day pass'])
    for (const text of ['', '[]', '{"a":', '[[[[', 'one column\n1\n', 'ana@x.pt,123456\n', 'code,tier\nA,"Day'])
      await assert.rejects(look(text), { name: 'GatehouseError', code: 'bad_request' })
    await assert.rejects(look('Order code;Product\nX;VIP\n'), /has no column "Secret"/)
  })
})

const FIXTURES = new URL('../../../../../shared/fixtures/pretix/', import.meta.url)

describe('real orders of pretix', { skip: existsSync(FIXTURES) ? false : 'the pretix fixtures are not here' }, () => {
  const json = (path: string): unknown => JSON.parse(readFileSync(new URL(path, FIXTURES), 'utf8'))

  it('are recognised, with items beside them by name and without by number', async () => {
    const orders = ['order1', 'order2', 'order6'].map((name) => json(`orders/${name}.json`))
    const alone = await look(JSON.stringify(orders))
    assert.equal(alone.format, 'pretix')
    assert.ok(alone.kinds.length > 0 && alone.kinds.every((name) => /^item:\d+/.test(name)))
    const items = ['item1', 'item2', 'item3'].map((name) => json(`items/${name}.json`))
    const named = await look(JSON.stringify([...orders, ...items]))
    assert.ok(
      named.kinds.some((name) => name.startsWith('Regular ticket')),
      named.kinds.join(),
    )
    const tiers = named.kinds.map((name, i) => ({ id: `t${i}`, name }))
    const { rejected } = await readTickets(Buffer.from(JSON.stringify([...orders, ...items])), {
      ...{ format: 'auto', tiers, tierMap: {}, timezone: 'UTC' },
    })
    assert.deepEqual(rejected, [])
  })
})
