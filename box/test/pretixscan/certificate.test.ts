/** Names and certificates at the port for pretixSCAN: what the QR code leads to, and what the port shows there. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { isIPv4 } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { connect } from 'node:tls'
import { gatehouseClient } from '@gatehouse/proto/client.ts'
import { tlsFetch } from '../../src/device/tls-fetch.ts'
import { makeAuthority } from '../world/certificates.ts'
import { pairingCode, portOf } from '../world/pretix-app.ts'
import { bringCertificate } from '../world/public-certificate.ts'
import { World } from '../world/world.ts'

async function issuerAt(port: number, servername?: string): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ...(servername && { servername }) })
  await once(socket, 'secureConnect')
  const issuer = socket.getPeerX509Certificate()?.issuer ?? ''
  socket.destroy()
  return issuer
}

describe('a box with a name of its own', () => {
  const NAME = 'gate.example.org'

  test('has an address by number in the QR code for proxy mode, and its name in the one for iOS', async () => {
    await using named = await World.open({
      environment: { GATEHOUSE_PRETIXSCAN_PORT: '0', GATEHOUSE_PUBLIC_HOST: NAME },
    })
    // By its address: the name is in no DNS here.
    await using fetch = tlsFetch({ ca: await named.ca })
    const { ports, adminToken: token } = named.box
    const admin = gatehouseClient({ baseUrl: `https://127.0.0.1:${ports.https}`, token, fetch })
    const url = async (mode: 'proxy' | 'plain') => {
      const { data } = await admin.POST('/v1/admin/pretixscan/invite', {
        body: { checkpoints: ['a-in'], mode, actor: 'Rita' },
      })
      return new URL(data?.url ?? '').hostname
    }
    assert.equal(isIPv4(await url('proxy')), true)
    assert.equal(await url('plain'), NAME)
  })

  test('shows a public certificate to whoever asks for that name, and names it to iOS, for as long as it holds', async () => {
    await using named = await World.open({
      environment: { GATEHOUSE_PRETIXSCAN_PORT: '0', GATEHOUSE_CERTIFICATE_NAME: NAME },
    })
    await named.admin()
    const issuerFor = (servername?: string) => issuerAt(portOf(named), servername)
    assert.match(await issuerFor(NAME), /Gatehouse/)
    assert.equal((await pairingCode(named, { mode: 'plain' })).url, `https://127.0.0.1:${portOf(named)}`)

    const publicOnes = await makeAuthority('Public CA')
    await bringCertificate(named, NAME, publicOnes)
    assert.match(await issuerFor(NAME), /Public CA/)
    // Android and the desktop app come by address, and ask for no name.
    assert.match(await issuerFor(), /Gatehouse/)
    assert.equal((await pairingCode(named, { mode: 'plain' })).url, `https://${NAME}:${portOf(named)}`)
    assert.equal((await pairingCode(named)).url, `https://127.0.0.1:${portOf(named)}`)

    await bringCertificate(named, NAME, await makeAuthority('Second Public CA'))
    assert.match(await issuerFor(NAME), /Second Public CA/)
    named.offsetMs += 40 * 86_400_000
    assert.match(await issuerFor(NAME), /Gatehouse/)
  })

  test('shows the organiser’s certificate at once when it is renewed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-pretixscan-'))
    await using stack = new AsyncDisposableStack()
    stack.defer(() => rmSync(folder, { recursive: true }))
    const files = { GATEHOUSE_TLS_CERT: join(folder, 'cert.pem'), GATEHOUSE_TLS_KEY: join(folder, 'key.pem') }
    const bring = async (name: string) => {
      const { cert, key } = await (await makeAuthority(name)).issue(NAME, [{ type: 'dns', value: NAME }])
      writeFileSync(files.GATEHOUSE_TLS_CERT, cert)
      writeFileSync(files.GATEHOUSE_TLS_KEY, key)
    }
    await bring('Organiser 1')
    const own = stack.use(await World.open({ environment: { GATEHOUSE_PRETIXSCAN_PORT: '0', ...files } }))
    assert.match(await issuerAt(portOf(own)), /Organiser 1/)
    await bring('Organiser 2')
    await own.box.renewCertificates()
    assert.match(await issuerAt(portOf(own)), /Organiser 2/)
  })
})
