import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { TicketView } from '@gatehouse/proto/wire/attendee.ts'
import { Value } from 'typebox/value'
import { Desk } from '../../test/world/desk.ts'
import { Phone } from '../../test/world/phone.ts'
import type { Ticket } from '../ledger/schema.ts'
import { claimTicket } from '../tickets/claim.ts'
import { revokeTicket } from '../tickets/revoke.ts'
import { entrancesOf, viewOf, zonesOf } from './view.ts'

const NOON = Date.parse('2026-07-04T12:00:00+01:00')
const HLC = '1783162800000.000000'

describe("a ticket's view", () => {
  let desk: Desk
  before(async () => {
    desk = await Desk.open({ now: NOON })
    await desk.import(['ONCE,once', 'VIP,vip', 'PENDING,once,pending', 'BLOCKED,once,blocked', 'REVOKED,once,revoked'])
    await desk.import([
      'TIMED,daily,valid,2026-07-04T10:00:00+01:00,2026-07-05T02:00:00+01:00',
      'LOST,once',
      'MINE,once',
    ])
  })
  after(() => desk[Symbol.dispose]())

  const ticketOf = (code: string): Ticket => desk.deps.tickets.lookUp(code, desk.deps.codes) ?? assert.fail(code)
  function view(code: string, changes: Partial<Ticket> = {}): TicketView {
    const ticket = { ...ticketOf(code), ...changes }
    const seen = viewOf(ticket, desk.deps.tickets.movementsOf(ticket.id), {
      event: desk.event,
      eventTag: desk.tag,
      hlc: HLC,
    })
    assert.ok(Value.Check(TicketView, seen), JSON.stringify(seen))
    return seen
  }

  it('says when the event begins, where the ticket gets in, and when doors open', () => {
    const { event } = view('ONCE')
    assert.deepEqual([event?.starts_at, event?.time_zone], [desk.event.starts_at, desk.event.timezone])
    const { name } = desk.event.gateById.get('a') ?? assert.fail()
    assert.ok(event?.entrances.includes(name))
    const opening = (...times: (string | undefined)[]) => {
      const entry = desk.event.checkpoints.find(({ id }) => id === 'a-in') ?? assert.fail()
      const checkpoints = times.map((opens_at, i) => ({ ...entry, id: `way-${i}`, ...(opens_at && { opens_at }) }))
      return entrancesOf({ ...desk.event, checkpoints }, 'once').doors_at
    }
    assert.equal(opening('2026-07-04T19:00:00Z', '2026-07-04T19:30:00+01:00'), '2026-07-04T19:30:00+01:00')
    assert.equal(opening('2026-07-04T19:00:00Z', undefined), null, 'one is open all the time')
    assert.deepEqual(entrancesOf(desk.event, 'gone'), { doors_at: null, entrances: [] })
  })

  it('says where the event is, if its file says so', () => {
    const seenAt = (place?: string) => {
      const { place: _, ...file } = desk.event
      const event = { ...file, ...(place !== undefined && { place }) }
      const seen = viewOf(ticketOf('ONCE'), [], { event, eventTag: desk.tag, hlc: HLC })
      assert.ok(Value.Check(TicketView, seen), JSON.stringify(seen))
      return seen.event ?? assert.fail()
    }
    assert.equal('place' in seenAt(), false)
    assert.equal(seenAt(' Harbour Hall, Quay 4, Lisbon ').place, 'Harbour Hall, Quay 4, Lisbon')
  })

  it('names tier, colour, event, and the zones that some checkpoint lets the ticket into', () => {
    const { ticket, event_id, event_name, event_tag, period_seconds, hlc } = view('VIP')
    assert.deepEqual(
      [ticket.tier_name, ticket.tier_colour, ticket.zones],
      [
        'VIP',
        '#EB5757',
        [
          { id: 'arena', name: 'Arena' },
          { id: 'lounge', name: 'Lounge' },
        ],
      ],
    )
    assert.deepEqual(
      [event_id, event_name, event_tag, period_seconds, hlc],
      ['test-fair', 'Test Fair', Buffer.from(desk.tag).toString('hex'), 15, HLC],
    )
    assert.deepEqual(zonesOf(desk.event, 'once'), ['arena'])
    assert.deepEqual(zonesOf(desk.event, 'gone'), [])
  })

  it('has a name and a seat where the organiser gave them', () => {
    assert.ok(!('holder_name' in view('ONCE').ticket))
    assert.equal(view('ONCE').ticket.seat_label, null)
    const named = view('ONCE', { holderName: 'Zoë “Z” O’Neill', seat: 'Row 1' }).ticket
    assert.deepEqual([named.holder_name, named.seat_label], ['Zoë “Z” O’Neill', 'Row 1'])
  })

  it('says how the ticket stands, whoever took it back', async () => {
    const statuses = ['ONCE', 'PENDING', 'BLOCKED', 'REVOKED'].map((code) => view(code).ticket.status)
    assert.deepEqual(statuses, ['valid', 'pending', 'blocked', 'revoked'])
    await revokeTicket('LOST', { actor: 'a', address: 'x', reason: 'r' }, { ...desk.deps, now: () => desk.now })
    assert.equal(view('LOST').ticket.status, 'revoked')
  })

  it('says when it is valid, or nothing of it', () => {
    const { valid_from, valid_until } = view('TIMED').ticket
    assert.deepEqual([valid_from, valid_until], ['2026-07-04T09:00:00.000Z', '2026-07-05T01:00:00.000Z'])
    assert.deepEqual([view('ONCE').ticket.valid_from, view('ONCE').ticket.valid_until], [null, null])
  })

  it('tells where it has been, oldest first, and of refusals nothing', async () => {
    await desk.scan('VIP', { checkpoint: 'b-in' })
    desk.now += 60_000
    await desk.scan('VIP', { checkpoint: 'b-in' })
    await desk.scan('VIP', { checkpoint: 'v-in' })
    desk.now += 60_000
    await desk.scan('VIP', { checkpoint: 'v-out' })
    const at = (minutes: number) => new Date(NOON + minutes * 60_000).toISOString()
    assert.deepEqual(view('VIP').history, [
      { checkpoint_name: 'B entry', gate_name: 'Gate B', direction: 'in', at: at(0) },
      { checkpoint_name: 'Lounge entry', gate_name: 'VIP stairs', direction: 'in', at: at(1) },
      { checkpoint_name: 'Lounge exit', gate_name: 'VIP stairs', direction: 'out', at: at(2) },
    ])
  })

  it('carries the secret until the ticket is claimed, and never the printed code, the ref or a ticket id', async () => {
    const { capability, ref, code } = ticketOf('MINE')
    const secret = Buffer.from(view('MINE').secret ?? '', 'base64')
    assert.deepEqual([secret, view('MINE').claimed], [ticketOf('MINE').seed, false])
    assert.equal(secret.length, 32)
    await claimTicket(capability, new Phone().claim(capability), { ...desk.deps, now: () => desk.now })
    const claimed = view('MINE')
    assert.deepEqual([claimed.claimed, 'secret' in claimed], [true, false])
    assert.equal(ticketOf('MINE').seed.length, 0, 'the seed is gone from the ledger too')
    for (const hidden of [capability, ref, code, secret.toString('base64')]) {
      assert.ok(!JSON.stringify(claimed).includes(hidden), hidden)
    }
  })

  it('of a ticket whose tier or gate has left the event file still opens', () => {
    const { ticket } = view('ONCE', { tier: 'gone' })
    assert.deepEqual([ticket.tier_name, ticket.tier_colour, ticket.zones], ['gone', null, []])
    const smaller = { ...desk.event, checkpointById: new Map(), gateById: new Map() }
    const vip = ticketOf('VIP')
    const { history } = viewOf(vip, desk.deps.tickets.movementsOf(vip.id), {
      event: smaller,
      eventTag: desk.tag,
      hlc: HLC,
    })
    assert.deepEqual(
      history.map(({ checkpoint_name, gate_name }) => [checkpoint_name, gate_name]),
      ['b-in', 'v-in', 'v-out'].map((id) => [id, id]),
    )
  })
})
