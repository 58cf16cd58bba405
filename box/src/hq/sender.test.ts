import assert from 'node:assert/strict'
import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { type Authority, openAuthority } from '../ca/authority.ts'
import { type AddedBox, senderOf } from './sender.ts'

const NOW = Date.UTC(2026, 6, 1)
const DAY = 86_400_000
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-who-'))
after(() => rmSync(folder, { recursive: true, force: true }))

function authority(name: string): Promise<Authority> {
  const event = { eventId: 'fair', eventName: 'Fair', endsAt: NOW + DAY, hostname: 'box' }
  return openAuthority({ dir: join(folder, name), now: () => NOW, ...event })
}

const SHOWN = { event: 'fair', box: 'box-1', verifierKey: 'gatehouse/fair/box-1+00000000+AQ+/==' }
const added = (name: string, { certificate: ca }: Authority, more: Partial<AddedBox> = {}): AddedBox => ({
  name,
  ca,
  box: null,
  event: null,
  verifierKey: null,
  ...more,
})
const read = ({ certificate }: { certificate: string }) => new X509Certificate(certificate)

describe('whose certificate it is', () => {
  it('is the box of the authority that issued it, as it says there', async () => {
    const [one, two] = [await authority('one'), await authority('two')]
    const boxes = [added('Two', two), added('One', one)]
    const certificate = read(await one.issueFeedCertificate(SHOWN))
    const who = senderOf(certificate, boxes, NOW)
    assert.ok(who.ok)
    assert.deepEqual([who.added.name, who.shown], ['One', SHOWN])
    assert.deepEqual(senderOf(certificate, [added('Two', two)], NOW).ok, false)
    assert.deepEqual(senderOf(certificate, [], NOW).ok, false)
  })

  it('stays what it was at first, and has an end', async () => {
    const one = await authority('one')
    const certificate = read(await one.issueFeedCertificate(SHOWN))
    const reasonOf = (more: Partial<AddedBox>, now = NOW) => {
      const who = senderOf(certificate, [added('One', one, more)], now)
      return who.ok ? 'ok' : who.reason
    }
    assert.equal(reasonOf(SHOWN), 'ok')
    assert.match(reasonOf({ ...SHOWN, box: 'box-2' }), /knows One as box-2, and this is box-1/)
    assert.match(reasonOf({ ...SHOWN, event: 'other' }), /another event or signing key/)
    assert.match(reasonOf({ ...SHOWN, verifierKey: 'other' }), /another event or signing key/)
    assert.match(reasonOf(SHOWN, NOW + 91 * DAY), /has expired/)
    assert.equal(reasonOf(SHOWN, NOW + 80 * DAY), 'ok')
  })

  it('is nobody for a scanner and a server of the same authority', async () => {
    const one = await authority('one')
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const scanner = await one.issueDeviceCertificate({ deviceId: 'box-1', publicKey })
    const server = await one.issueServerCertificate({ names: ['localhost'], addresses: [] })
    for (const certificate of [scanner, server]) {
      const who = senderOf(read(certificate), [added('One', one)], NOW)
      assert.ok(!who.ok && /not a certificate of a box's feed/.test(who.reason))
    }
  })
})
