import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { anyText } from '@gatehouse/proto/properties.testing.ts'
import fc from 'fast-check'
import { type Kind, READABLE } from './readable.ts'
import { readRow } from './row.ts'

const TABLE = {
  ...(READABLE.get('tickets') as NonNullable<ReturnType<typeof READABLE.get>>),
  columns: new Map<string, Kind>([
    ...([
      ['id', 'whole'],
      ['text', 'text'],
      ['real', 'real'],
      ['yes', 'boolean'],
      ['at', 'time'],
      ['list', 'json'],
    ] as const),
  ]),
  key: ['id'],
}

describe('an image as a row', () => {
  it('is typed as its columns are', () => {
    const image = {
      id: '9223372036854775807',
      text: 'é',
      real: '0.25',
      yes: '1',
      at: '1751360400000',
      list: '["a-in"]',
    }
    assert.deepEqual(readRow(TABLE, image), {
      values: { ...image, real: 0.25, yes: true, at: '2025-07-01T09:00:00.000Z', list: ['a-in'] },
      extra: {},
      unfit: [],
      key: '["9223372036854775807"]',
    })
    assert.deepEqual(readRow(TABLE, { id: '1', text: null, yes: null }).values, { id: '1', text: null, yes: null })
  })

  it('puts aside what does not fit, and what has no column', () => {
    const image = { id: '1', real: 'NaN', yes: 'maybe', at: '99999999999999999', list: '{', new_one: 'x\0' }
    const { values, extra, unfit } = readRow(TABLE, image)
    assert.deepEqual(values, { id: '1', real: null, yes: null, at: null, list: null })
    assert.deepEqual(extra, { real: 'NaN', yes: 'maybe', at: '99999999999999999', list: '{', new_one: 'x\u{fffd}' })
    assert.deepEqual(unfit, ['real', 'yes', 'at', 'list'])
    for (const id of ['9223372036854775808', '1.5', '', 'x']) assert.equal(readRow(TABLE, { id }).key, undefined)
    assert.equal(readRow(TABLE, { text: 'no key' }).key, undefined)
    // Values that jsonb cannot hold.
    for (const list of ['"\\u0000"', '"\\ud800"', '{"\\u0000":1}'])
      assert.deepEqual(readRow(TABLE, { id: '1', list }).unfit, ['list'])
  })

  it('never throws, and never hands PostgreSQL a NUL', () => {
    const image = fc.dictionary(
      fc.constantFrom('id', 'text', 'real', 'yes', 'at', 'list', 'more', '__proto__'),
      fc.option(anyText()),
    )
    fc.assert(
      fc.property(image, (one) => {
        const { values, extra } = readRow(TABLE, one)
        assert.doesNotMatch(JSON.stringify([values, extra]), /\\u0000|\\ud[89a-f]/i)
      }),
    )
  })
})
