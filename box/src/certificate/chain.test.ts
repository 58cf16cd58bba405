import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createSecureContext } from 'node:tls'
import { makeAuthority } from '../../test/world/certificates.ts'
import { readChain } from './chain.ts'

const NAME = 'gate.example.org'
const names = [{ type: 'dns' as const, value: NAME }]

describe('a certificate that somebody sent', () => {
  const read = (pem: { cert: string; key: string }, now = Date.now()) => readChain(pem, { name: NAME, now })

  it('is taken with its chain, and alone', async () => {
    const authority = await makeAuthority('an authority')
    const { cert, key } = await authority.issue(NAME, names)
    const held = read({ cert: cert.trim() + authority.ca.trim(), key })
    assert.equal(held.issuer, 'an authority')
    createSecureContext(held)
    assert.equal(read({ cert, key }).cert.trim(), cert.trim())
  })

  it('is refused, with the reason, if phones would refuse it', async () => {
    const authority = await makeAuthority('an authority')
    const other = await makeAuthority('an authority')
    const { cert, key } = await authority.issue(NAME, names)
    const foreign = await authority.issue('www.example.org', [{ type: 'dns', value: 'www.example.org' }])
    const onlyCommonName = await authority.issue(NAME)
    const cases: [pem: { cert: string; key: string }, reason: RegExp][] = [
      [{ cert: foreign.cert, key: foreign.key }, /it is not for gate\.example\.org, but for www\.example\.org/],
      [onlyCommonName, /it is not for gate\.example\.org, but for no name/],
      [{ cert, key: foreign.key }, /not for this private key/],
      [{ cert: cert + other.ca, key }, /certificate 1 of its chain is not signed by the next one/],
      [{ cert: cert + foreign.cert, key }, /certificate 1 of its chain/],
      [{ cert: authority.ca + cert, key }, /is an authority/],
      [{ cert: '', key }, /no certificate in it/],
      [{ cert: 'x'.repeat(70_000), key }, /too long/],
      [{ cert: cert.repeat(9), key }, /chain is too long/],
      [{ cert: cert.slice(0, 200) + cert.slice(260), key }, /cannot be read/],
      [{ cert, key: 'no key' }, /not a private key in PEM/],
    ]
    for (const [pem, reason] of cases) assert.throws(() => read(pem), reason)
    assert.throws(() => read({ cert, key }, Date.now() + 2 * 86_400_000), /it expired on \d{4}-/)
  })
})
