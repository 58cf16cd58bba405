import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { nameOf, personIdOf, roleOf } from './claims.ts'

const ROLES = new Map([
  ['doors', 'desk'],
  ['crew', 'operator'],
  ['ada@example.org', 'admin'],
] as const)

describe('what the provider says of a person', () => {
  it('gives the role of a group, and of several the one that may do most', () => {
    const role = (groups: unknown) => roleOf({ groups }, 'groups', ROLES)
    assert.equal(role('doors'), 'desk')
    assert.equal(role(['crew', 'doors', 'others']), 'operator')
    for (const none of [undefined, null, [], ['others'], 'Doors', { doors: true }, [['doors']], 7, '__proto__'])
      assert.equal(role(none), undefined, JSON.stringify(none))
    assert.equal(roleOf(Object.create({ groups: 'crew' }), 'groups', ROLES), undefined)
  })

  it('gives a role by e-mail only where the provider has checked it', () => {
    const said = { email: 'ada@example.org' }
    assert.equal(roleOf({ ...said, email_verified: true }, 'email', ROLES), 'admin')
    for (const email_verified of [undefined, false, 'true'])
      assert.equal(roleOf({ ...said, email_verified }, 'email', ROLES), undefined)
  })

  it('is a name on one line, of a bounded length, and no address', () => {
    const id = 'per-0123456789abcdef'
    assert.equal(nameOf({ name: ' Ada\n\u202eLovelace: ' }, id), 'Ada Lovelace')
    assert.equal(nameOf({ name: '\u0000', preferred_username: 'ada' }, id), 'ada')
    assert.equal(nameOf({ name: 'ada@example.org', preferred_username: 'ada@example.org' }, id), 'Person abcdef')
    assert.equal(nameOf({ name: 7 }, id), 'Person abcdef')
    assert.equal([...nameOf({ name: '😀'.repeat(500) }, id)].length, 70)
  })

  it('is one person by issuer and subject, and another at another event', () => {
    const key = Buffer.alloc(32, 1)
    const id = personIdOf(key, 'https://a.example', '1')
    assert.match(id, /^per-[0-9a-f]{32}$/)
    assert.equal(id, personIdOf(key, 'https://a.example', '1'))
    const others = [
      personIdOf(key, 'https://a.example', '2'),
      personIdOf(key, 'https://b.example', '1'),
      personIdOf(key, 'https://a.example","1', ''),
      personIdOf(Buffer.alloc(32, 2), 'https://a.example', '1'),
    ]
    assert.equal(new Set([id, ...others]).size, 5)
  })
})
