import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { standing, verifyAnnouncement } from '@gatehouse/proto/announcement.ts'
import { Announcement } from '@gatehouse/proto/wire/attendee.ts'
import { Value } from 'typebox/value'
import { Desk } from '../../test/world/desk.ts'
import { GatehouseError } from '../errors.ts'
import { originOf, signingKey, verifierKey } from '../seal/verifier-key.ts'
import { announce, currentAnnouncements, findAnnouncement, type NewAnnouncement, withdraw } from './announcements.ts'

const NOON = Date.parse('2026-07-04T12:00:00+01:00')
const iso = (ms: number) => new Date(ms).toISOString()

describe('announcements', () => {
  let desk: Desk
  beforeEach(async () => {
    desk = await Desk.open({ now: NOON })
  })
  afterEach(() => desk[Symbol.dispose]())

  const deps = () => ({
    event: desk.event,
    ledger: desk.deps.ledger,
    now: () => desk.now,
    signingKey: signingKey(desk.deps.identity.signingSeed),
  })
  const say = (text: string, more: Partial<NewAnnouncement> = {}) =>
    announce({ text, severity: 'info', actor: 'control', address: 'x', ...more }, deps())
  const read = (zone?: string) => currentAnnouncements(deps(), zone).map(({ text }) => text)

  it('are signed as they are read, for ever, and carry nothing of who wrote them', async () => {
    const { identity } = desk.deps
    const key = verifierKey(originOf(desk.event.id, identity.boxId), signingKey(identity.signingSeed))
    const said = await say('Chuva – “abriguem-se”', {
      severity: 'emergency',
      lang: 'pt-PT',
      zones: ['arena'],
      expires_at: '2026-07-04T14:00:00+01:00',
    })
    assert.ok(Value.Check(Announcement, said))
    assert.equal(await verifyAnnouncement(said, key), true)
    assert.deepEqual(currentAnnouncements(deps()), [said])
    assert.deepEqual(findAnnouncement(deps(), said.id), said)
    assert.deepEqual([said.lang, said.zones, said.expires_at], ['pt-PT', ['arena'], '2026-07-04T13:00:00.000Z'])
    assert.ok(!JSON.stringify(said).includes('control'))
    desk.restart()
    assert.deepEqual(currentAnnouncements(deps()), [said])
    assert.equal((await say('in English')).lang, 'en')
  })

  it('are corrected and withdrawn by signed ones, which also an app that missed the steps between can follow', async () => {
    const { identity } = desk.deps
    const key = verifierKey(originOf(desk.event.id, identity.boxId), signingKey(identity.signingSeed))
    const first = await say('Doors at six', { expires_at: iso(NOON + 60_000) })
    const second = await say('Doors at seven', { replaces: first.id, expires_at: iso(NOON + 60_000) })
    assert.deepEqual(read(), ['Doors at seven'])
    desk.restart()
    const gone = await withdraw(second.id, { actor: 'control', address: 'x' }, deps())
    assert.ok(Value.Check(Announcement, gone))
    assert.equal(await verifyAnnouncement(gone, key), true)
    assert.equal(await verifyAnnouncement({ ...gone, replaces: [first.id] }, key), false)
    assert.deepEqual([gone.withdrawn, gone.expires_at], [true, first.expires_at])
    // An app that has the first alone.
    assert.deepEqual(standing([first, gone]), [])
    assert.deepEqual(currentAnnouncements(deps()), [gone])
    desk.now += 60_000
    assert.deepEqual(currentAnnouncements(deps()), [])
  })

  it('are corrected by one person, and not by two at once', async () => {
    const { id } = await say('Doors at six')
    const gone = await withdraw(id, { actor: 'control', address: 'x' }, deps())
    const size = desk.deps.ledger.size
    for (const other of [id, gone.id]) {
      await assert.rejects(say('Doors at eight', { replaces: other }), { code: 'conflict' })
      await assert.rejects(withdraw(other, { actor: 'control', address: 'x' }, deps()), { code: 'conflict' })
    }
    await assert.rejects(say('Doors at eight', { replaces: 'none' }), { code: 'not_found' })
    assert.equal(desk.deps.ledger.size, size)
  })

  it('are newest first, also of the same millisecond and after the clock was set back', async () => {
    for (const text of ['one', 'two', 'three']) await say(text)
    desk.now -= 3_600_000
    await say('four')
    assert.deepEqual(read(), ['four', 'three', 'two', 'one'])
  })

  it('that are emergencies come first, and concern every zone', async () => {
    await say('fire', { severity: 'emergency', zones: ['lounge'] })
    await say('rain', { severity: 'warning' })
    await say('storm', { severity: 'emergency' })
    await say('lunch')
    assert.deepEqual(read(), ['storm', 'fire', 'lunch', 'rain'])
    assert.deepEqual(read('arena'), ['storm', 'fire', 'lunch', 'rain'])
  })

  it('are in force until they expire, to the millisecond', async () => {
    await say('short', { expires_at: iso(NOON + 60_000) })
    await say('long')
    desk.now = NOON + 59_999
    assert.deepEqual(read(), ['long', 'short'])
    desk.now += 1
    assert.deepEqual(read(), ['long'])
  })

  it('of a zone are read with those for everybody; of a zone that is none, those for everybody', async () => {
    await say('everybody')
    await say('arena', { zones: ['arena'] })
    await say('both', { zones: ['lounge', 'arena'] })
    await say('lounge', { zones: ['lounge'] })
    assert.deepEqual(read(), ['lounge', 'both', 'arena', 'everybody'])
    assert.deepEqual(read('arena'), ['both', 'arena', 'everybody'])
    assert.deepEqual(read('lounge'), ['lounge', 'both', 'everybody'])
    assert.deepEqual(read('moon'), ['everybody'])
  })

  it('for a zone that the event does not have, or that nobody would see, are refused and not written', async () => {
    const size = desk.deps.ledger.size
    for (const [more, code] of [
      [{ zones: ['arena', 'moon'] }, 'not_found'],
      [{ expires_at: iso(NOON) }, 'bad_request'],
      [{ expires_at: iso(NOON - 1) }, 'bad_request'],
    ] as const) {
      await assert.rejects(say('x', more), (error) => error instanceof GatehouseError && error.code === code)
    }
    assert.equal(desk.deps.ledger.size, size)
    assert.deepEqual(read(), [])
  })

  it('leave in the journal who said what', async () => {
    const said = await say('Doors are open.')
    const { kind, actor, address, text, id, hlc } = desk.journal().at(-1) ?? {}
    assert.deepEqual([kind, actor, address, text], ['announcement', 'control', 'x', 'Doors are open.'])
    assert.deepEqual([id, hlc], [said.id, said.hlc])
  })
})
