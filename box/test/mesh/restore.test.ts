/** Restoring a dead box of several from its backup: another box takes its place, and nothing is replicated twice. */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { it } from 'node:test'
import { archiveOf, discard, stageBackup, writeBackup } from '../../src/backup/backup.ts'
import { restoreBackup } from '../../src/boot/restore.ts'
import { COMMAND_LINE } from '../../src/ca/actor.ts'
import { inviteText, readInviteText } from '../../src/ca/box-invite.ts'
import { boxes, peerJournal } from '../../src/ledger/schema.ts'
import { mintMeshInvite } from '../../src/mesh/membership/invites.ts'
import { joinMesh } from '../../src/mesh/membership/join.ts'
import { freePorts } from '../world/ports.ts'
import { until } from '../world/until.ts'
import { World } from '../world/world.ts'

// Running several boxes needs a nats-server; these tests do not.
const ALONE = { GATEHOUSE_NATS_SERVER: '/nonexistent/nats-server' }

it('a dead box is restored from its backup under a new id, in its old place, any number of times', async () => {
  await using first = await World.open({
    tickets: ['BACK-1,once,,,,,,valid', 'BACK-2,once,,,,,,valid'],
    environment: ALONE,
  })
  const device = await first.device()
  const at = (name: string) => ({
    dataDir: join(first.folder, name, 'data'),
    eventDir: join(first.folder, name, 'event'),
  })
  const [https, tier] = await freePorts(2)
  const environmentOf = ({ dataDir, eventDir }: ReturnType<typeof at>) => ({
    ...ALONE,
    GATEHOUSE_DATA_DIR: dataDir,
    GATEHOUSE_EVENT_DIR: eventDir,
    GATEHOUSE_HTTPS_PORT: String(https),
    GATEHOUSE_DEVICE_PORT: String(tier),
  })
  const { ledger, boxId, baseUrl: url, caFingerprint: fingerprint } = first.box
  const by = { by: COMMAND_LINE, reason: 'a test' }
  const minted = await mintMeshInvite({ as: 'box', ...by }, { ledger, boxId, now: Date.now, random: randomBytes })
  const invite = readInviteText(inviteText({ url, fingerprint, as: 'box', eventId: 'test-fair', ...minted }))
  assert.ok(invite)
  const dead = await joinMesh(invite, {
    ...at('dead'),
    ...by,
    now: Date.now,
    random: randomBytes,
    otherAddresses: async () => [],
    box: {
      name: 'South',
      host: '127.0.0.1',
      ports: { route: 6222, leaf: 7422 },
      https: `https://127.0.0.1:${https}`,
      device: `https://127.0.0.1:${tier}`,
    },
  })

  const scan = first.scanOf('BACK-1')
  const archive = join(first.folder, 'dead.tar.gz')
  let answered: unknown
  let logKey: string | undefined
  {
    await using box = await World.open({ environment: environmentOf(at('dead')) })
    answered = (await box.deviceOf(device.paired).client.POST('/v1/scan', { body: scan })).data
    logKey = (await (await box.admin()).GET('/v1/meta')).data?.log_key
    const staged = await stageBackup({ ...at('dead'), now: Date.now() })
    await writeBackup(archiveOf(staged), archive)
    await discard(staged)
  }
  // While it was dead, it was removed from the list: the list in the backup is old.
  const admin = await first.admin()
  const removal = { box_id: dead.boxId, actor: 'Ana', reason: 'it burnt', is_off: true }
  assert.equal((await admin.POST('/v1/admin/mesh/remove', { body: removal })).response.status, 200)
  for (const reason of ['flood', 'fire']) await admin.POST('/v1/admin/mesh/invite', { body: { actor: 'Ana', reason } })

  const listed = async () => (await admin.GET('/v1/admin/mesh')).data?.listed?.boxes.map(({ box_id }) => box_id) ?? []
  const restored = await restoreBackup(archive, { ...at('back'), now: Date.now, replace: false, actor: 'Ana' })
  assert.notEqual(restored.boxId, dead.boxId)
  {
    await using box = await World.open({ environment: environmentOf(at('back')) })
    assert.equal(box.box.boxId, restored.boxId)
    const meta = (await (await box.admin()).GET('/v1/meta')).data
    assert.notEqual(meta?.log_key, logKey, 'nobody signs the old log any more')
    const { drizzle } = box.box.ledger.db
    const known = drizzle.select().from(boxes).all()
    assert.equal(known.find(({ id }) => id === dead.boxId)?.logKey, logKey)
    assert.ok(
      drizzle
        .select()
        .from(peerJournal)
        .all()
        .some(({ box: of }) => of === dead.boxId),
    )
    const same = box.deviceOf(device.paired)
    assert.deepEqual((await same.client.POST('/v1/scan', { body: scan })).data, answered)
    await until(async () => (await listed()).includes(restored.boxId))
    assert.deepEqual(await listed(), [first.box.boxId, restored.boxId])
  }

  // The same backup once more becomes a third box, and never the second again.
  const again = await restoreBackup(archive, { ...at('again'), now: Date.now, replace: false, actor: 'Ana' })
  assert.ok(![dead.boxId, restored.boxId].includes(again.boxId))
})
