import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvOf } from './csv.ts'

test('a cell that begins like a formula is text to a spreadsheet', () => {
  const dangerous = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ' =1', '|calc', '＝1', '%0A']
  for (const text of dangerous) {
    const [, row] = csvOf(['a'], [[text]]).split('\r\n')
    assert.ok(row?.replace(/^"/, '').startsWith("'"), `${JSON.stringify(text)} is ${row}`)
  }
})

test('quotation marks, commas and line breaks stay in their cell, and numbers are numbers', () => {
  assert.equal(csvOf(['a', 'b'], [['x "y", z\nw', -3]]), 'a,b\r\n"x ""y"", z\nw",-3\r\n')
})
