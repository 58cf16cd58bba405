/** Issue 23, "what must be seen", 2: every operation, by every role, by tokens of every kind. */
import assert from 'node:assert/strict'
import { createPrivateKey } from 'node:crypto'
import { Agent } from 'node:https'
import { after, before, describe, it } from 'node:test'
import { grantOf, mayUse, OPERATIONS, STAFF_ROLES, type StaffRole } from '@gatehouse/proto/operations.ts'
import { type Answer, ask, assertFailure } from '../world/ask.ts'
import { operationsOf, type Walked } from '../world/operations.ts'
import { World } from '../world/world.ts'
import { askAs } from './tablet.ts'
import { addPerson, type SignedIn, signIn } from './world.ts'

/** They take no credential: whoever uses them is signing in. */
function waysIn(): string[] {
  return Object.keys(OPERATIONS).filter((id) => grantOf(id)?.role === 'signing_in')
}

describe('what a role may do', () => {
  const agent = new Agent({ keepAlive: true })
  let world: World
  let ca: string
  let walked: Walked[]
  const signedIn = {} as Record<StaffRole, SignedIn>
  before(async () => {
    world = await World.open()
    ca = await world.ca
    const admin = await world.admin()
    for (const role of STAFF_ROLES) await addPerson(admin, `A ${role}`, role)
    for (const role of STAFF_ROLES) signedIn[role] = await signIn(world, `A ${role}`)
    walked = operationsOf(world.box).filter(({ tier }) => tier === 'admin')
  })
  after(() => {
    agent.destroy()
    return world[Symbol.asyncDispose]()
  })

  const send = ({ method, path }: Walked, token: string): Promise<Answer> => {
    world.elapsedMs += 15 * 60_000
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    return ask(world.box.ports.https, path, {
      method,
      agent,
      tls: { ca },
      headers,
      ...(method !== 'GET' && { body: '[' }),
    })
  }
  const idOf = ({ operation }: Walked) => operation.operationId ?? ''
  const codeOf = ({ status, text }: Answer) => (status < 400 ? '' : (JSON.parse(text).code as string))
  /** Nobody is signed in there yet. */
  const skip = new Set(['signIn', ...waysIn()])
  /** Allowed, these would end the session or the box that is walked with: signing out is tried below, the others have tests of their own in box/test/appliance. */
  const ends = new Set(['signOut', 'backupToStick', 'restart'])

  it('is what the table says, for every operation and every role', async () => {
    const tried = new Set<string>()
    for (const role of STAFF_ROLES)
      for (const one of walked) {
        if (skip.has(idOf(one))) continue
        const allowed = mayUse(role, idOf(one))
        if (allowed && ends.has(idOf(one))) continue
        const code = codeOf(await send(one, signedIn[role].token))
        assert.equal(code === 'not_allowed', !allowed, `${role}: ${one.method} ${one.path} answers ${code}`)
        assert.notEqual(code, 'bad_token', idOf(one))
        tried.add(idOf(one))
      }
    const ofTier = Object.keys(OPERATIONS).filter((id) => walked.some((one) => idOf(one) === id) && !skip.has(id))
    assert.deepEqual([...tried].sort(), ofTier.filter((id) => id !== 'signOut').sort())
  })

  it('lets every role sign in and out', async () => {
    const signOut = walked.find((one) => idOf(one) === 'signOut') ?? assert.fail()
    for (const role of STAFF_ROLES) {
      const { client, token } = await signIn(world, `A ${role}`)
      const { response } = await client.POST('/v1/admin/session/end')
      assert.equal(response.status, 204, role)
      assertFailure(await send(signOut, token), 'bad_token', role)
    }
  })

  it('is refused before the body is read, and so before anything is said about it', async () => {
    for (const one of walked) {
      const id = idOf(one)
      if (skip.has(id) || mayUse('viewer', id)) continue
      assertFailure(await send(one, signedIn.viewer.token), 'not_allowed', id)
    }
  })

  it('asks a person for the PIN again before what cannot be undone, and takes it for two minutes', async () => {
    const once = walked.filter((one) => grantOf(idOf(one))?.confirmed)
    assert.ok(once.length >= 10)
    world.offsetMs += 3 * 60_000
    for (const one of once) assertFailure(await send(one, signedIn.admin.token), 'confirm_needed', idOf(one))
    const { client } = signedIn.admin
    const wrong = await client.POST('/v1/admin/session/confirm', { body: { secret: '999998' } })
    assert.equal(wrong.error?.code, 'not_allowed')
    for (const one of once) assertFailure(await send(one, signedIn.admin.token), 'confirm_needed', idOf(one))
    await client.POST('/v1/admin/session/confirm', { body: { secret: '274951' } })
    for (const one of once) {
      if (ends.has(idOf(one)) || one.method === 'GET') continue
      assert.notEqual(codeOf(await send(one, signedIn.admin.token)), 'confirm_needed', idOf(one))
    }
    const other = await signIn(world, 'A admin')
    world.offsetMs += 3 * 60_000
    const [first] = once
    assertFailure(await send(first as Walked, other.token), 'confirm_needed', 'of another session')
  })

  it('is for an API token no more than its role and its list, and nothing final that it does not name', async () => {
    const admin = await world.admin()
    const make = async (body: { role: StaffRole; operations?: string[] }) => {
      const { data } = await admin.POST('/v1/admin/tokens', { body: { name: 'a program', days: 1, ...body } })
      return data?.token ?? assert.fail()
    }
    const [all, few] = [await make({ role: 'admin' }), await make({ role: 'desk', operations: ['sales', 'voidSale'] })]
    for (const one of walked) {
      const id = idOf(one)
      if (skip.has(id)) continue
      const code = ends.has(id) && !grantOf(id)?.confirmed ? '' : codeOf(await send(one, all))
      assert.equal(code === 'confirm_needed', grantOf(id)?.confirmed === true, `${id}: ${code}`)
      const ofFew = codeOf(await send(one, few))
      assert.equal(ofFew === 'not_allowed', id !== 'sales' && id !== 'voidSale', `${id}: ${ofFew}`)
    }
    for (const body of [
      { role: 'viewer', operations: ['sell'] },
      { role: 'admin', operations: ['scan'] },
      { role: 'admin', operations: ['nothing'] },
      { role: 'admin', operations: ['signOut'] },
    ] as const) {
      const { error } = await admin.POST('/v1/admin/tokens', {
        body: { name: 'x', days: 1, role: body.role, operations: [...body.operations] },
      })
      assert.equal(error?.code, 'bad_request', body.operations[0])
    }
  })

  it('opens no tier of devices, on no port: no role, no token of a program, and not the admin token', async () => {
    const { paired } = await world.device()
    const tls = { ca, cert: paired.certificate, key: paired.key }
    const admin = await world.admin()
    const body = { name: 'a program', days: 1, role: 'admin' as const }
    const program = (await admin.POST('/v1/admin/tokens', { body })).data?.token ?? assert.fail()
    const tokens = [...STAFF_ROLES.map((role) => signedIn[role].token), program, world.box.adminToken]
    for (const { method, path, tier } of operationsOf(world.box)) {
      if (tier !== 'device') continue
      for (const token of tokens) {
        const headers = { authorization: `Bearer ${token}` }
        assertFailure(
          await ask(world.box.ports.https, path, { method, headers, agent, tls: { ca } }),
          'bad_token',
          path,
        )
        assertFailure(await ask(world.box.ports.device, path, { method, headers, tls }), 'bad_token', path)
      }
    }
  })

  it('is what the table says for every operation of devices, a scanner’s and a supervisor’s, on both ports', async () => {
    const devices = [await world.device(), await world.supervisor()]
    for (const [i, { paired }] of devices.entries())
      for (const { method, path, tier, operation } of operationsOf(world.box)) {
        if (tier !== 'device') continue
        const id = operation.operationId ?? ''
        // A refusal comes before the body is looked at; what is allowed fails for its content.
        const how = { method, ...(method !== 'GET' && { body: '{}' }) }
        const plain = { authorization: `Bearer ${paired.token}`, 'content-type': 'application/json' }
        const tls = { ca, cert: paired.certificate, key: paired.key }
        const onDevicePort = await ask(world.box.ports.device, path, { ...how, headers: plain, tls })
        const key = createPrivateKey(paired.key)
        const onHttps = await askAs(world, { ...paired, key }, path, how)
        for (const answer of [onDevicePort, onHttps]) {
          const isRefused = codeOf(answer) === 'not_allowed' && answer.text.includes("Only a supervisor's scanner")
          assert.equal(isRefused, i === 0 && grantOf(id)?.role === 'supervisor', `${id}: ${answer.text.slice(0, 100)}`)
          assert.ok(
            !['bad_token', 'bad_certificate', 'bad_signature'].includes(codeOf(answer)),
            `${id}: ${answer.text}`,
          )
        }
      }
  })

  it('is nothing in the control room for a scanner’s token, a supervisor’s, and the admin token’s without a letter', async () => {
    const devices = [await world.device(), await world.supervisor()]
    const tokens = [...devices.map(({ paired }) => paired.token), world.box.adminToken.slice(1)]
    for (const one of walked) {
      if (skip.has(idOf(one))) continue
      for (const token of tokens) {
        const answer = await send(one, token)
        assert.ok(['bad_token', 'rate_limited'].includes(codeOf(answer)), `${idOf(one)}: ${answer.text}`)
      }
    }
  })
})
