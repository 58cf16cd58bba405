import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { it } from 'node:test'
import { Desk } from '../../test/world/desk.ts'
import { AnnouncementBytes } from './announcement-bytes.ts'
import { announce } from './announcements.ts'

it('announcements are read once, until one is made or ends', async () => {
  using desk = await Desk.open({ now: Date.parse('2026-07-04T12:00:00Z') })
  const deps = { event: desk.event, ledger: desk.deps.ledger, now: () => desk.now }
  using inForce = new AnnouncementBytes(deps)
  const texts = (zone?: string) =>
    JSON.parse(inForce.of(zone).toString()).announcements.map(({ text }: { text: string }) => text)
  const signingKey = generateKeyPairSync('ed25519').privateKey
  const say = (text: string, more: object = {}) =>
    announce({ text, severity: 'info', actor: 'Rui', address: 'x', ...more }, { ...deps, signingKey })
  assert.deepEqual(texts(), [])
  assert.equal(inForce.of(undefined), inForce.of(undefined))
  await say('Doors are open')
  const [zone = ''] = desk.event.zoneById.keys()
  await say('Move on', { zones: [zone], expires_at: new Date(desk.now + 60_000).toISOString() })
  assert.deepEqual(
    [texts(), texts(zone)],
    [
      ['Move on', 'Doors are open'],
      ['Move on', 'Doors are open'],
    ],
  )
  // All invented zones share one answer.
  assert.deepEqual(texts('no such zone'), ['Doors are open'])
  assert.equal(inForce.of('one'), inForce.of('another'))
  desk.now += 60_000
  assert.deepEqual(texts(zone), ['Doors are open'])
})
