import assert from 'node:assert/strict'
import { it } from 'node:test'
import { drizzle } from '../drizzle/sqlite.ts'
import { journal } from './schema.ts'
import { fixedLimit } from './statements.ts'

it('a fixed limit is in the text of a statement, and no value is bound for it', () => {
  const { sql, params } = drizzle.mock().select({ index: journal.index }).from(journal).limit(fixedLimit(20)).toSQL()
  assert.match(sql, / limit 20$/)
  assert.deepEqual(params, [])
  for (const limit of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])
    assert.throws(() => fixedLimit(limit), RangeError)
})
