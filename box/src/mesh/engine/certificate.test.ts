import assert from 'node:assert/strict'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type Authority, openAuthority } from '../../ca/authority.ts'
import { pemBlock } from '../../ca/pem.ts'
import { AUTHORITY, CERTIFICATE, keepMeshCertificate } from './certificate.ts'

const DAY = 86_400_000
const BEGAN = Date.parse('2026-07-01T10:00:00Z')
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-mesh-certificate-'))
after(() => rmSync(folder, { recursive: true }))

const authorityIn = (name: string) =>
  openAuthority({
    ...{ dir: join(folder, name), eventId: 'fair', eventName: 'Fair', endsAt: BEGAN + 5 * DAY, hostname: 'gate-pi' },
    now: () => BEGAN,
  })
const authority = await authorityIn('ca')
const machine = { names: ['gate-pi.local', 'tickets.example'], addresses: ['192.168.1.7', '203.0.113.9'] }

const keep = (at = 0, by: Authority = authority, boxId = 'box-1', of = machine) =>
  keepMeshCertificate(folder, boxId, of, { authority: by, now: () => BEGAN + at })
const shown = () => new X509Certificate(readFileSync(join(folder, CERTIFICATE), 'utf8'))

test('a box has a certificate to dial and to be dialled with, for what the authority may vouch for', async () => {
  assert.deepEqual(await keep(), { made: true, leftOut: ['tickets.example', '203.0.113.9'] })
  const certificate = shown()
  assert.ok(certificate.verify(new X509Certificate(authority.certificate).publicKey))
  assert.equal(certificate.subject, 'CN=box-1')
  assert.equal(certificate.subjectAltName, 'DNS:gate-pi.local, IP Address:192.168.1.7')
  // serverAuth and clientAuth (RFC 5280, 4.2.1.12).
  assert.deepEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2'])
  const key = pemBlock(readFileSync(join(folder, CERTIFICATE), 'utf8'), 'PRIVATE KEY') ?? ''
  assert.ok(certificate.checkPrivateKey(createPrivateKey(key)))
  assert.equal(readFileSync(join(folder, AUTHORITY), 'utf8'), authority.certificate)
})

test('it keeps it until a third of its life is left', async () => {
  const before = shown().fingerprint256
  assert.equal((await keep(59 * DAY)).made, false)
  assert.equal(shown().fingerprint256, before)
  assert.equal((await keep(62 * DAY)).made, true)
  assert.notEqual(shown().fingerprint256, before)
})

test('it is made anew for another address, another box, another authority, and when it is damaged', async () => {
  await keep()
  assert.equal((await keep(0, authority, 'box-1', { ...machine, addresses: ['192.168.1.8'] })).made, true)
  assert.equal(shown().checkIP('192.168.1.8'), '192.168.1.8')
  await keep()
  assert.equal((await keep(0, authority, 'box-2')).made, true)
  assert.equal((await keep(0, authority, 'box-2')).made, false)
  const other = await authorityIn('other')
  assert.equal((await keep(0, other, 'box-2')).made, true)
  assert.equal(readFileSync(join(folder, AUTHORITY), 'utf8'), other.certificate)
  writeFileSync(join(folder, CERTIFICATE), readFileSync(join(folder, CERTIFICATE), 'utf8').slice(0, 300))
  assert.equal((await keep(0, other, 'box-2')).made, true)
})
