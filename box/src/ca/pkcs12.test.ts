import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createSecureContext } from 'node:tls'
import { runs } from '@gatehouse/proto/properties.testing.ts'
import fc from 'fast-check'
import { openAuthority } from './authority.ts'
import { makePkcs12, newPassword } from './pkcs12.ts'

const withOpenssl = { skip: spawnSync('openssl', ['version']).status === 0 ? false : 'needs the openssl command' }

let dir: string
let key: KeyObject
let certificates: [string, string]

before(async () => {
  dir = await mkdtemp(join(tmpdir(), 'gatehouse-p12-'))
  const now = Date.UTC(2026, 6, 1)
  const event = { eventId: 'e', eventName: 'E', endsAt: now + 1, hostname: 'gatehouse', now: () => now }
  const authority = await openAuthority({ dir, ...event })
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  key = pair.privateKey
  const device = await authority.issueDeviceCertificate({ deviceId: 'dev_1', publicKey: pair.publicKey })
  certificates = [device.certificate, authority.certificate]
})
after(() => rm(dir, { recursive: true }))

for (const form of ['modern', 'legacy'] as const) {
  describe(form, () => {
    test('opens with its password, and with no other', () => {
      const password = newPassword()
      const pfx = Buffer.from(makePkcs12({ key, certificates, password, name: 'North 1' })[form])
      createSecureContext({ pfx, passphrase: password })
      for (const passphrase of ['', `${password}x`]) assert.throws(() => createSecureContext({ pfx, passphrase }))
    })

    test('opens whatever the password', () => {
      // Over 32 characters the derivation works on more than one block, and carries from one into the next.
      const password = fc.string({
        minLength: 1,
        maxLength: 80,
        unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)),
      })
      fc.assert(
        fc.property(password, fc.string({ maxLength: 40 }), (passphrase, name) => {
          const pfx = Buffer.from(makePkcs12({ key, certificates, password: passphrase, name })[form])
          createSecureContext({ pfx, passphrase })
        }),
        runs(8, 50),
      )
    })

    test('holds the key, its certificate and the authority', withOpenssl, async () => {
      const path = join(dir, `${form}.p12`)
      const password = newPassword()
      await writeFile(path, makePkcs12({ key, certificates, password, name: 'North 1' })[form], { mode: 0o600 })
      const args = ['pkcs12', '-info', '-in', path, '-passin', 'env:PASSWORD', '-nodes']
      const { stdout, stderr, status } = spawnSync('openssl', args, {
        encoding: 'utf8',
        env: { ...process.env, PASSWORD: password },
      })
      assert.equal(status, 0, stderr)
      assert.ok(stdout.includes(key.export({ format: 'pem', type: 'pkcs8' }).toString()))
      for (const certificate of certificates) assert.ok(stdout.includes(certificate))
      assert.match(stdout, /friendlyName: North 1/)
      const ids = [...stdout.matchAll(/localKeyID: (.*)/g)].map(([, id]) => id)
      assert.equal(ids.length, 2)
      assert.equal(ids[0], ids[1])
      assert.match(
        stderr,
        form === 'modern'
          ? /MAC: sha256[\s\S]*PBES2, PBKDF2, AES-256-CBC/
          : /MAC: sha1[\s\S]*pbeWithSHA1And3-KeyTripleDES-CBC/,
      )
    })
  })
}

test('no two files share a salt', () => {
  const input = { key, certificates, password: 'p', name: 'n' }
  assert.notDeepEqual(makePkcs12(input).legacy, makePkcs12(input).legacy)
  const fixed = (size: number) => new Uint8Array(size)
  assert.deepEqual(makePkcs12(input, fixed), makePkcs12(input, fixed))
})

test('a file without a password is refused', () => {
  assert.throws(() => makePkcs12({ key, certificates, password: '', name: 'n' }), RangeError)
})

describe('a password', () => {
  test('is sixteen letters that no phone’s keyboard hides', () => {
    const all = new Set(Array.from({ length: 200 }, () => newPassword()))
    assert.equal(all.size, 200)
    for (const password of all) assert.match(password, /^[a-hjkmnp-z]{16}$/)
  })

  test('favours no letter: bytes past the last whole multiple of 23 are passed over', () => {
    assert.equal(
      newPassword(() => Uint8Array.of(255, 253, 0, 252)),
      'az'.repeat(8),
    )
  })
})
