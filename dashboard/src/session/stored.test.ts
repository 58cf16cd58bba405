import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cleanActor, cleanToken, kept } from './stored.ts'

/** Control characters, Latin, and what is neither. */
const anything = fc.string({ unit: fc.integer({ min: 0, max: 0x2ff }).map((code) => String.fromCharCode(code)) })

function storage(content: Record<string, string> = {}) {
  const map = new Map(Object.entries(content))
  return {
    getItem: (key: string) => map.get(key) ?? null,
    setItem: (key: string, value: string) => void map.set(key, value),
    removeItem: (key: string) => void map.delete(key),
  }
}

test('a value is kept, and forgotten', () => {
  const own = storage()
  const token = kept('token', cleanToken, () => own)
  assert.equal(token.read(), null)
  token.write('abc')
  assert.equal(kept('token', cleanToken, () => own).read(), 'abc')
  token.write(null)
  assert.equal(kept('token', cleanToken, () => own).read(), null)
})

test('what was stored by nobody of ours is worth nothing', () => {
  for (const text of ['', ' ', 'a b', 'a\nb', 'ä', 'x'.repeat(501), '\0']) {
    assert.equal(kept('token', cleanToken, () => storage({ token: text })).read(), null, JSON.stringify(text))
  }
})

test('a browser without storage keeps it for as long as the page is open', () => {
  const forbidden = () => {
    throw new DOMException('no', 'SecurityError')
  }
  const token = kept('token', cleanToken, forbidden)
  assert.equal(token.read(), null)
  token.write('abc')
  assert.equal(token.read(), 'abc')
  token.write(null)
  assert.equal(token.read(), null)
})

test('a token can be sent in a header, whatever was pasted', () => {
  assert.equal(cleanToken('  abc-123_X \n'), 'abc-123_X')
  fc.assert(
    fc.property(anything, (text) => {
      const token = cleanToken(text)
      if (token !== null)
        assert.equal(new Headers({ authorization: `Bearer ${token}` }).get('authorization'), `Bearer ${token}`)
    }),
  )
})

test('a name is one line without control characters', () => {
  assert.equal(cleanActor('  Jo\t Brandt\n'), 'Jo Brandt')
  assert.equal(cleanActor(' \u0000\u0007 '), null)
  assert.equal(cleanActor('x'.repeat(501)), null)
  fc.assert(
    fc.property(anything, (text) => {
      const name = cleanActor(text)
      // As box and journal want it: proto/wire/terms.ts, Words.
      // biome-ignore lint/suspicious/noControlCharactersInRegex: those it must not have
      return name === null || (/^[^\x00-\x1f\x7f]{1,500}$/.test(name) && name === name.trim())
    }),
  )
})
