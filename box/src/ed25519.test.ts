import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import vectors from '@gatehouse/proto/vectors/ed25519.json' with { type: 'json' }
import { publicKeyOf, rawPublicKey, verifyEd25519 } from './ed25519.ts'

const hex = (text: string) => Buffer.from(text, 'hex')

test('the published cases, with the key as bytes and as an object', () => {
  for (const { public_key, message, signature, valid, ...named } of vectors.cases) {
    for (const key of [hex(public_key), publicKeyOf(hex(public_key))])
      assert.equal(verifyEd25519(key, hex(message), hex(signature)), valid, named.case)
  }
})

test('a key is the same as bytes, public and private, and what is not a key or signature is false and never throws', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const [raw, message] = [rawPublicKey(privateKey), Buffer.from('a ticket')]
  assert.deepEqual(rawPublicKey(publicKey), raw)
  const signature = sign(null, message, privateKey)
  for (const key of [raw, publicKey, privateKey, publicKeyOf(raw)]) {
    assert.equal(verifyEd25519(key, message, signature), true)
    for (const wrong of [
      signature.subarray(1),
      Buffer.alloc(0),
      Buffer.alloc(64, 255),
      Buffer.concat([signature, raw]),
    ])
      assert.equal(verifyEd25519(key, message, wrong), false)
  }
  for (const wrong of [Buffer.alloc(0), raw.subarray(1), Buffer.alloc(33), Buffer.alloc(32, 255), Buffer.alloc(32, 2)])
    assert.equal(verifyEd25519(wrong, message, signature), false)
})

// A verifier that is called directly can give another answer than the rest: the rule is in front of it, or it is not Ed25519.
test('no other file of the product asks a verifier directly', () => {
  const root = join(import.meta.dirname, '../..')
  const direct =
    /import \{[^}]*\b(?:create)?[vV]erify\b[^}]*\} from 'node:crypto'|subtle\.verify\(|detached\.verify|sign\.open\(/
  const sources = globSync(['box/*.ts', '{box/src,proto,{scanner,wallet}-pwa/src,dashboard/src,image}/**/*.{ts,tsx}'], {
    cwd: root,
    exclude: ['**/node_modules/**', '**/*.test.ts', '**/*testing.ts', '**/dist/**'],
  })
  assert.ok(sources.length > 300, `${sources.length} files`)
  assert.deepEqual(sources.filter((path) => direct.test(readFileSync(join(root, path), 'utf8'))).sort(), [
    'box/src/ca/request-key.ts', // ECDSA P-256
    'box/src/ed25519.ts',
    'box/verify-export.ts', // has a copy of the rule
    'proto/ed25519.ts',
    'proto/nacl.ts',
  ])
})
