import assert from 'node:assert/strict'
import { argon2Sync, hkdfSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { requireGoodSecret, Secrets } from './secret.ts'

const SEED = Buffer.alloc(32, 7)
const ASKER = { lane: '192.0.2.1', isKnown: false }

test('a PIN opens with the key of its event and for its person, and for nothing else', async () => {
  const secrets = new Secrets(SEED, 'fair')
  const stored = await secrets.seal('274951', 'per-1')
  assert.ok(await secrets.matches('274951', 'per-1', stored, ASKER))
  for (const [secret, person, by] of [
    ['274952', 'per-1', secrets],
    ['274951', 'per-2', secrets],
    ['274951', 'per-1', new Secrets(Buffer.alloc(32, 8), 'fair')],
    ['274951', 'per-1', new Secrets(SEED, 'another')],
  ] as const)
    assert.ok(!(await by.matches(secret, person, stored, ASKER)))
  for (const broken of [
    null,
    '',
    'x',
    '$argon2id$v=19$m=8,t=1,p=1$$',
    `${stored}A`,
    stored.replace('argon2id', 'argon2i'),
  ])
    assert.ok(!(await secrets.matches('274951', 'per-1', broken, ASKER)))
  assert.notEqual(await secrets.seal('274951', 'per-1'), stored)
})

test('the stored form is argon2id at the cost that it names', async () => {
  const stored = await new Secrets(SEED, 'fair').seal('pässword here', 'per-1')
  const [, , version, cost, nonce = '', tag] = stored.split('$')
  assert.deepEqual([version, cost], ['v=19', 'm=19456,t=2,p=1'])
  const made = argon2Sync('argon2id', {
    message: Buffer.from('pässword here'.normalize('NFKC')),
    nonce: Buffer.from(nonce, 'base64'),
    memory: 19_456,
    passes: 2,
    parallelism: 1,
    tagLength: 32,
    secret: Buffer.from(hkdfSync('sha256', SEED, 'fair', 'gatehouse staff secret', 32)),
    associatedData: Buffer.from('per-1'),
  })
  assert.equal(made.toString('base64').replaceAll('=', ''), tag)
})

test('PINs and passwords that many people have are refused, in any case and width, and others are taken', () => {
  const isTaken = (secret: string) => {
    try {
      requireGoodSecret(secret, 'Ada Admin')
      return true
    } catch (error) {
      assert.match(String(error), /one of the first that anybody tries/)
      return false
    }
  }
  const known = [
    '159753',
    '112233',
    '11223344',
    'starwars',
    'StarWars',
    'ｓｔａｒｗａｒｓ',
    '１２３４５６７８',
    'gatehouse',
    'trustno1',
  ]
  assert.deepEqual(known.filter(isTaken), [])
  const others = ['274951', '862405', '5093718', 'starwars at the gate', 'pässword here', '###########']
  assert.deepEqual(others.filter(isTaken), ['274951', '862405', '5093718', 'starwars at the gate', 'pässword here'])

  const lines = readFileSync(join(import.meta.dirname, 'common-secrets.txt'), 'utf8').split('\n')
  const listed = lines.filter((line) => line !== '' && !/^#( |$)/.test(line))
  assert.deepEqual(listed.filter(isTaken), [])
  // ASVS 6.2.4 asks for the 3,000 most used of those that are long enough.
  assert.equal(new Set(listed.filter((word) => /\D/.test(word) && word.length >= 8)).size, 3000)
  assert.ok(listed.filter((word) => /^\d{6,}$/.test(word)).length > 2000)
})
