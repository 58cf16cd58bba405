/** A handheld that is revoked at another box than the one it scans at: real boxes, real replication. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type MeshBox, MeshWorld } from '../mesh/world.ts'
import { natsServer } from '../world/nats-server.ts'
import { checkBody, listsOf, type PretixApp, pairAppBy } from '../world/pretix-app.ts'
import { SOON_MS, until } from '../world/until.ts'

const { whyNot } = await natsServer()
const INFO = '/api/v1/device/info'
const CHECK = '/proxyapi/v1/rpc/check/'
const REDEEM = '/api/v1/organizers/gatehouse/checkinrpc/redeem/'
/** The apps compare this text, byte for byte, and forget their pairing. */
const REVOKED = 'Device access has been revoked.'
const TITLE = 'This scanner was taken out of service: bring it to the control room.'
const MODES = ['proxy', 'plain'] as const

async function rowAt(box: MeshBox, name: string) {
  const { data } = await box.admin().GET('/v1/admin/devices')
  return data?.devices.find((device) => device.name === name)
}

/** @returns the time from the request to revoke until the handheld was refused, ms */
async function revokedAt(box: MeshBox, name: string, app: PretixApp): Promise<number> {
  await until(async () => (await rowAt(box, name)) !== undefined, 'the other box has it on its roster')
  const path = { id: (await rowAt(box, name))?.device_id ?? '' }
  assert.equal((await app.call(INFO)).status, 200)
  const body = { actor: 'Rita', reason: 'stolen' }
  const began = performance.now()
  const { response } = await box.admin().POST('/v1/admin/devices/{id}/revoke', { params: { path }, body })
  assert.equal(response.status, 200)
  await until(async () => (await app.call(INFO)).status === 401, 'its box refuses it')
  return performance.now() - began
}

it('a handheld that is revoked at another box is refused within a second, in the text that the apps compare', {
  skip: whyNot,
  timeout: 300_000,
}, async (t) => {
  await using world = await MeshWorld.open({
    boxes: 2,
    // The file ends without a line feed: its last row is not taken.
    tickets: [...MODES, 'LAST'].map((code) => `${code},once,,,,,,valid`),
    environment: { GATEHOUSE_PRETIXSCAN_PORT: '0' },
  })
  const [a, b] = world.boxes as [MeshBox, MeshBox]
  using other = await pairAppBy(a.admin(), { name: 'other', checkpoints: ['a-in'] })
  const list = (await listsOf(other))['A entry'] ?? assert.fail('no list')

  // Also at the box that was there first, of one that is paired at the second.
  for (const [home, elsewhere] of [
    [a, b],
    [b, a],
  ] as const) {
    for (const mode of MODES) {
      const name = `${mode} of ${home === a ? 'the first' : 'the second'}`
      using app = await pairAppBy(home.admin(), { name, mode, checkpoints: ['a-in'] })
      const ms = await revokedAt(elsewhere, name, app)
      t.diagnostic(`${name}: refused ${ms.toFixed(0)} ms after the request to revoke it`)
      assert.ok(ms < SOON_MS, `${ms} ms`)
      const info = await app.call(INFO)
      assert.deepEqual([info.status, info.text], [401, JSON.stringify({ detail: REVOKED })])
      const scan = await (mode === 'proxy'
        ? app.post(CHECK, checkBody(list, mode))
        : app.post(REDEEM, { secret: mode, lists: [list], nonce: name }))
      const said = mode === 'proxy' ? { detail: REVOKED, title: TITLE } : { detail: REVOKED }
      assert.deepEqual([scan.status, scan.text], [401, JSON.stringify(said)])
    }
  }
  // Nobody was let in by the four: their tickets are good.
  for (const code of MODES) assert.equal((await other.post(CHECK, checkBody(list, code))).json.type, 'VALID')
})
