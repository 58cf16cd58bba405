import assert from 'node:assert/strict'
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import { after, before, describe, it, mock } from 'node:test'
import { World } from '../world/world.ts'

describe('a box that gets its address after it has started', () => {
  let world: World
  const networks: ReturnType<typeof os.networkInterfaces> = { lo: loopback() }

  before(async () => {
    mock.method(os, 'networkInterfaces', () => networks)
    syncBuiltinESMExports()
    world = await World.open({ environment: { GATEHOUSE_PUBLIC_HOST: '' } })
  })
  after(async () => {
    await world[Symbol.asyncDispose]()
    mock.restoreAll()
    syncBuiltinESMExports()
  })

  it('uses the address in invites from then on', async () => {
    const admin = await world.admin()
    const address = async () => {
      const { data } = await admin.POST('/v1/admin/invite', { body: { checkpoints: ['a-in'] } })
      return new URL(data?.qr_payload ?? '').hostname
    }
    assert.equal(await address(), 'localhost')
    networks.eth0 = loopback().map((found) => ({ ...found, address: '192.168.4.1', internal: false }))
    assert.equal(await address(), '192.168.4.1')
    assert.equal(new URL(world.box.baseUrl).hostname, '192.168.4.1')
  })
})

function loopback(): os.NetworkInterfaceInfo[] {
  const netmask = '255.0.0.0'
  return [{ family: 'IPv4', address: '127.0.0.1', netmask, cidr: null, mac: '00:00:00:00:00:00', internal: true }]
}
