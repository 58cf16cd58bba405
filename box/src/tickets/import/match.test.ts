import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  COLUMNS_HEAD_BYTES,
  type ColumnMatch,
  type KeptMatch,
  LONGEST_COLUMN,
  MOST_COLUMNS,
  MOST_VALUES,
} from '@gatehouse/proto/wire/import-columns.ts'
import { GatehouseError } from '../../errors.ts'
import { headerOf, lookAtColumns } from './look.ts'
import { labelsOf, parseMatch } from './match.ts'
import { readTickets } from './read.ts'

const TIERS = [
  { id: 'day', name: 'Day' },
  { id: 'vip', name: 'VIP' },
]
const MATCH: ColumnMatch = {
  columns: [
    { field: 'code', column: 'Kartennr' },
    { field: 'tier', column: 'Art' },
    { field: 'status', column: 'Bezahlt' },
    { field: 'first_name', column: 'Vorname' },
    { field: 'last_name', column: 'Name' },
  ],
  every_tier: null,
  statuses: [
    { word: 'ja', status: 'valid' },
    { word: 'nein', status: 'pending' },
  ],
}
const HEADER = ['Kartennr', 'Art', 'Bezahlt', 'Vorname', 'Name']
const KEPT: KeptMatch = {
  kept_at: '2026-11-01T10:00:00.000Z',
  header: HEADER,
  match: MATCH,
  tiers: [{ product: 'Tageskarte', tier: 'day' }],
}
const FILE = `${HEADER.join(';')}\nA1;Tageskarte;Ja;Ana;Ruiz\nB2;VIP;nein;;Eva\n`

const bytes = (text: string) => Buffer.from(text)
const read = (file: Uint8Array, options: { match?: ColumnMatch; kept?: KeptMatch[] } = {}) =>
  readTickets(file, { format: 'auto', tiers: TIERS, tierMap: {}, timezone: 'UTC', ...options })
const refused = (pattern: RegExp) => (error: unknown) =>
  error instanceof GatehouseError && error.code === 'bad_request' && pattern.test(error.message)

describe('columns of a file of no known shop', () => {
  it('are read as somebody matched them', async () => {
    const { rows, rejected, matched, format } = await readTickets(bytes(FILE), {
      ...{ format: 'auto', tiers: TIERS, tierMap: { Tageskarte: 'day' }, timezone: 'UTC', match: MATCH },
    })
    assert.deepEqual(rejected, [])
    assert.deepEqual(
      rows.map(({ code, tier, status, holderName }) => [code, tier, status, holderName]),
      [
        ['A1', 'day', 'valid', 'Ana Ruiz'],
        ['B2', 'vip', 'pending', 'Eva'],
      ],
    )
    assert.deepEqual([matched, format], ['now', 'gatehouse'])
  })

  it('are known the next time, with the tiers of its products; where they moved, they are asked for again', async () => {
    const { rows, matched } = await read(bytes(FILE), { kept: [KEPT] })
    assert.deepEqual([rows.map(({ tier }) => tier), matched], [['day', 'vip'], 'kept'])
    const moved = FILE.replace('Kartennr;Art', 'Art;Kartennr')
    const renamed = FILE.replace('Bezahlt', 'Zahlung')
    for (const file of [moved, renamed, FILE.replace(';Name', ';Name;Ort')]) {
      await assert.rejects(read(bytes(file), { kept: [KEPT] }), refused(/of no known shop/))
    }
    const [asked, lost, fitting] = await Promise.all(
      [moved, renamed, FILE].map((file) => lookAtColumns(bytes(file), [KEPT])),
    )
    assert.deepEqual([asked?.fits, asked?.missing, asked?.kept], [false, [], KEPT])
    assert.deepEqual([lost?.fits, lost?.missing, lost?.kept], [false, ['Bezahlt'], KEPT])
    assert.deepEqual([fitting?.fits, fitting?.missing], [true, []])
    assert.equal((await lookAtColumns(bytes('X;Y\n1;2\n'), [KEPT])).kept, null)
  })

  it('keep no tier that the event no longer has: it is asked again', async () => {
    const gone = { ...KEPT, tiers: [{ product: 'Tageskarte', tier: 'gone' }] }
    const { rows, rejected } = await read(bytes(FILE), { kept: [gone] })
    assert.deepEqual([rows.length, rejected.map(({ row }) => row)], [1, [2]])
    assert.match(rejected[0]?.reason ?? '', /"Tageskarte" fits no ticket type/)
  })

  it('may be of one tier for all, and never of two', async () => {
    const { rows } = await read(bytes('Nr,Wer\nA,x\nB,y\n'), {
      match: { columns: [{ field: 'code', column: 'Nr' }], every_tier: 'vip', statuses: [] },
    })
    assert.deepEqual(
      rows.map(({ tier }) => tier),
      ['vip', 'vip'],
    )
    for (const [match, sentence] of [
      [{ ...MATCH, every_tier: 'vip' }, /either the column with the ticket type, or one/],
      [{ ...MATCH, columns: MATCH.columns.slice(1) }, /No column was named as the code/],
      [{ ...MATCH, columns: MATCH.columns.slice(0, 1) }, /either the column with the ticket type, or one/],
      [{ ...MATCH, columns: [...MATCH.columns, { field: 'code', column: 'Name' }] }, /Two columns were named as code/],
      [{ ...MATCH, columns: [{ field: 'code', column: 'Nope' }] }, /has no column "Nope"/],
    ] as const) {
      await assert.rejects(read(bytes(FILE), { match: match as ColumnMatch }), refused(sentence))
    }
  })

  it('with a status that nobody has explained are rejected row by row', async () => {
    const { rejected } = await read(bytes(FILE), { match: { ...MATCH, statuses: [] } })
    assert.match(rejected[0]?.reason ?? '', /^The status "Ja" is not known: it should be one of valid, pending/)
  })

  it('of a known shop need nobody', async () => {
    const { format, columns } = await lookAtColumns(bytes('code,tier\nA,day\n'), [KEPT])
    assert.deepEqual([format, columns], ['gatehouse', []])
    assert.equal((await lookAtColumns(bytes('[{"status": "p"'), [])).format, 'pretix')
  })
})

describe('a hostile header', () => {
  it('of ten thousand columns is refused, and so is a first line that is a ticket', async () => {
    const wide = Array.from({ length: 10_000 }, (_, i) => `c${i}`).join(',')
    await assert.rejects(lookAtColumns(bytes(`${wide}\n`), []), refused(/10000 columns/))
    await assert.rejects(read(bytes(`${wide}\n1\n`), { match: MATCH }), refused(/10000 columns/))
    for (const line of ['A1,ana@mail.example', 'Ana,004912345678']) {
      await assert.rejects(lookAtColumns(bytes(`${line}\n`), []), refused(/first line looks like a ticket/))
    }
    assert.equal(labelsOf(Array.from({ length: MOST_COLUMNS }, () => 'x')).length, MOST_COLUMNS)
  })

  it('gets names that differ, on one line, shortened', () => {
    const labels = labelsOf([
      'Name',
      ' Name ',
      '',
      'Name',
      '',
      'Name (2)',
      'a\u0000\n\u202eb',
      'x'.repeat(10_000),
      '__proto__',
    ])
    assert.deepEqual(labels.slice(0, 7), ['Name', 'Name (2)', '#3', 'Name (3)', '#5', 'Name (2) (2)', 'a b'])
    assert.equal(labels[7]?.length, LONGEST_COLUMN)
    assert.equal(new Set(labels).size, labels.length)
  })

  it('of formulas and tags stays text', async () => {
    const header = '=HYPERLINK("http://x");"<script>alert(1)</script>"'
    const { columns } = await lookAtColumns(bytes(`"=HYPERLINK(""http://x"")";"<script>alert(1)</script>"\n1;2\n`), [])
    assert.deepEqual(
      columns.map(({ name }) => name),
      header.replaceAll('"<', '<').replaceAll('>"', '>').split(';'),
    )
  })

  it('is read with a byte order mark, with semicolons and tabs, in UTF-16 and Windows-1252', async () => {
    const plain = 'Nr;Käufer\nA;Zoë\n'
    const names = ['Nr', 'Käufer']
    for (const file of [
      bytes(plain),
      bytes(`\ufeff${plain}`),
      bytes(plain.replaceAll(';', '\t')),
      Buffer.from(`\ufeff${plain}`, 'utf16le'),
      Buffer.from(`\ufeff${plain}`, 'utf16le').swap16(),
      Buffer.from(plain, 'latin1'),
    ]) {
      const { columns } = await lookAtColumns(file, [])
      assert.deepEqual(
        columns.map(({ name }) => name),
        names,
      )
      assert.deepEqual(columns[1]?.values, ['Zoë'])
      assert.deepEqual(headerOf(file), names)
    }
  })

  it('of a huge file is read from its beginning, which may end within a letter or a quotation', async () => {
    const rows = 'A;Zoë;"two\nlines"\n'.repeat(40_000)
    // Each time another byte of a row is the last one.
    for (const more of [0, 1, 2, 3, 5, 9, 14]) {
      const note = `Note${'x'.repeat(more)}`
      const file = bytes(`Nr;Käufer;${note}\n${rows}`)
      const { columns } = await lookAtColumns(file.subarray(0, COLUMNS_HEAD_BYTES), [])
      assert.deepEqual(
        columns.map(({ name, values }) => [name, values]),
        [
          ['Nr', ['A']],
          ['Käufer', ['Zoë']],
          [note, ['two lines']],
        ],
      )
    }
    const many = bytes(`Nr;Wer\n${Array.from({ length: 9000 }, (_, i) => `${i};${'w'.repeat(300)}`).join('\n')}`)
    const [numbers, words] = (await lookAtColumns(many, [])).columns
    assert.deepEqual([numbers?.values.length, numbers?.more], [MOST_VALUES, true])
    assert.deepEqual([words?.values[0]?.length, words?.more], [60, false])
  })
})

describe('a match as a command gives it', () => {
  it('is read, and a mistake in it is said', () => {
    assert.equal(parseMatch({ columns: [], statuses: [], everyTier: undefined }), undefined)
    assert.deepEqual(
      parseMatch({ columns: ['code=A=B', ' tier = Art '], statuses: ['x=y=valid'], everyTier: undefined }),
      {
        columns: [
          { field: 'code', column: 'A=B' },
          { field: 'tier', column: 'Art' },
        ],
        every_tier: null,
        statuses: [{ word: 'x=y', status: 'valid' }],
      },
    )
    for (const given of [
      { columns: ['colour=A'], statuses: [] },
      { columns: ['code='], statuses: [] },
      { columns: ['code=A'], statuses: ['x=good'] },
      { columns: [], statuses: ['x=valid'] },
    ]) {
      assert.throws(() => parseMatch({ ...given, everyTier: undefined }), refused(/./))
    }
  })
})
