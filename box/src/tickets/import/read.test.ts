import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { anyText, runs } from '@gatehouse/proto/properties.testing.ts'
import vectors from '@gatehouse/proto/vectors/payload.json' with { type: 'json' }
import { SHOP_FORMATS } from '@gatehouse/proto/wire/admin.ts'
import fc from 'fast-check'
import { GatehouseError } from '../../errors.ts'
import { type ReadOptions, readTickets } from './read.ts'

const EVENT: ReadOptions = {
  format: 'auto',
  tiers: [
    { id: 'day', name: 'Day ticket' },
    { id: 'vip', name: 'Backstage' },
  ],
  tierMap: {},
  timezone: 'Europe/Lisbon',
}

const read = (file: string | Uint8Array, options: Partial<ReadOptions> = {}) =>
  readTickets(typeof file === 'string' ? Buffer.from(file) : file, { ...EVENT, ...options })

const codes = async (file: string | Uint8Array) => (await read(file)).rows.map(({ code }) => code)

const refuses = (file: string | Uint8Array, message: RegExp, options: Partial<ReadOptions> = {}) =>
  assert.rejects(read(file, options), (error) => {
    assert.ok(error instanceof GatehouseError, String(error))
    assert.equal(error.code, 'bad_request')
    assert.match(error.message, message)
    return true
  })

const utf16 = (text: string, order: 'le' | 'be', mark: boolean) => {
  const bytes = Buffer.from(`${mark ? '\ufeff' : ''}${text}`, 'utf16le')
  return order === 'le' ? bytes : bytes.swap16()
}

describe('encodings', () => {
  const text = 'code,tier,holder_name\nA1,day,Zoë Łuk\n'
  const files: [string, Uint8Array][] = [
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${text}`)],
    ['UTF-16 little-endian with a byte order mark', utf16(text, 'le', true)],
    ['UTF-16 big-endian with a byte order mark', utf16(text, 'be', true)],
    ['UTF-16 little-endian without one', utf16(text, 'le', false)],
    ['UTF-16 big-endian without one', utf16(text, 'be', false)],
  ]
  for (const [name, bytes] of files) {
    it(`reads ${name}`, async () => {
      const { rows, warnings } = await read(bytes)
      assert.deepEqual([rows[0]?.code, rows[0]?.holderName, warnings], ['A1', 'Zoë Łuk', []])
    })
  }

  it('reads JSON with a byte order mark', async () => {
    const json = '\ufeff{"status":"p","positions":[{"item":1,"secret":"s3"}]}'
    assert.equal((await read(json, { tierMap: { 'item:1': 'day' } })).rows[0]?.code, 's3')
  })

  it('reads Windows-1252, and says so', async () => {
    const { rows, warnings } = await read(Buffer.from('code;tier;holder_name\nA1;day;Zo\xeb \x80\n', 'latin1'))
    assert.equal(rows[0]?.holderName, 'Zoë €')
    assert.match(warnings[0] ?? '', /not UTF-8 .* Windows-1252/)
  })

  it('reads the slice of a larger buffer', async () => {
    const larger = Buffer.from(`junk${text}junk`)
    assert.deepEqual(await codes(larger.subarray(4, larger.length - 4)), ['A1'])
  })
})

describe('dialects of CSV', () => {
  const files: [string, string][] = [
    ['commas', 'code,tier\nA1,day\nA2,day\n'],
    ['semicolons', 'code;tier\nA1;day\nA2;day\n'],
    ['tabs', 'code\ttier\nA1\tday\nA2\tday\n'],
    ['CRLF', 'code,tier\r\nA1,day\r\nA2,day\r\n'],
    ['CR alone', 'code,tier\rA1,day\rA2,day\r'],
    ['line ends of two systems', 'code,tier\r\nA1,day\nA2,day\r\n'],
    ['no line end at the end', 'code,tier\nA1,day\nA2,day'],
    ['all quoted', '"code";"tier"\n"A1";"day"\n"A2";"day"\n'],
    ["Excel's line that names the delimiter", 'sep=;\r\ncode;tier\r\nA1;day\r\nA2;day\r\n'],
    ['blank lines, and rows of delimiters alone', ';;\n\ncode;tier\n\nA1;day\n;\n  ;\nA2;day\n;;;;\n'],
    ['surplus empty cells', 'code,tier\nA1,day,,\nA2,day,,\n'],
  ]
  for (const [name, file] of files) {
    it(name, async () => {
      const report = await read(file)
      assert.deepEqual([report.rows.map(({ code }) => code), report.rejected], [['A1', 'A2'], []])
    })
  }

  it('a quoted cell holds delimiters, quotation marks and line breaks', async () => {
    const { rows } = await read('code,tier,seat\r\nA1,day,"Row ""B"",\r\n seat 3"\r\n')
    assert.equal(rows[0]?.seat, 'Row "B", seat 3')
  })

  it('a row is the line on which it starts, whatever the line breaks inside quotes', async () => {
    const { rows, rejected } = await read(
      'code,tier,seat\r\n\r\nA1,day,"a\r\nb\r\nc"\r\nA2,day,x\r\n,,\r\nA3,nope,"y\nz"\r\nA4,day,\r\n',
    )
    assert.deepEqual(
      rows.map(({ row }) => row),
      [3, 6, 10],
    )
    assert.deepEqual(
      rejected.map(({ row }) => row),
      [8],
    )
  })

  it('rows keep their lines across slices of the parser', async () => {
    const lines = Array.from({ length: 5000 }, (_, n) => `C${n},day,"${'é'.repeat(n % 7)}\r\n${n}"\r\n`)
    const { rows } = await read(`code,tier,seat\r\n${lines.join('')}`)
    assert.deepEqual(
      rows.map(({ row }) => row),
      lines.map((_, n) => 2 + 2 * n),
    )
    assert.deepEqual(
      rows.map(({ code }) => code),
      lines.map((_, n) => `C${n}`),
    )
  })

  it('a row with more cells than the header is rejected: a comma was not quoted', async () => {
    const { rejected } = await read('code,tier,seat\nA1,day,Block A, row 3\n')
    assert.deepEqual(
      rejected.map(({ row }) => row),
      [2],
    )
    assert.match(rejected[0]?.reason ?? '', /4 cells and the header 3.*quotation marks/)
  })

  it('a file that was cut off loses the row that it ends in', async () => {
    const { rows, rejected } = await read('code,tier,seat\nA1,day,3\nA2,day')
    assert.deepEqual(
      rows.map(({ code }) => code),
      ['A1'],
    )
    assert.match(rejected[0]?.reason ?? '', /ends in the middle of this row: download it again/)
  })
})

describe('files of which nothing can be used', () => {
  const files: [string, string | Uint8Array, RegExp][] = [
    ['an empty file', '', /file is empty/],
    ['blanks alone', ' \r\n\t\n', /file is empty/],
    ['a byte order mark alone', '\ufeff', /file is empty/],
    ['a header alone', 'code,tier\n', /holds no ticket/],
    ['an Excel workbook', Buffer.from('PK\x03\x04\x14\0\x06\0', 'latin1'), /Excel workbook.*CSV UTF-8/],
    ['an old Excel workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /old Excel workbook.*CSV UTF-8/],
    ['a PDF', '%PDF-1.7\n', /is a PDF/],
    ['a gzip file', Buffer.from('1f8b0800', 'hex'), /gzip/],
    ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), /not a text file/],
    ['the login page of the shop', '<!DOCTYPE html><html>', /web page.*sign in/],
    ['a list of codes without a table', 'A1\nA2\nA3\n', /not a row of a table/],
    ['prose', 'Dear all, the tickets are attached.', /no known shop/],
    ['columns of nobody', 'Name;Betrag\nA;3\n', /has the columns "Name", "Betrag".*pretix, eventbrite, alfio/],
    ['an unclosed quotation mark', 'code,tier\nA1,day\n"A2,day\nA3,day\n', /starts on line 3 is never closed/],
    ['one before a long file', `code,tier\n"A2,day\n${'A,day\n'.repeat(50_000)}`, /starts on line 2 is never closed/],
    ['a quotation mark inside a cell', 'code,tier,seat\nA1,day,3\nA2,day,the "front" row\n', /inside .* line 3/],
    ['a quoted cell with a tail', 'code,tier,seat\nA1,day,"the" front\n', /inside .* line 2/],
    ['broken JSON', '{"results": [', /broken, perhaps cut off/],
    ['JSON of something else', '{"name": "x"}', /not a pretix order/],
  ]
  for (const [name, file, message] of files) it(name, () => refuses(file, message))

  it('a file without a header is not quoted back, as its first line is a ticket', async () => {
    await assert.rejects(read('QX77341,Ann Example,ann@example.org\nQX77342,Bo Example,bo@example.org\n'), (error) => {
      assert.ok(error instanceof GatehouseError)
      assert.match(error.message, /first line looks like a ticket/)
      assert.doesNotMatch(error.message, /QX|Ann|@/)
      return true
    })
  })

  it('a header that fits two shops', () =>
    refuses(
      'code,tier,Ticket type,Barcode #\nA,day,B,C\n',
      /could be (gatehouse|eventbrite) or (gatehouse|eventbrite): say which with --format/,
    ))

  it('a gatehouse header that names order and product is one of ours', async () => {
    const { format } = await readTickets(Buffer.from('code,tier,Order code,Product\nA,day,B,C\n'), EVENT)
    assert.equal(format, 'gatehouse')
  })

  it('a file that is plainly of another shop than asked for', () =>
    refuses('code,tier\nA1,day\n', /read as eventbrite and looks like gatehouse: leave the format at auto/, {
      format: 'eventbrite',
    }))

  it('JSON where a CSV was asked for', () =>
    refuses('[]', /JSON file, and hievents is read as CSV/, { format: 'hievents' }))

  for (const format of SHOP_FORMATS) {
    it(`a table without any column of ${format}`, () => refuses('x,y\n1,2\n', /export has no column/i, { format }))
  }

  it('a file over the limit', () => assert.rejects(read(new Uint8Array(256 * 1024 * 1024 + 1)), { code: 'too_large' }))
})

describe('codes', () => {
  const reasonOf = async (cells: readonly string[]) => {
    const file = ['code,tier', ...cells.map((cell) => `"${cell.replaceAll('"', '""')}",day`)].join('\n')
    const report = await read(file)
    return { ...report, reason: report.rejected[0]?.reason ?? '' }
  }
  const refused: [string, string, RegExp][] = [
    ['scientific notation', '1.23457E+15', /rounded number/],
    ['scientific notation with a comma', '1,23457E+15', /rounded number/],
    ['scientific notation of a small number', '1.2E-05', /rounded number/],
    ['a formula error', '#NAME?', /error or by ####/],
    ['a column that was too narrow', '########', /error or by ####/],
    ['a number with decimals', '123456.0', /ends in decimals/],
    ['a date', 'Mar-26', /made a date/],
    ['a date the other way', '26-Mar', /made a date/],
    ['an apostrophe', "'00123", /apostrophe/],
    ['a rotating code', 'G1:QED8WEX0', /rotating one/],
    ['a zero-width space', 'AB\u200bC', /invisible character/],
    ['NUL', 'AB\0C', /invisible character/],
    ['a line break', 'AB\nC', /invisible character/],
    ['characters lost earlier', 'AB\ufffdC', /were lost/],
    ['more than 1 KiB', 'é'.repeat(513), /longer than 1024 bytes/],
    ['nothing', '', /no code/],
  ]
  for (const [name, cell, reason] of refused) {
    it(`rejects ${name}`, async () => {
      // NUL at the head of a file makes it binary: far down it is one bad row
      const far = Array.from({ length: 9000 }, (_, n) => `filler-${n}`)
      assert.match((await reasonOf(cell.includes('\0') ? [...far, cell] : [cell])).reason, reason)
    })
  }

  for (const cell of [
    '00123',
    '12E45',
    '4E-12',
    'MAR-26',
    'a b',
    'é'.repeat(512),
    'abc/def+gh==',
    '=1+2',
    '#1',
    '1.5',
  ]) {
    it(`takes ${cell.slice(0, 12)} as it is`, async () => {
      const { rows, warnings } = await reasonOf([cell])
      assert.deepEqual([rows.map(({ code }) => code), warnings], [[cell], []])
    })
  }

  it('blanks around a code go, and a formula that keeps zeros is opened, both with a warning', async () => {
    const { rows, warnings } = await reasonOf([' A1\u00a0', '="0012"'])
    assert.deepEqual(
      rows.map(({ code }) => code),
      ['A1', '0012'],
    )
    assert.match(warnings[0] ?? '', /^Row 2: Blanks around the code were removed/)
    assert.match(warnings[1] ?? '', /^Row 3: The code was written as a formula/)
  })

  it('a code is read from a cell as from a scan', async () => {
    // Control characters at the head of a file make it binary.
    const readable = vectors.payloads.filter(({ payload, code }) => code !== '' && !/[\p{Cc}]\S/u.test(payload))
    for (const { name, payload, code } of readable) {
      const { rows } = await reasonOf([payload])
      assert.deepEqual(
        rows.map((row) => row.code),
        [code],
        name,
      )
    }
    const { warnings } = await reasonOf([']Q1A1'])
    assert.match(warnings[0] ?? '', /^Row 2: What a scanner adds to a code .* was removed/)
  })

  it('the later of two equal codes is rejected, and names the first', async () => {
    const { rows, rejected } = await read('code,tier\nA1,day\nB1,day\n A1 ,vip\na1,day\n')
    assert.deepEqual(
      rows.map(({ row, code }) => [row, code]),
      [
        [2, 'A1'],
        [3, 'B1'],
        [5, 'a1'],
      ],
    )
    assert.deepEqual(rejected, [
      {
        ...{ row: 4, reason: 'Row 2 has the same code: remove one of the two.' },
        coded: { code: 'code_twice', values: { row: 2 } },
      },
    ])
  })

  it('long numbers that all end in zeros were rounded', async () => {
    const { rows, rejected } = await reasonOf(['9000000012345670000', 'X1', '9000000012345680000'])
    assert.deepEqual(
      rows.map(({ code }) => code),
      ['X1'],
    )
    assert.deepEqual(
      rejected.map(({ row }) => row),
      [2, 4],
    )
    assert.match(rejected[0]?.reason ?? '', /last digits of all long codes are zeros/)
  })

  it('long numbers of which one ends in zeros were not', async () => {
    assert.equal((await reasonOf(['9000000012345670000', '9000000012345670001'])).rejected.length, 0)
  })

  it('shorter numbers in a column where none starts with zero: zeros may be eaten', async () => {
    const { rows, warnings } = await reasonOf(['734511', '82311', '934512', '634513'])
    assert.equal(rows.length, 4)
    assert.match(warnings[0] ?? '', /^Row 3: The code has fewer digits .* eats leading zeros/)
  })

  for (const numbers of [
    ['734511', '082311', '934512', '9345'],
    ['98', '99', '100', '101'],
  ]) {
    it(`no such warning for ${numbers.join(' ')}`, async () => assert.deepEqual((await reasonOf(numbers)).warnings, []))
  }

  it('a whole file of rounded numbers is rejected row by row', async () => {
    const lines = Array.from({ length: 130_000 }, (_, n) => `9${String(n).padStart(9, '0')}000000000,day`)
    const { rows, rejected } = await read(`code,tier\n${lines.join('\n')}`)
    assert.deepEqual([rows.length, rejected.length], [0, lines.length])
  })
})

describe('tiers', () => {
  it('by id, by name, and by mapping, whatever the case and the dash', async () => {
    const { rows } = await read('code,tier\nA,DAY\nB, day  Ticket \nC,Early Bird – Sat\nD,crew\n', {
      tierMap: { 'early bird - sat': 'Backstage', Crew: 'vip' },
    })
    assert.deepEqual(
      rows.map(({ tier }) => tier),
      ['day', 'day', 'vip', 'vip'],
    )
  })

  it('a mapping counts more than a name that happens to fit', async () => {
    assert.equal((await read('code,tier\nA,day\n', { tierMap: { Day: 'vip' } })).rows[0]?.tier, 'vip')
  })

  it('a name that fits none is rejected, with what to add', async () => {
    const { rejected } = await read('code,tier\nA,Early Bird\nB,Child ($5)\nC,\n')
    assert.deepEqual(
      rejected.map(({ reason }) => reason),
      [
        '"Early Bird" fits no ticket type: add --tier "Early Bird=<tier>" with one of day, vip, or --tier "Early Bird=" if it is not a ticket.',
        `"Child ($5)" fits no ticket type: add --tier 'Child ($5)=<tier>' with one of day, vip, or --tier 'Child ($5)=' if it is not a ticket.`,
        'The row names no ticket type: fill in one of day, vip.',
      ],
    )
  })

  it('an empty mapping leaves a product out, and it is counted nowhere else', async () => {
    const {
      rows,
      read: count,
      leftOut,
      warnings,
    } = await read('code,tier\nA,day\nB,T-shirt\nC,T-shirt\n', {
      tierMap: { 'T-Shirt': '' },
    })
    assert.deepEqual([rows.length, count, leftOut], [1, 1, 2])
    assert.deepEqual(warnings, ['Rows 3, 4: "T-shirt" was left out, as its empty mapping asks.'])
  })

  it('a mapping that no row needs is named', async () => {
    const { warnings } = await read('code,tier\nA,day\n', { tierMap: { 'Erly Bird': 'day' } })
    assert.deepEqual(warnings, ['The mapping of "Erly Bird" fitted no record: check its spelling.'])
  })

  it('a mapping to a tier that does not exist stops the import', () =>
    refuses('code,tier\nA,day\n', /"Early Bird" names the ticket type "dya".*use day, vip/, {
      tierMap: { 'Early Bird': 'dya' },
    }))
})

it('equal warnings are one, with the first rows and the number of the others', async () => {
  const file = ['code,tier', ...Array.from({ length: 8 }, (_, n) => ` A${n},day`)].join('\n')
  const { warnings, warned } = await read(file)
  assert.deepEqual(warnings, ['Rows 2, 3, 4, 5, 6 and 3 more: Blanks around the code were removed.'])
  assert.deepEqual(warned, [
    {
      ...{ text: 'Blanks around the code were removed.', rows: [2, 3, 4, 5, 6], count: 8 },
      coded: { code: 'code_blanks' },
    },
  ])
})

it('a name is kept on one line, and to a length that a screen can show', async () => {
  const { rows, warnings } = await read(`code,tier,holder_name,email\nA,day,"Ann\n\t\u202eLee",${'x'.repeat(600)}\n`)
  assert.equal(rows[0]?.holderName, 'Ann Lee')
  assert.equal(rows[0]?.email?.length, 500)
  assert.match(warnings[0] ?? '', /^Row 2: A long text was shortened/)
})

describe('laws', () => {
  const HEADERS = [
    'code,tier,seat,holder_name,email,valid_from,valid_until,status',
    'Order code,Attendee name,Product,Paid,Secret,E-mail',
    'Order #,Quantity,Ticket Type,Barcode #,Attendee Status',
    'ID,Category,Event,Status,ReservationID,Code',
    'Public ID,Product Name,Status,Check Ins',
    'private_reference_number,order_reference,ticket title,has_arrived',
  ]

  async function holds(file: Uint8Array, options: Partial<ReadOptions> = {}): Promise<void> {
    try {
      const report = await read(file, { pause: async () => {}, ...options })
      assert.equal(report.rows.length + report.rejected.length, report.read)
      assert.equal(new Set(report.rows.map(({ code }) => code)).size, report.rows.length)
      for (const row of report.rows) {
        assert.ok(row.code.length > 0 && Buffer.byteLength(row.code) <= 1024)
        assert.ok(['day', 'vip'].includes(row.tier))
        assert.equal(row.detail === null, row.status === 'valid')
      }
    } catch (error) {
      assert.ok(error instanceof GatehouseError, error instanceof Error ? error.stack : String(error))
      assert.match(error.message, /^\S[^\n\r]+\.$/)
    }
  }

  const format = fc.constantFrom('auto' as const, ...SHOP_FORMATS)

  it('any bytes are read or refused', () =>
    fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), format, (file, format) => holds(file, { format }))))

  it('any text is read or refused', () =>
    fc.assert(
      fc.asyncProperty(anyText({ maxLength: 300 }), format, (text, format) => holds(Buffer.from(text), { format })),
    ))

  it('any cells under a known header are read or refused', () => {
    const word = fc.constantFrom(
      ...['A1', 'B2', 'A1', 'day', 'Backstage', 'nope', '', ' ', '1', '2', 'Yes', 'no', 'valid', 'ACTIVE', 'Attending'],
      ...[
        '1.2E+15',
        '2026-07-04',
        '2026-02-30',
        '2026-07-04 18:00',
        '"',
        '\n',
        ',',
        '__proto__',
        'constructor',
        'c/d',
        'c',
      ],
    )
    const cell = fc.oneof({ weight: 5, arbitrary: word }, anyText({ maxLength: 20 }))
    const quotedCell = fc
      .tuple(cell, fc.boolean())
      .map(([text, plain]) => (plain ? text : `"${text.replaceAll('"', '""')}"`))
    const line = fc.array(quotedCell, { minLength: 1, maxLength: 9 }).map((cells) => cells.join(','))
    return fc.assert(
      fc.asyncProperty(fc.constantFrom(...HEADERS), fc.array(line, { maxLength: 12 }), (header, lines) =>
        holds(Buffer.from([header, ...lines].join('\r\n'))),
      ),
      runs(150, 1000),
    )
  })

  it('any JSON is read or refused', () => {
    const field = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom('p', 'n', 'c', 'e', 1, 'A1', '2026-01-01T00:00:00Z'),
    )
    const position = fc.record(
      {
        id: field,
        item: field,
        variation: field,
        secret: field,
        addon_to: field,
        subevent: field,
        seat: field,
        attendee_name: field,
        attendee_name_parts: field,
        attendee_email: field,
        blocked: field,
        checkins: field,
        valid_from: field,
        valid_until: field,
        canceled: field,
        positionid: field,
      },
      { requiredKeys: [] },
    )
    const order = fc.record({
      status: fc.oneof(field, fc.constantFrom('p', 'n', 'c', 'e')),
      positions: fc.array(fc.oneof({ weight: 9, arbitrary: position }, field), { maxLength: 4 }),
      email: field,
      require_approval: field,
      valid_if_pending: field,
    })
    const json = fc.oneof(
      order,
      fc.array(order, { maxLength: 3 }),
      fc.record({ count: field, next: field, results: fc.array(order, { maxLength: 3 }) }),
      fc.record({ event: fc.record({ items: field, orders: fc.array(order, { maxLength: 3 }) }) }),
      fc.jsonValue(),
    )
    const other = fc.record(
      {
        id: field,
        name: field,
        admission: field,
        variations: fc.oneof(field, fc.array(fc.record({ id: field, value: field, checkin_text: field }))),
        question: field,
        type: fc.oneof(field, fc.constantFrom('C', 'M', 'B', 'H')),
        options: field,
        items: field,
        dependency_question: field,
        dependency_values: field,
        all_products: field,
        rules: field,
      },
      { requiredKeys: ['id', 'name', 'admission'] },
    )
    return fc.assert(
      fc.asyncProperty(json, fc.array(other, { maxLength: 3 }), (value, others) =>
        holds(Buffer.from(JSON.stringify(value)), { others, tierMap: { 'item:1': 'day', 'item:A1': 'vip' } }),
      ),
      runs(200, 1000),
    )
  })

  it('delimiter, line ends and encoding make no difference', () => {
    const cell = fc
      .string({ unit: fc.constantFrom(...'ab ,;"\té'), maxLength: 6 })
      .map((text) => `"${text.replaceAll('"', '""')}"`)
    const record = fc.tuple(fc.constantFrom('A', 'B', 'C', ' D'), fc.constantFrom('day', 'vip', 'nope'), cell, cell)
    return fc.assert(
      fc.asyncProperty(
        fc.array(record, { minLength: 1, maxLength: 8 }),
        fc.constantFrom(',', ';', '\t'),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.constantFrom<((text: string) => Buffer)[]>(
          Buffer.from,
          (text) => Buffer.from(`\ufeff${text}`),
          (text) => utf16(text, 'le', true),
          (text) => utf16(text, 'be', true),
          (text) => utf16(text, 'le', false),
        ),
        async (records, delimiter, lineEnd, encode) => {
          const table = [['code', 'tier', 'seat', 'holder_name'], ...records]
          const write = (delimiter: string, lineEnd: string) =>
            table.map((cells) => cells.join(delimiter)).join(lineEnd)
          assert.deepEqual(await read(encode(write(delimiter, lineEnd))), await read(write(',', '\n')))
        },
      ),
    )
  })

  it('deep JSON is refused', () => holds(Buffer.from('['.repeat(200_000) + ']'.repeat(200_000))))

  it('reading twice answers the same', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('A1', 'A2', '', 'x y'), { minLength: 1, maxLength: 6 }),
        async (cells) => {
          const file = ['code,tier,seat', ...cells.map((cell) => `${cell},day,1`)].join('\n')
          assert.deepEqual(await read(file), await read(file))
        },
      ),
      { numRuns: 20 },
    ))
})

describe('a large file', () => {
  const { numRuns: COUNT } = runs(20_000, 100_000)
  const csv = ['Order code,Attendee name,Product,Secret,E-mail,Seat name']
  for (let n = 0; n < COUNT; n++) {
    csv.push(
      `O${n},Given Family ${n},Day ticket,${(n * 7919 + 1e12).toString(36)}x,person${n}@example.org,"Block A, ${n}"`,
    )
  }
  const orders = Array.from({ length: COUNT }, (_, n) => ({
    code: `O${n}`,
    status: 'p',
    testmode: false,
    email: `person${n}@example.org`,
    valid_if_pending: false,
    positions: [
      { id: n, positionid: 1, item: 1, variation: null, secret: `${n}x`, seat: null, checkins: [], blocked: null },
    ],
  }))
  for (const [name, file] of [
    ['CSV', Buffer.from(csv.join('\r\n'))],
    ['JSON', Buffer.from(JSON.stringify({ count: COUNT, next: null, results: orders }))],
  ] as const) {
    it(`as ${name} leave the event loop its turns`, async (t) => {
      let turns = 0
      let longest = 0
      let progress = 0
      let since = performance.now()
      const started = since
      const { rows, format } = await read(file, {
        tierMap: { 'item:1': 'day' },
        onProgress(done, total) {
          assert.ok(done >= progress && done <= total)
          progress = done
        },
        async pause() {
          turns++
          longest = Math.max(longest, performance.now() - since)
          await setImmediate()
          since = performance.now()
        },
      })
      longest = Math.max(longest, performance.now() - since)
      assert.equal(format, 'pretix')
      assert.equal(rows.length, COUNT)
      assert.ok(turns >= COUNT / 1000, `${turns} turns`)
      const [ms, size] = [performance.now() - started, file.length / 1e6]
      t.diagnostic(`${size.toFixed(1)} MB in ${ms.toFixed(0)} ms, ${turns} turns, longest ${longest.toFixed(1)} ms`)
    })
  }
})
