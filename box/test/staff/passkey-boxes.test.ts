/** Passkeys at the event's other boxes: known at all, removed at all, and counted at each. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { COMMAND_LINE } from '../../src/ca/actor.ts'
import { Attempts } from '../../src/staff/attempts.ts'
import { Ceremonies } from '../../src/staff/passkeys/ceremonies.ts'
import { Passkeys } from '../../src/staff/passkeys/passkeys.ts'
import { People } from '../../src/staff/people.ts'
import { Secrets } from '../../src/staff/secret.ts'
import { Sessions } from '../../src/staff/sessions.ts'
import { Desks } from '../mesh/desks.ts'
import type { Desk } from '../world/desk.ts'
import { Authenticator } from './authenticator.ts'

const NOON = Date.parse('2026-07-04T12:00:00Z')
const PIN = '274951'
const FROM = '192.0.2.1'
const SITE = { name: 'gate.example.org', origin: 'https://gate.example.org' }

function staffOf({ deps: { ledger, identity } }: Desk) {
  const now = () => NOON
  const monotonic = () => 0
  const people = new People({ ledger, secrets: new Secrets(identity.signingSeed, 'test-fair'), now })
  const sessions = new Sessions({ ledger, people, now })
  const passkeys = new Passkeys({ ledger, now })
  passkeys.onRemoved((id) => sessions.endOfPasskey(id))
  const ceremonies = new Ceremonies({ passkeys, people, attempts: new Attempts({ monotonic, now }), monotonic })
  return {
    people,
    sessions,
    passkeys,
    ceremonies,
    async add(person: string, authenticator: Authenticator) {
      const adding = { person, session: 'ses-1' }
      const made = authenticator.make(await ceremonies.beginAdding(adding, SITE, FROM))
      return ceremonies.finishAdding(adding, { name: 'My phone', ...made }, SITE, COMMAND_LINE)
    },
    async enter(authenticator: Authenticator, site = SITE) {
      const { rpId, ...question } = await ceremonies.beginEntering(site, FROM)
      const entered = await ceremonies.finishEntering(authenticator.answer({ rpId, ...question }), site, FROM)
      return sessions.open(entered.person, FROM, { passkey: entered.passkey })
    },
  }
}

async function three() {
  const desks = await Desks.open({ boxes: 3, now: NOON })
  const [a, b, c] = desks.all.map(staffOf) as [
    ReturnType<typeof staffOf>,
    ReturnType<typeof staffOf>,
    ReturnType<typeof staffOf>,
  ]
  await a.people.add({ name: 'Boss', role: 'admin', secret: PIN }, COMMAND_LINE)
  const { id: ada } = await a.people.add({ name: 'Ada', role: 'operator', secret: PIN }, COMMAND_LINE)
  return { desks, a, b, c, ada }
}

describe('passkeys of several boxes', () => {
  it('open each box that has the name, and none once one was removed at any of them', async () => {
    const { desks, a, b, c, ada } = await three()
    using _ = desks
    const authenticator = new Authenticator(SITE.origin, { counts: true })
    const { id } = await a.add(ada, authenticator)
    desks.settle()
    const { session } = await b.enter(authenticator)
    assert.equal(session.passkey, id)
    await c.passkeys.remove(id, COMMAND_LINE)
    assert.ok(b.sessions.touch(session.id), 'alone, it goes on with what it knew')
    desks.settle()
    assert.ok(!b.sessions.touch(session.id))
    for (const box of [a, b, c]) await assert.rejects(box.enter(authenticator), { code: 'bad_token' })
  })

  it('open no box of another name', async () => {
    const { desks, a, b, ada } = await three()
    using _ = desks
    const authenticator = new Authenticator(SITE.origin)
    await a.add(ada, authenticator)
    desks.settle()
    const other = { name: 'south.example.org', origin: SITE.origin }
    await assert.rejects(b.enter(authenticator, other), { code: 'bad_token' })
    await b.enter(authenticator)
  })

  it('stay removed, also where a box that was cut off had heard of neither', async () => {
    const { desks, a, b, c, ada } = await three()
    using _ = desks
    const authenticator = new Authenticator(SITE.origin)
    const { id } = await a.add(ada, authenticator)
    await a.passkeys.remove(id, COMMAND_LINE)
    desks.settle()
    for (const box of [b, c]) {
      assert.equal(box.passkeys.list().length, 0)
      await assert.rejects(box.enter(authenticator), { code: 'bad_token' })
    }
  })

  it('are not for somebody whom a provider alone vouches for, who has no PIN', async () => {
    const { desks, a } = await three()
    using _ = desks
    const person = await a.people.vouchedFor({ id: 'per-elsewhere', name: 'Otto', role: 'viewer' }, COMMAND_LINE)
    await assert.rejects(a.add(person.id, new Authenticator(SITE.origin)), { code: 'conflict' })
  })
})
