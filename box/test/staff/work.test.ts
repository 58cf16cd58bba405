/**
 * The work that a failed sign-in costs: no name is told apart by it. Calls of argon2id are counted with their parameters, because time
 * on a machine with other work says nothing for sure.
 */
import assert from 'node:assert/strict'
import { argon2 } from 'node:crypto'
import { it } from 'node:test'
import { promisify } from 'node:util'
import { COMMAND_LINE } from '../../src/ca/actor.ts'
import { AdminToken } from '../../src/staff/admin-token.ts'
import { ApiTokens } from '../../src/staff/api-tokens.ts'
import { Attempts } from '../../src/staff/attempts.ts'
import { People } from '../../src/staff/people.ts'
import { type Argon2, Secrets } from '../../src/staff/secret.ts'
import { Sessions } from '../../src/staff/sessions.ts'
import { SignIn } from '../../src/staff/sign-in.ts'
import { Desk } from '../world/desk.ts'

const NOON = Date.parse('2026-07-04T12:00:00Z')
const [PIN, WRONG] = ['274951', '999998']

it('is the same for an unknown name, a wrong PIN, somebody without a PIN, somebody removed, and nothing for a name that is locked', async () => {
  using desk = await Desk.open({ now: NOON })
  const { ledger, identity } = desk.deps
  const now = () => NOON
  const work: string[] = []
  const counted: Argon2 = (algorithm, { memory, passes, parallelism, tagLength, message, ...rest }) => {
    work.push([algorithm, memory, passes, parallelism, tagLength].join())
    return promisify(argon2)(algorithm, { memory, passes, parallelism, tagLength, message, ...rest })
  }
  const secrets = new Secrets(identity.signingSeed, 'test-fair', counted)
  const people = new People({ ledger, secrets, now })
  const sessions = new Sessions({ ledger, people, now })
  const apiTokens = new ApiTokens({ ledger, now })
  const adminToken = new AdminToken({ ledger, token: 'x'.repeat(40), hasPeople: () => true, now })
  const attempts = new Attempts({ monotonic: () => 0, now })
  const signIn = new SignIn({ people, sessions, apiTokens, adminToken, secrets, attempts })
  await people.add({ name: 'Ada', role: 'admin', secret: PIN }, COMMAND_LINE)
  const { id: gone } = await people.add({ name: 'Gone', role: 'viewer', secret: PIN }, COMMAND_LINE)
  await people.remove(gone, COMMAND_LINE)
  await people.vouchedFor({ id: 'per-of-provider', name: 'Olga', role: 'viewer' }, COMMAND_LINE)
  work.length = 0

  let network = 0
  /** The hashing of one try, from a network that has tried nothing yet. */
  const costOf = async (name: string, secret: string) => {
    const before = work.length
    assert.equal(await signIn.byPassword(name, secret, `192.0.2.${++network}`), undefined)
    return work.slice(before)
  }
  const costs = {
    'wrong PIN': await costOf('Ada', WRONG),
    'unknown name': await costOf('Nobody', WRONG),
    'no PIN at all': await costOf('Olga', PIN),
    removed: await costOf('Gone', PIN),
  }
  for (const [who, cost] of Object.entries(costs)) assert.deepEqual(cost, ['argon2id,19456,2,1,32'], who)
  // As much as a right one costs: the answer comes no sooner and no later.
  work.length = 0
  assert.ok(await signIn.byPassword('Ada', PIN, '192.0.2.200'))
  assert.deepEqual(work, costs['wrong PIN'])

  // Locked by name and network: a name that somebody has, and one that nobody has, after the same number of tries and for no work.
  for (const name of ['Ada', 'Nobody']) {
    const from = `198.51.100.${name.length}`
    for (let n = 0; n < 5; n++) await signIn.byPassword(name, WRONG, from)
    work.length = 0
    for (const secret of [WRONG, PIN]) {
      await assert.rejects(signIn.byPassword(name, secret, from), { code: 'rate_limited', retryAfterSeconds: 1 }, name)
    }
    assert.deepEqual(work, [], 'a flood of them costs nothing')
  }
})
