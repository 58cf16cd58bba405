/** Issue 23, "record": whoever is signed in is in every entry of what they do, with the session or the tablet; a field of the request names nobody. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { EventFile } from '../../src/event/event.ts'
import { ask } from '../world/ask.ts'
import { TEST_EVENT } from '../world/event.ts'
import { operationsOf } from '../world/operations.ts'
import { Phone } from '../world/phone.ts'
import { World } from '../world/world.ts'
import { addPerson, PIN, type SignedIn, signIn } from './world.ts'

const LIE = 'Somebody Else'
const WHY = { actor: LIE, reason: 'a reason' }

const EVENT: EventFile = {
  ...TEST_EVENT,
  currency: 'EUR',
  tiers: TEST_EVENT.tiers.map((tier) =>
    tier.id === 'once' ? { ...tier, at_the_gate: { most: 3, price: 2500 } } : tier,
  ),
}

function saleOf() {
  return { sale_id: crypto.randomUUID(), tier: 'once', tickets: 1, paid: 'cash' as const, price: 2500, actor: LIE }
}

interface Act {
  path: string
  method?: string
  body?: object | string
}

/** Not asked here, with the reason; each has only `by(request, actor)` to write with, which the others prove. */
const NOT_HERE: Readonly<Record<string, string>> = {
  addPasskey: 'needs an authenticator: passkeys.test.ts',
  admitOnPaper: 'needs a sheet: box/test/paper',
  applyEvent: 'restarts the box',
  backupToStick: 'needs a stick',
  beginPasskey: 'writes nothing',
  checkEvent: 'writes nothing',
  checkMap: 'writes nothing',
  compareShop: 'needs a shop, and writes nothing of itself',
  connectShop: 'needs a shop: box/test/shop/pretix',
  importColumns: 'writes nothing',
  importKinds: 'writes nothing',
  importMap: 'writes nothing',
  inviteBox: 'needs a network between boxes: box/test/mesh',
  obtainCertificate: 'needs a certificate authority: box/test/certificate',
  pretixScanInvite: 'needs the port of pretixSCAN: box/test/pretixscan',
  promoteBox: 'needs two boxes',
  removeBox: 'needs two boxes',
  removeOwnPasskey: 'needs an authenticator: passkeys.test.ts',
  removePasskey: 'needs an authenticator: passkeys.test.ts',
  restart: 'needs the appliance',
  retryShop: 'needs a shop, and writes nothing of itself',
  rollback: 'needs the appliance',
  saveEvent: 'needs a revision of the event file: box/test/guide',
  saveMap: 'needs a revision of the map file: box/test/guide',
  sendUpdate: 'needs the appliance',
  setTime: 'needs the appliance',
  signIn: 'nobody is signed in yet: sessions.test.ts',
  updateFromStick: 'needs the appliance',
  // Writes no entry by itself: the person, or nothing.
  confirmSession: 'writes nothing',
}

describe('the record', () => {
  let world: World
  let ada: SignedIn
  let me: string
  before(async () => {
    world = await World.open({ event: EVENT })
    me = await addPerson(await world.admin(), 'Ada Admin', 'admin')
    ada = await signIn(world, 'Ada Admin')
  })
  after(() => world[Symbol.asyncDispose]())

  /** The preparations of each operation are done with the admin token. */
  async function acts(): Promise<Record<string, () => Promise<Act>>> {
    const admin = await world.admin()
    const device = await world.device()
    const { data: found } = await admin.POST('/v1/admin/desk/ticket', { body: { ticket: 'ONCE-1', actor: 'x' } })
    const ref = found?.ticket ?? assert.fail('no ticket')
    const desk =
      (what: string, body: object = WHY) =>
      async () => ({ path: `/v1/admin/desk/tickets/${ref}/${what}`, body })
    const claimed = async (code: string) => {
      const id = world.ticketIdOf(code)
      await admin.POST('/v1/ticket/{id}/claim', { params: { path: { id } }, body: new Phone().claim(id) })
      return id
    }
    const person = (name: string) => addPerson(admin, name, 'viewer')
    const tokenOf = async () =>
      (await admin.POST('/v1/admin/tokens', { body: { name: 'x', role: 'viewer', days: 1 } })).data?.api_token.id
    const flag = async () => {
      await device.scan('VIP-1', { offline_admitted: true })
      await device.scan('VIP-1', { offline_admitted: true, checkpoint: 'b-in' })
      return (await admin.GET('/v1/admin/flags')).data?.flags.find(({ resolution }) => !resolution)?.id
    }
    const incident = async () => {
      const body = { incident_id: 'incident-1', kind: 'medical' as const, checkpoint: 'a-in' }
      const observed_at = new Date(world.now()).toISOString()
      await device.client.POST('/v1/incidents', { body: { ...body, observed_at, note: 'x' } })
    }
    const post =
      (path: string, body: object = WHY) =>
      async () => ({ path, body })
    return {
      announce: post('/v1/admin/announce', { text: 'Hello', severity: 'info', actor: LIE }),
      withdrawAnnouncement: async () => {
        const body = { text: 'To be withdrawn', severity: 'info' as const, actor: 'x' }
        const { data } = await admin.POST('/v1/admin/announce', { body })
        return { path: `/v1/admin/announcements/${data?.id}/withdraw`, body: { actor: LIE } }
      },
      sell: post('/v1/admin/sales', saleOf()),
      voidSale: async () => {
        const sale = { ...saleOf(), actor: 'x' }
        await admin.POST('/v1/admin/sales', { body: sale })
        return { path: `/v1/admin/sales/${sale.sale_id}/void`, body: WHY }
      },
      addGuests: post('/v1/admin/guests', {
        ...{ list_id: 'guests-1', tier: 'daily', dry_run: false, list: 'Ana Reis\n', actor: LIE },
      }),
      holdGate: post('/v1/admin/gates/a/hold'),
      releaseGate: post('/v1/admin/gates/a/release'),
      acknowledgeAdminToken: post('/v1/admin/token/seen', { actor: LIE }),
      setMode: async () => ({ path: '/v1/admin/mode', method: 'PUT', body: { mode: 'DEGRADED', ...WHY } }),
      invite: post('/v1/admin/invite', { checkpoints: ['a-in'], actor: LIE }),
      revokeDevice: post(`/v1/admin/devices/${(await world.device()).paired.id}/revoke`),
      startRehearsal: post('/v1/admin/rehearsal', { minutes: 30, anyway: true, actor: LIE }),
      endRehearsal: post('/v1/admin/rehearsal/end', { actor: LIE }),
      resolveFlag: async () => ({
        path: `/v1/admin/flags/${await flag()}/resolve`,
        body: { actor: LIE, resolution: 'staff_error' },
      }),
      actOnIncident: async () => {
        await incident()
        return { path: '/v1/admin/incidents/incident-1', body: { action: 'acknowledge', actor: LIE } }
      },
      deskLookUp: post('/v1/admin/desk/look-up', { text: 'ONCE-1', actor: LIE }),
      deskTicket: post('/v1/admin/desk/ticket', { ticket: ref, actor: LIE }),
      deskLink: desk('link', { actor: LIE }),
      changeHolder: desk('holder', { ...WHY, holder: 'Ana Reis' }),
      noteTicket: desk('note', { actor: LIE, note: 'at the desk' }),
      deskRevoke: desk('revoke'),
      deskReinstate: desk('reinstate'),
      reissueTicket: desk('reissue'),
      deskRelease: async () => {
        const id = await claimed('VIP-1')
        const { data } = await admin.POST('/v1/admin/desk/ticket', { body: { ticket: id, actor: 'x' } })
        return { path: `/v1/admin/desk/tickets/${data?.ticket}/release`, body: WHY }
      },
      forgetHolder: desk('forget', { actor: LIE }),
      revokeTicket: post('/v1/admin/tickets/ONCE-2/revoke'),
      reinstateTicket: post('/v1/admin/tickets/ONCE-2/reinstate'),
      releaseClaim: async () => ({ path: `/v1/admin/tickets/${await claimed('CREW-1')}/release`, body: WHY }),
      importTickets: async () => ({
        path: `/v1/admin/import/tickets?format=gatehouse&actor=${encodeURIComponent(LIE)}`,
        body: 'code,tier\nNEW-1,once\n',
      }),
      paperList: async () => ({ path: `/v1/admin/paper/list?gate=a&actor=${encodeURIComponent(LIE)}`, method: 'GET' }),
      seal: post('/v1/admin/seal', { actor: LIE }),
      export: async () => ({ path: `/v1/admin/export?actor=${encodeURIComponent(LIE)}`, method: 'GET' }),
      backup: async () => ({ path: `/v1/admin/backup?actor=${encodeURIComponent(LIE)}`, method: 'GET' }),
      encryptedBackup: post('/v1/admin/backup', { actor: LIE, passphrase: 'correct horse battery staple' }),
      addPerson: post('/v1/admin/staff', { name: 'New Hand', role: 'viewer', secret: PIN, actor: LIE }),
      changePerson: async () => ({
        path: `/v1/admin/staff/${await person('To Change')}`,
        body: { role: 'desk', actor: LIE },
      }),
      inviteTablet: async () => ({
        path: `/v1/admin/staff/${await person('To Pair')}/invite`,
        body: { device: 'Tablet', actor: LIE },
      }),
      removePerson: async () => ({ path: `/v1/admin/staff/${await person('To Remove')}/remove`, body: { actor: LIE } }),
      makeApiToken: post('/v1/admin/tokens', { name: 'x', role: 'viewer', days: 1, actor: LIE }),
      revokeApiToken: async () => ({ path: `/v1/admin/tokens/${await tokenOf()}/revoke`, body: { actor: LIE } }),
      endSession: async () => {
        await person('To End')
        return { path: `/v1/admin/sessions/${(await signIn(world, 'To End')).session}/end`, body: { actor: LIE } }
      },
      rotateAdminToken: post('/v1/admin/token/rotate', { actor: LIE }),
      // Both end her session: the last ones.
      signOut: async () => {
        ada = await signIn(world, 'Ada Admin')
        return { path: '/v1/admin/session/end', body: {} }
      },
      changeOwnSecret: async () => {
        ada = await signIn(world, 'Ada Admin')
        return { path: '/v1/admin/session/secret', body: { current: PIN, secret: '862405' } }
      },
    }
  }

  it('is filtered by the person, whatever they were called', async () => {
    const client = await world.admin()
    const other = await addPerson(client, 'Otto', 'operator')
    const otto = await signIn(world, 'Otto')
    await otto.client.POST('/v1/admin/gates/{id}/hold', {
      params: { path: { id: 'v' } },
      body: { reason: 'x', actor: LIE },
    })
    const of = async (person: string) =>
      (await client.GET('/v1/admin/log', { params: { query: { person, limit: 500 } } })).data?.rows ?? assert.fail()
    assert.deepEqual(new Set((await of(other)).map(({ kind }) => kind)), new Set(['session', 'hold']))
    assert.ok((await of(me)).length > 0)
    assert.ok((await of(me)).every(({ entry }) => entry.person === me))
    assert.deepEqual(await of('per-nobody'), [])
  })

  it('has the person and the session of every act, for every operation that writes', async () => {
    const ca = await world.ca
    const all = await acts()
    for (const [id, prepare] of Object.entries(all)) {
      const { path, method = 'POST', body } = await prepare()
      const from = world.box.ledger.size
      world.elapsedMs += 15 * 60_000
      const isText = typeof body === 'string'
      const { status, text } = await ask(world.box.ports.https, path, {
        method,
        tls: { ca },
        headers: {
          authorization: `Bearer ${ada.token}`,
          ...(body !== undefined && { 'content-type': isText ? 'application/octet-stream' : 'application/json' }),
        },
        ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
      })
      assert.ok(status < 300, `${id}: ${status} ${text.slice(0, 300)}`)
      const entries = world.box.ledger.read(from, 100).map(({ fields }) => fields as unknown as Record<string, unknown>)
      const told = entries.filter(({ actor }) => actor !== undefined)
      assert.ok(told.length > 0, `${id} leaves no entry with an actor`)
      for (const { actor, person, via } of told)
        assert.deepEqual([actor, person, via], ['Ada Admin', me, ada.session], id)
      assert.ok(!JSON.stringify(entries).includes(LIE), id)
    }
    const writing = operationsOf(world.box).filter(
      ({ tier, method, operation }) =>
        tier === 'admin' &&
        operation['x-role'] !== 'signing_in' &&
        (method !== 'GET' || operation.parameters?.some(({ name }) => name === 'actor')),
    )
    const known = [...Object.keys(all), ...Object.keys(NOT_HERE)]
    const missing = writing.map(({ operation }) => operation.operationId ?? '').filter((id) => !known.includes(id))
    assert.deepEqual(missing, [], 'a new operation that writes is asked here, or has its reason')
  })
})
