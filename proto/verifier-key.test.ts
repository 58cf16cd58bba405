import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { toBase64 } from './base64.ts'
import { anyText } from './properties.testing.ts'
import { checkedVerifierKey, parseVerifierKey } from './verifier-key.ts'

const NAME = 'gatehouse/test-fair/box-0badcafe'
const KEY = Uint8Array.from({ length: 32 }, (_, i) => i)
const encoded = (algorithm: number, key: Uint8Array) => toBase64(Uint8Array.of(algorithm, ...key))
const GOOD = `${NAME}+00c0ffee+${encoded(1, KEY)}`

test('a verifier key is read', () => {
  assert.deepEqual(parseVerifierKey(GOOD), { name: NAME, keyId: '00c0ffee', publicKey: KEY })
})

test('a key with which anybody can sign is none, even under its own id', async () => {
  for (const key of [new Uint8Array(32), new Uint8Array(32).fill(255), Uint8Array.of(1, ...new Uint8Array(31))]) {
    const digest = createHash('sha256')
      .update(`${NAME}\n`)
      .update(Uint8Array.of(1, ...key))
      .digest('hex')
    assert.equal(await checkedVerifierKey(`${NAME}+${digest.slice(0, 8)}+${encoded(1, key)}`), undefined)
  }
})

test('a verifier key has the id of its name and key', async () => {
  // The example of Go's signed-note package.
  const text = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW'
  assert.equal((await checkedVerifierKey(text))?.name, 'PeterNeumann')
  for (const wrong of [GOOD, text.replace('c74f', 'c74e'), text.replace('P', 'Q'), text.replace('y10T', 'y10U'), '']) {
    assert.equal(await checkedVerifierKey(wrong), undefined, wrong)
  }
})

for (const [why, text] of [
  ['nothing', ''],
  ['a name alone', NAME],
  ['no name', GOOD.slice(NAME.length)],
  ['a name with a space', `a b+00c0ffee+${encoded(1, KEY)}`],
  ['a name with a plus', `a+b+00c0ffee+${encoded(1, KEY)}`],
  ['a name with a line feed', `a\nb+00c0ffee+${encoded(1, KEY)}`],
  ['a key id of 7 digits', GOOD.replace('00c0ffee', '0c0ffee')],
  ['a key id of 9 digits', GOOD.replace('00c0ffee', '000c0ffee')],
  ['a key id in capitals', GOOD.replace('00c0ffee', '00C0FFEE')],
  ['another algorithm', `${NAME}+00c0ffee+${encoded(4, KEY)}`],
  ['a key of 31 bytes', `${NAME}+00c0ffee+${encoded(1, KEY.slice(1))}`],
  ['a key of 33 bytes', `${NAME}+00c0ffee+${encoded(1, Uint8Array.of(...KEY, 1))}`],
  ['padding where none belongs', `${GOOD}=`],
  ['padding in the middle', `${GOOD.slice(0, -8)}=${GOOD.slice(-7)}`],
  ['Base64url', `${NAME}+00c0ffee+${encoded(1, new Uint8Array(32).fill(255)).replaceAll('/', '_')}`],
  ['a line feed after it', `${GOOD}\n`],
  ['a space before it', ` ${GOOD}`],
  ['one more field', `${GOOD}+x`],
  ['spaces for the pluses that a query string makes of them', GOOD.replaceAll('+', ' ')],
] as const) {
  test(`no verifier key: ${why}`, () => assert.equal(parseVerifierKey(text), undefined))
}

test('hostile text never throws, and takes no longer for being long', () => {
  fc.assert(fc.property(anyText(), (text) => assert.equal(parseVerifierKey(text), undefined)))
  const started = performance.now()
  for (const text of ['+'.repeat(1e6), 'a'.repeat(1e6), `a+00c0ffee+${'A'.repeat(1e6)}`, `a+${'0'.repeat(1e6)}`]) {
    assert.equal(parseVerifierKey(text), undefined)
  }
  assert.ok(performance.now() - started < 1000)
})
