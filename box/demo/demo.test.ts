import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { parseEvent } from '../src/event/event.ts'
import { demoTickets } from './generate-tickets.ts'

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8')
const rows: Record<string, string>[] = parse(read('tickets.csv'), { columns: true })

test('tickets.csv is what its generator writes', () => {
  assert.ok(read('tickets.csv') === demoTickets(), 'run: node box/demo/generate-tickets.ts')
})

test('there are 2,000 tickets of four tiers, each with a code and a seat of its own', () => {
  const parsed = parseEvent(JSON.parse(read('event.json')))
  assert.ok('event' in parsed)
  assert.equal(rows.length, 2000)
  assert.equal(new Set(rows.map((row) => row.code)).size, 2000)
  for (const { code } of rows) assert.match(code ?? '', /^[A-HJ-NP-Z2-9]{16}$/)
  assert.deepEqual(new Set(rows.map((row) => row.tier)), new Set(parsed.event.tierById.keys()))
  const seats = rows.flatMap((row) => row.seat || [])
  assert.equal(new Set(seats).size, seats.length)
})

test('a spreadsheet that opens the file takes no code for a number', () => {
  assert.deepEqual(
    rows.filter(({ code }) => /^\d+(E\d+)?$/.test(code ?? '')),
    [],
  )
})

test('the table in README.md names the first tickets of the file', () => {
  const table = [...read('README.md').matchAll(/^\| `([A-Z2-9]{16})` \| (\w+) /gm)].map(([, code, tier]) => ({
    code,
    tier,
  }))
  assert.equal(table.length, 8)
  assert.deepEqual(
    table,
    rows.slice(0, 8).map(({ code, tier }) => ({ code, tier })),
  )
})
