import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { describe, it } from 'node:test'
import { Authenticator, type Cbor, cbor, type Lie } from '../../../test/staff/authenticator.ts'
import { credentialDigest } from './digest.ts'
import { ALGORITHMS, challengeOf, hasGoneBack, verifyAnswer, verifyCreated } from './webauthn.ts'

const SITE = { name: 'gate.example.org', origin: 'https://gate.example.org:8443' }
const CHALLENGE = `${'c'.repeat(42)}A`
const CREATION = {
  rp: { id: SITE.name, name: 'Gatehouse' },
  user: { id: Buffer.from('per-1').toString('base64url'), name: 'Ada', displayName: 'Ada' },
  challenge: CHALLENGE,
  pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
  timeout: 1,
  attestation: 'none' as const,
  excludeCredentials: [],
  authenticatorSelection: {
    residentKey: 'required' as const,
    requireResidentKey: true as const,
    userVerification: 'required' as const,
  },
}
const QUESTION = { rpId: SITE.name, challenge: CHALLENGE, timeout: 1, userVerification: 'required' as const }

const made = (authenticator: Authenticator, lie?: Lie) =>
  verifyCreated(authenticator.make(CREATION, lie), CHALLENGE, SITE)

describe('what a browser brings back', () => {
  for (const algorithm of [-8, -7, -257] as const)
    it(`is taken with a key of COSE algorithm ${algorithm}`, async () => {
      const authenticator = new Authenticator(SITE.origin, { algorithm, counts: true })
      const { credential, publicKey, counter } = await made(authenticator)
      assert.deepEqual([credential, publicKey, counter], [authenticator.id, authenticator.publicKey, 1])
      assert.equal(await verifyAnswer(authenticator.answer(QUESTION), CHALLENGE, SITE, publicKey), 2)
    })

  const lies: Record<string, Lie> = {
    'another RP ID': { rpId: 'example.org' },
    'another challenge': { challenge: 'd'.repeat(43) },
    'the other type': { type: 'payment.get' },
    'no user verification': { isVerified: false },
    'nobody present': { isPresent: false },
  }
  for (const [what, lie] of Object.entries(lies))
    it(`is refused with ${what}`, async () => {
      const authenticator = new Authenticator(SITE.origin)
      const { publicKey } = await made(authenticator)
      await assert.rejects(made(authenticator, lie))
      await assert.rejects(verifyAnswer(authenticator.answer(QUESTION, lie), CHALLENGE, SITE, publicKey))
    })

  for (const origin of [
    'https://gate.example.org',
    'http://gate.example.org:8443',
    'https://gate.example.org:8443/',
    'https://gate.example.org:8443.evil.example',
  ])
    it(`is refused from ${origin}`, async () => {
      const [here, there] = [new Authenticator(SITE.origin), new Authenticator(origin)]
      await assert.rejects(made(there))
      const { publicKey } = await made(here)
      const answer = here.answer(QUESTION)
      const clientDataJSON = there.answer(QUESTION).response.clientDataJSON
      await assert.rejects(
        verifyAnswer({ ...answer, response: { ...answer.response, clientDataJSON } }, CHALLENGE, SITE, publicKey),
      )
    })

  it('is refused when another key has signed, or a bit is another', async () => {
    const authenticator = new Authenticator(SITE.origin)
    const { publicKey } = await made(authenticator)
    const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
    await assert.rejects(verifyAnswer(authenticator.answer(QUESTION, { key }), CHALLENGE, SITE, publicKey))
    const good = authenticator.answer(QUESTION)
    const data = Buffer.from(good.response.authenticatorData, 'base64url')
    data[36] = 9
    const response = { ...good.response, authenticatorData: data.toString('base64url') }
    await assert.rejects(verifyAnswer({ ...good, response }, CHALLENGE, SITE, publicKey))
  })

  it('is refused with an attestation that has certificates: whoever checks those asks the addresses in them', async () => {
    const chain = new Map<string, Cbor>([
      ['alg', -7],
      ['sig', Buffer.alloc(70)],
      ['x5c', [Buffer.alloc(300)]],
    ])
    for (const format of ['packed', 'android-safetynet', 'tpm', 'apple', 'fido-u2f', 'nothing'])
      await assert.rejects(made(new Authenticator(SITE.origin), { attestation: [format, chain] }), /certificates/)
  })

  it('is refused, and nothing else happens, when it is no WebAuthn at all', async () => {
    const { id, response } = new Authenticator(SITE.origin).make(CREATION)
    const deep = Buffer.concat([Buffer.alloc(3_000, 0x81), Buffer.from([0])])
    for (const attestationObject of [
      'AAAA',
      '_____w',
      cbor(new Map([['fmt', 'none']])).toString('base64url'),
      deep.toString('base64url'),
    ])
      await assert.rejects(verifyCreated({ id, response: { ...response, attestationObject } }, CHALLENGE, SITE))
    const other = Buffer.alloc(16).toString('base64url')
    await assert.rejects(verifyCreated({ id: other, response }, CHALLENGE, SITE), /another id/)
  })
})

describe('the challenge of an answer', () => {
  const of = (said: unknown) => challengeOf(Buffer.from(JSON.stringify(said)).toString('base64url'))

  it('is the one that the browser names', () => {
    assert.equal(of({ challenge: 'abc', crossOrigin: false }), 'abc')
    assert.equal(of({ challenge: 'abc' }), 'abc')
  })

  it('is none in a frame of another page, and none of what is no such JSON', () => {
    for (const said of [
      { challenge: 'abc', crossOrigin: true },
      { challenge: 'abc', topOrigin: 'https://evil.example' },
      { challenge: 5 },
      {},
      null,
      'abc',
      [],
    ])
      assert.equal(of(said), undefined)
    assert.equal(challengeOf('AAAA'), undefined)
  })
})

describe('the count of uses', () => {
  it('has to go on, unless an authenticator never counts', () => {
    const cases: [number, number, boolean][] = [
      [0, 0, false],
      [0, 1, false],
      [1, 2, false],
      [1, 1, true],
      [2, 1, true],
      [5, 0, true],
    ]
    for (const [seen, counter, back] of cases) assert.equal(hasGoneBack(seen, counter), back, `${seen} ${counter}`)
  })
})

describe('the digest of a passkey', () => {
  it('is another when a byte moves from its id to its key', () => {
    const of = (credential: string, publicKey: string) =>
      credentialDigest({ credential: Buffer.from(credential), publicKey: Buffer.from(publicKey) })
    assert.notEqual(of('ab', 'c'), of('a', 'bc'))
    assert.match(of('ab', 'c'), /^[0-9a-f]{64}$/)
  })
})
