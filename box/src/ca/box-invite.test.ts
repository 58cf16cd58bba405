import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anyText } from '@gatehouse/proto/properties.testing.ts'
import fc from 'fast-check'
import { INVITED_ROLES, inviteText, readInviteText } from './box-invite.ts'

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length }).map((all) => Buffer.from(all))
const invites = fc.record(
  {
    url: fc.constantFrom(
      'https://10.0.0.2:8443',
      'https://gate.local',
      'https://[fd00::1]:8443',
      'https://tickets.example',
    ),
    fingerprint: bytes(32).map((all) => `sha256:${all.toString('hex')}`),
    code: bytes(16).map((all) => all.toString('base64url')),
    expiresAt: fc.nat(4_000_000_000).map((seconds) => seconds * 1000),
    as: fc.constantFrom(...INVITED_ROLES),
    eventId: fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,20}$/),
  },
  { noNullPrototype: true },
)

test('an invite is read as it was written, also by a hurried hand', () => {
  fc.assert(
    fc.property(invites, (invite) => {
      assert.deepEqual(readInviteText(inviteText(invite)), invite)
      assert.deepEqual(readInviteText(` ${inviteText(invite)}\n`), invite)
    }),
  )
})

test('it needs no quotes in a file that a shell reads, and fits a QR code of letters and digits', () => {
  fc.assert(fc.property(invites, (invite) => assert.match(inviteText(invite), /^[A-Za-z0-9_.:/[\]#-]{80,400}$/)))
})

test('nothing else is one', () => {
  fc.assert(fc.property(anyText(), (text) => assert.equal(readInviteText(text), undefined)))
  const good = inviteText({
    ...{ url: 'https://10.0.0.2:8443', fingerprint: `sha256:${'a'.repeat(64)}`, code: 'c'.repeat(22), expiresAt: 0 },
    ...{ as: 'box', eventId: 'fair' },
  })
  assert.ok(readInviteText(good))
  for (const bad of [
    good.replace('https:', 'http:'),
    good.replace('10.0.0.2', 'user@10.0.0.2'),
    good.replace('8443', '8443/path'),
    good.replace('8443', '99999'),
    good.replace('8443', '8443?x'),
    good.replace('10.0.0.2', '$(reboot)'),
    good.replace('10.0.0.2', 'a b'),
    good.replace('.box.', '.root.'),
    good.replace('.fair', '.Fair'),
    good.replace('.fair', ''),
    good.replace('c'.repeat(22), 'c'.repeat(21)),
    good.slice(0, -6),
    `${good} ${good}`,
  ])
    assert.equal(readInviteText(bad), undefined, bad)
})
