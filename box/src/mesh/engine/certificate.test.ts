import assert from 'node:assert/strict'
import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openAuthority } from '../../ca/authority.ts'
import { openMeshAuthority } from '../../ca/mesh-authority.ts'
import { pemBlock } from '../../ca/pem.ts'
import { AUTHORITY, CERTIFICATE, keepMeshCertificate } from './certificate.ts'

const DAY = 86_400_000
const BEGAN = Date.parse('2026-07-01T10:00:00Z')
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-mesh-certificate-'))
after(() => rmSync(folder, { recursive: true }))

const authorityIn = async (name: string) => {
  const event = await openAuthority({
    dir: join(folder, name),
    eventId: 'fair',
    eventName: 'Fair',
    endsAt: BEGAN + 5 * DAY,
    hostname: 'gate-pi',
    now: () => BEGAN,
  })
  return openMeshAuthority(event, { seed: Buffer.alloc(32, name), eventId: 'fair', now: () => BEGAN })
}
const authority = await authorityIn('ca')
const newKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
const key = newKey()

const keep = (at = 0, by = authority, member = {}) =>
  keepMeshCertificate(
    folder,
    { boxId: 'box-1', host: '192.168.1.7', key, ...member },
    { authority: by, now: () => BEGAN + at },
  )
const text = () => readFileSync(join(folder, CERTIFICATE), 'utf8')
const shown = () => new X509Certificate(text())

test('a box has a certificate to dial and to be dialled with, for its reserved name and its host alone', async () => {
  assert.equal(await keep(), true)
  const certificate = shown()
  assert.ok(certificate.verify(new X509Certificate(authority.certificate).publicKey))
  assert.equal(certificate.subject, 'CN=box-1')
  assert.equal(certificate.subjectAltName, 'DNS:box-1.mesh.gatehouse.invalid, IP Address:192.168.1.7')
  // serverAuth and clientAuth (RFC 5280, 4.2.1.12).
  assert.deepEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2'])
  assert.ok(certificate.checkPrivateKey(createPrivateKey(pemBlock(text(), 'PRIVATE KEY') ?? '')))
  assert.equal(readFileSync(join(folder, AUTHORITY), 'utf8'), authority.certificate)
})

test('it keeps it until a third of its life is left, and its key for ever', async () => {
  const before = shown()
  assert.equal(await keep(59 * DAY), false)
  assert.equal(shown().fingerprint256, before.fingerprint256)
  assert.equal(await keep(62 * DAY), true)
  assert.notEqual(shown().fingerprint256, before.fingerprint256)
  assert.ok(shown().checkPrivateKey(key))
})

test('it is made anew for another host, another box, another key, another authority, and when it is damaged', async () => {
  await keep()
  assert.equal(await keep(0, authority, { host: '192.168.1.8' }), true)
  assert.equal(shown().checkIP('192.168.1.8'), '192.168.1.8')
  await keep()
  const other = { boxId: 'box-2' }
  assert.equal(await keep(0, authority, other), true)
  assert.equal(await keep(0, authority, other), false)
  const rekeyed = { ...other, key: newKey() }
  assert.equal(await keep(0, authority, rekeyed), true)
  assert.equal(await keep(0, authority, rekeyed), false)
  const another = await authorityIn('other')
  assert.equal(await keep(0, another, rekeyed), true)
  assert.equal(readFileSync(join(folder, AUTHORITY), 'utf8'), another.certificate)
  writeFileSync(join(folder, CERTIFICATE), text().slice(0, 300))
  assert.equal(await keep(0, another, rekeyed), true)
})

test('nobody is certified under the reserved name of another member', async () => {
  await keep(0, authority, { host: 'box-9.mesh.gatehouse.invalid' })
  assert.equal(shown().subjectAltName, 'DNS:box-1.mesh.gatehouse.invalid')
})
