/** People, tokens and revocations at the event's other boxes, and at a box that is alone. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { COMMAND_LINE } from '../../src/ca/actor.ts'
import { AdminToken, acknowledgeUses, rotateAdminToken } from '../../src/staff/admin-token.ts'
import { ApiTokens } from '../../src/staff/api-tokens.ts'
import { Attempts } from '../../src/staff/attempts.ts'
import { People } from '../../src/staff/people.ts'
import { Secrets } from '../../src/staff/secret.ts'
import { Sessions } from '../../src/staff/sessions.ts'
import { SignIn } from '../../src/staff/sign-in.ts'
import { Desks } from '../mesh/desks.ts'
import type { Desk } from '../world/desk.ts'

const NOON = Date.parse('2026-07-04T12:00:00Z')
const PIN = '274951'

function staffOf(desk: Desk) {
  const { ledger, identity } = desk.deps
  const now = () => desk.now
  const secrets = new Secrets(identity.signingSeed, 'test-fair')
  const people = new People({ ledger, secrets, now })
  const sessions = new Sessions({ ledger, people, now })
  const apiTokens = new ApiTokens({ ledger, now })
  const attempts = new Attempts({ monotonic: () => 0, now })
  const adminToken = new AdminToken({ ledger, token: 'old'.repeat(12), hasPeople: () => true, now })
  const signIn = new SignIn({ people, sessions, apiTokens, adminToken, secrets, attempts })
  return {
    people,
    sessions,
    apiTokens,
    adminToken,
    signIn,
    enter: (name: string, pin = PIN) => signIn.byPassword(name, pin, '192.0.2.1'),
  }
}

async function two() {
  const desks = await Desks.open({ boxes: 3, now: NOON })
  const [a, b, c] = desks.all as [Desk, Desk, Desk]
  return { desks, a: staffOf(a), b: staffOf(b), c: staffOf(c), folderOf: a.folder }
}

describe('the staff of several boxes', () => {
  it('signs in at each with one PIN, and nowhere once somebody was removed', async () => {
    const { desks, a, b, c } = await two()
    using _ = desks
    await a.people.add({ name: 'Boss', role: 'admin', secret: PIN }, COMMAND_LINE)
    const { id } = await a.people.add({ name: 'Ada', role: 'operator', secret: PIN }, COMMAND_LINE)
    desks.settle()
    for (const { enter } of [b, c]) assert.partialDeepStrictEqual(await enter('Ada'), { person: id, role: 'operator' })
    const { session, token } = await b.sessions.open(b.people.find(id) ?? assert.fail(), '192.0.2.1')
    await c.people.remove(id, COMMAND_LINE)
    assert.ok(b.signIn.isStill(token, '192.0.2.1'), 'alone, it goes on with what it knew')
    desks.settle()
    assert.ok(!b.signIn.isStill(token, '192.0.2.1') && !b.signIn.isOpen(session.id))
    for (const { enter } of [a, b, c]) assert.equal(await enter('Ada'), undefined)
  })

  it('ends a session at one box by a new PIN or another role at another', async () => {
    const { desks, a, b } = await two()
    using _ = desks
    for (const change of [{ secret: '862405' }, { role: 'viewer' as const }]) {
      const name = `Changed ${Object.keys(change)[0]}`
      const { id } = await a.people.add({ name, role: 'operator', secret: PIN }, COMMAND_LINE)
      desks.settle()
      const { token } = await b.sessions.open(b.people.find(id) ?? assert.fail(), '192.0.2.1')
      await a.people.change(id, change, COMMAND_LINE)
      desks.settle()
      assert.ok(!b.signIn.isStill(token, '192.0.2.1'))
    }
  })

  it('is the same everywhere after boxes that were cut off have both changed somebody; a removal stays', async () => {
    const { desks, a, b, c } = await two()
    using _ = desks
    const [one, gone] = [
      await a.people.add({ name: 'One', role: 'viewer', secret: PIN }, COMMAND_LINE),
      await a.people.add({ name: 'Gone', role: 'viewer', secret: PIN }, COMMAND_LINE),
    ]
    desks.settle()
    await a.people.change(one.id, { role: 'desk' }, COMMAND_LINE)
    await b.people.change(one.id, { role: 'operator' }, COMMAND_LINE)
    await a.people.remove(gone.id, COMMAND_LINE)
    await c.people.change(gone.id, { role: 'admin' }, COMMAND_LINE)
    desks.settle()
    const roles = [a, b, c].map(({ people }) => people.find(one.id)?.role)
    assert.equal(new Set(roles).size, 1, roles.join())
    for (const { people } of [a, b, c]) assert.equal(people.find(gone.id), undefined)
  })

  it('revokes the token of a program at each', async () => {
    const { desks, a, b, c } = await two()
    using _ = desks
    const { row, token } = await a.apiTokens.make({ name: 'Lights', role: 'operator', seconds: 3600 }, COMMAND_LINE)
    desks.settle()
    assert.ok(b.signIn.isStill(token, '192.0.2.1') && b.signIn.isOpen(row.id))
    await c.apiTokens.revoke(row.id, COMMAND_LINE)
    desks.settle()
    for (const { signIn } of [a, b, c]) assert.ok(!signIn.isStill(token, '192.0.2.1') && !signIn.isOpen(row.id))
  })

  it('warns at each that the admin token was used, until a person has seen it at one of them', async () => {
    const { desks, a, b, c } = await two()
    using _ = desks
    await a.adminToken.use('192.0.2.7')
    desks.settle()
    await c.adminToken.use('192.0.2.8')
    desks.settle()
    for (const { adminToken } of [a, b, c]) assert.equal(adminToken.unseen()?.count, 2)
    // A use that the box in use does not know yet is not acknowledged with the others.
    await c.adminToken.use('192.0.2.9')
    await acknowledgeUses(desks.desk(1).deps.ledger, COMMAND_LINE)
    assert.equal(b.adminToken.unseen(), undefined)
    desks.settle()
    assert.partialDeepStrictEqual(b.adminToken.unseen(), { count: 1, last_address: '192.0.2.9' })
    await acknowledgeUses(desks.desk(1).deps.ledger, COMMAND_LINE)
    desks.settle()
    for (const { adminToken } of [a, b, c]) assert.equal(adminToken.unseen(), undefined)
  })

  it('has one admin token: a rotation at one box counts at all', async () => {
    const { desks, a, b, c } = await two()
    using _ = desks
    const first = desks.desk(0)
    assert.ok(b.signIn.isStill('old'.repeat(12), '192.0.2.1'))
    const token = await rotateAdminToken(first.folder, first.deps.ledger, COMMAND_LINE)
    desks.settle()
    for (const { signIn } of [a, b, c]) {
      assert.ok(signIn.isStill(token, '192.0.2.1'))
      assert.ok(!signIn.isStill('old'.repeat(12), '192.0.2.1'))
    }
  })

  it('knows at each who holds a scanner: of two boxes that were cut off the later sign-on counts, and what has ended stays so', async () => {
    const { desks, a, b, c } = await two()
    using _ = desks
    const scanner = { id: 'dev-1', name: 'North 1' }
    const person = async (name: string) => a.people.add({ name, role: 'viewer', secret: PIN }, COMMAND_LINE)
    const [ada, bo] = [await person('Ada'), await person('Bo')]
    const on = async (box: typeof a, who: typeof ada) =>
      (await box.sessions.open(who, '192.0.2.1', { scanner })).session
    const there = () => [a, b, c].map(({ sessions }) => sessions.atScanner(scanner.id)?.person.name)
    const first = await on(a, ada)
    desks.settle()
    assert.deepEqual(there(), ['Ada', 'Ada', 'Ada'])
    assert.ok([a, b, c].every(({ sessions }) => sessions.wasAtScanner(first.id, scanner.id)?.id === ada.id))
    assert.ok([a, b, c].every(({ sessions }) => sessions.wasAtScanner(first.id, 'dev-2') === undefined))

    // The scanner went on at b, which a could not reach.
    for (const n of [0, 1, 2]) desks.desk(n).now += 1000
    await on(a, ada)
    desks.desk(1).now += 1000
    await on(b, bo)
    desks.settle()
    assert.deepEqual(there(), ['Bo', 'Bo', 'Bo'])
    const [{ id } = assert.fail()] = b.sessions.list().filter(({ device }) => device === scanner.id)
    await b.sessions.end(id, COMMAND_LINE)
    desks.settle()
    assert.deepEqual(there(), [undefined, undefined, undefined], 'and not Ada, who was on before')

    desks.desk(1).now += 5000
    const last = await on(b, bo)
    await c.people.remove(bo.id, COMMAND_LINE)
    desks.settle()
    assert.deepEqual(there(), [undefined, undefined, undefined])
    for (const { sessions } of [a, b, c]) assert.ok(sessions.list().every((one) => one.id !== last.id))
  })
})
