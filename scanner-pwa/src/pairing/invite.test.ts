import '../words/in-english.ts'

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ScannerError } from '../gate/model.ts'
import { isInvite, readInvite } from './invite.ts'

const ORIGIN = 'https://192.168.4.1:8443'
const GOOD = { u: ORIGIN, fp: `sha256:${'a1'.repeat(32)}`, i: 'Zm9vYmFy', x: 1_800_000_000 }
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const READ = { origin: ORIGIN, fingerprint: GOOD.fp, code: GOOD.i, expiresAt: 1_800_000_000_000 }

describe('an invite', () => {
  it('is read from its link, from a fragment, and from what a camera made of it', () => {
    const payload = encoded(GOOD)
    for (const text of [
      `${ORIGIN}/scanner/#i=${payload}`,
      `#i=${payload}`,
      `i=${payload}`,
      ` ${ORIGIN}/#i=${payload}\n`,
    ]) {
      assert.deepEqual(readInvite(text, [ORIGIN]), READ)
    }
  })

  it('of another box names the address to open', () => {
    const text = `#i=${encoded({ ...GOOD, u: 'https://gate.example' })}`
    assert.throws(() => readInvite(text, [ORIGIN]), /Open https:\/\/gate\.example\/scanner\/ on this phone/)
  })

  const bad: [string, unknown][] = [
    ...Object.keys(GOOD).map((key): [string, unknown] => [`without ${key}`, { ...GOOD, [key]: undefined }]),
    ['in the clear', { ...GOOD, u: 'http://192.168.4.1' }],
    ['to a script', { ...GOOD, u: 'javascript:alert(1)' }],
    ['with half a fingerprint', { ...GOOD, fp: 'sha256:a1' }],
    ['with a code that is not a header', { ...GOOD, i: 'a\nb' }],
    ['with a code of a kilobyte', { ...GOOD, i: 'a'.repeat(1000) }],
    ['that ends never', { ...GOOD, x: 1e300 }],
    ['that ended before time began', { ...GOOD, x: -1 }],
    ['that is a list', [GOOD]],
    ['that is null', null],
  ]
  for (const [what, value] of bad) {
    it(`${what} is said as soon as it is opened`, () => assert.equal(isInvite(`i=${encoded(value)}`), false))
    it(`${what} is none`, () =>
      assert.throws(() => readInvite(`#i=${encoded(value)}`, [ORIGIN]), /not a Gatehouse invite/))
  }

  it('never fails in another way, whatever is scanned', () => {
    const texts = fc.oneof(
      fc.string(),
      fc.json().map((json) => `#i=${Buffer.from(json).toString('base64url')}`),
      fc.webUrl(),
    )
    fc.assert(
      fc.property(texts, (text) => {
        try {
          readInvite(text, [ORIGIN])
        } catch (error) {
          assert.ok(error instanceof ScannerError)
        }
      }),
    )
  })
})
