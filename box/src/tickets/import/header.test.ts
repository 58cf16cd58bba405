import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { eachRecord, openCsv } from './csv.ts'

async function table(text: string): Promise<string[][]> {
  const file = openCsv(Buffer.from(text))
  const rows = [file.header]
  await eachRecord(
    file,
    ({ cells }) => rows.push(cells),
    async () => {},
  )
  return rows
}

const DELIMITERS = [',', ';', '\t']

describe('the header of a CSV', () => {
  for (const rows of [
    ['Code;Name', 'K-1;Müller, Anna'],
    ['Code;Preis', 'K-1;49,00'],
    ['Nr;Name;Preis', 'K-1;Müller, Anna;49,00'],
    ['Code;Name', 'K-1;Müller, Anna, Dr.', 'K-2;Maier, Bo, Dr.'],
    ['Code\tName', 'K-1\tMüller, Anna'],
    ['Code\tPreis', 'K-1\t49,00'],
    ['Nr\tName\tPreis', 'K-1\tMüller, Anna\t49,00', 'K-2\tMaier; Bo\t5,00'],
    ['Barcode;;', 'A-1;Tag;'],
    ['Barcode;;', 'A-1;Tag;Müller, Anna'],
    ['Barcode;;', 'A-1;Tag;Anna', 'A-2;Tag;'],
    ['Name, first;Code', 'Müller;K-1'],
    ['Code;Name', 'K-1', 'K-2;Maier, Bo', 'K-3;Abel, Cy'],
    ['Code;Name', 'K-1;a "b', 'K-2;c'],
  ]) {
    it(`is the first row of ${JSON.stringify(rows.join('\n'))}`, () => {
      const { header, start } = openCsv(Buffer.from(`${rows.join('\n')}\n`))
      assert.deepEqual([start, header], [0, rows[0]?.split(/[;\t]/)])
    })
  }

  for (const title of [
    'Gäste des Fests\n',
    'Gäste des Fests;;\n',
    '\nGäste\n\n;;\n',
    'Gäste\nStand, 3. Mai\n',
    'Gäste, Stand 3. Mai\n',
    'Gäste, Fest;;\n',
    '"Gäste";"";""\n',
  ]) {
    it(`is below ${JSON.stringify(title)}`, async () => {
      const rows = [
        ['Schlüssel', 'Für', 'Preis'],
        ['K-1', 'Müller, Änne', '49,00'],
        ['K-2', 'Maier, Bo', '5,00'],
      ]
      assert.deepEqual(await table(title + rows.map((row) => row.join(';')).join('\n')), rows)
    })
  }

  it('is below a title though a later row cannot be read', () => {
    assert.deepEqual(openCsv(Buffer.from('Gäste\nNr;Name\nK-1;Bo\nK-2;a "b\n')).header, ['Nr', 'Name'])
  })

  it('is the first row whatever other delimiters are in the cells below', () => {
    const name = fc.stringMatching(/^[A-Za-zÄÖÜäöüß#. ]{0,8}[A-Za-zÄÖÜäöüß0-9]$/)
    const cell = fc.array(fc.constantFrom('a', 'Ü', '7', ' ', '.', ...DELIMITERS), { maxLength: 8 })
    fc.assert(
      fc.property(
        fc.constantFrom(...DELIMITERS),
        fc.array(name, { minLength: 2, maxLength: 6 }),
        // Also longer and shorter than the header; a row of one cell could be the header below a title with a comma.
        fc.array(fc.array(cell, { minLength: 2, maxLength: 7 }), { maxLength: 8 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        (delimiter, names, cells, lineEnd) => {
          const rows = cells.map((row) => row.map((parts) => parts.filter((part) => part !== delimiter).join('')))
          const text = [names, ...rows].map((row) => row.join(delimiter)).join(lineEnd)
          const { header, start, delimiter: found } = openCsv(Buffer.from(text))
          assert.deepEqual([header, start, found], [names, 0, delimiter])
        },
      ),
      { numRuns: 1000 },
    )
  })
})
