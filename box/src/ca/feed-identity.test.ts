import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { openAuthority } from './authority.ts'
import { keepFeedIdentity } from './feed-identity.ts'
import { feedNameOf } from './feed-name.ts'

const DAY = 86_400_000
const START = Date.UTC(2026, 6, 1)
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-feed-identity-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const NAME = { event: 'Fête, "été" + more', box: 'box-1', verifierKey: 'gatehouse/f/box-1+00000000+AQ+/==' }

describe("the certificate that a box's feed shows", () => {
  it('is made once, kept private, and made anew when it no longer fits', async () => {
    let now = START
    const open = (dir: string) =>
      openAuthority({
        ...{ dir: join(folder, dir), eventId: NAME.event, eventName: 'F', endsAt: START + DAY, hostname: 'box' },
        now: () => now,
      })
    const authority = await open('ca')
    const path = join(folder, 'feed/hq-identity.pem')
    const keep = (name = NAME, from = authority) => keepFeedIdentity(path, name, { authority: from, now: () => now })
    assert.equal(await keep(), true)
    assert.equal(statSync(path).mode & 0o777, 0o600)
    const certificate = new X509Certificate(readFileSync(path))
    assert.deepEqual(feedNameOf(certificate), NAME)
    assert.deepEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.2'])
    assert.equal(await keep(), false)
    // Days after the event, too: what happened there may still be on its way.
    now = START + 50 * DAY
    assert.equal(await keep(), false)
    now = START + 61 * DAY
    assert.equal(await keep(), true)
    assert.equal(await keep(), false)
    assert.equal(await keep({ ...NAME, box: 'box-2' }), true)
    assert.equal(await keep(NAME, await open('another')), true)
    writeFileSync(path, readFileSync(path, 'utf8').slice(0, 500))
    assert.equal(await keep(), true)
  })

  it('is read from no other certificate', () => {
    const of = (subjectAltName: string | undefined) => feedNameOf({ subjectAltName } as X509Certificate)
    assert.equal(of(undefined), undefined)
    assert.equal(of('DNS:gatehouse'), undefined)
    assert.equal(of('DNS:x, URI:gatehouse://box/?event=e&box=b&key=k'), undefined)
    assert.equal(of('URI:gatehouse://box/?event=e&box=b'), undefined)
    assert.equal(of('URI:gatehouse://box/?event=e&box=b%20c&key=k'), undefined)
    assert.deepEqual(of('URI:gatehouse://box/?event=e&box=b&key=k'), { event: 'e', box: 'b', verifierKey: 'k' })
  })
})
