/** Issue 23, "what must be seen", 2: every operation, by every role, by tokens of every kind. */
import assert from 'node:assert/strict'
import { Agent } from 'node:https'
import { after, before, describe, it } from 'node:test'
import { grantOf, mayUse, OPERATIONS, STAFF_ROLES, type StaffRole } from '@gatehouse/proto/operations.ts'
import { type Answer, ask, assertFailure } from '../world/ask.ts'
import { operationsOf, type Walked } from '../world/operations.ts'
import { World } from '../world/world.ts'
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
  /** Nobody is signed in there yet, or their answers would end what is being walked with; a body that is no JSON stops the others before they do anything. */
  const skip = new Set(['signIn', 'signOut', 'backupToStick', 'restart', ...waysIn()])

  it('is what the table says, for every operation and every role', async () => {
    const tried = new Set<string>()
    for (const role of STAFF_ROLES)
      for (const one of walked) {
        if (skip.has(idOf(one))) continue
        const code = codeOf(await send(one, signedIn[role].token))
        const allowed = mayUse(role, idOf(one))
        assert.equal(code === 'not_allowed', !allowed, `${role}: ${one.method} ${one.path} answers ${code}`)
        assert.notEqual(code, 'bad_token', idOf(one))
        tried.add(idOf(one))
      }
    const ofTier = Object.keys(OPERATIONS).filter((id) => walked.some((one) => idOf(one) === id) && !skip.has(id))
    assert.deepEqual([...tried].sort(), ofTier.sort())
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
      if (skip.has(idOf(one)) || one.method === 'GET') continue
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
      const code = codeOf(await send(one, all))
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

  it('opens no tier of devices, on no port', async () => {
    const { paired } = await world.device()
    const tls = { ca, cert: paired.certificate, key: paired.key }
    for (const { method, path, tier } of operationsOf(world.box)) {
      if (tier !== 'device') continue
      const headers = { authorization: `Bearer ${signedIn.admin.token}` }
      assertFailure(await ask(world.box.ports.https, path, { method, headers, tls: { ca } }), 'bad_token', path)
      assertFailure(await ask(world.box.ports.device, path, { method, headers, tls }), 'bad_token', path)
    }
  })
})
