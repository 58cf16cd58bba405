import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  blankEvent,
  idFrom,
  inTimezone,
  type Json,
  listOf,
  withEntry,
  withField,
  withNew,
  withoutEntry,
} from './draft.ts'

const WORDS = { tier: 'Ticket', zone: 'Inside', gate: 'Main gate' }
const NOW = Date.parse('2026-11-22T12:00:00Z')
const blank = (tiers: readonly string[] = []) =>
  blankEvent({ name: 'Été à Évora', timezone: 'Europe/Lisbon', tiers, now: NOW, words: WORDS })

const idsOf = (event: Json, section: Parameters<typeof listOf>[1]) => listOf(event, section).map(({ id }) => id)

test('a blank event has one of everything, a week from now', () => {
  const event = blank()
  assert.deepEqual(
    [event.id, event.starts_at, event.ends_at],
    ['ete-a-evora', '2026-11-29T10:00:00+00:00', '2026-11-29T23:00:00+00:00'],
  )
  assert.deepEqual(listOf(event, 'checkpoints'), [
    {
      id: 'main-gate-in',
      name: 'Main gate, in',
      gate: 'main-gate',
      direction: 'in',
      from: null,
      to: 'inside',
      tiers: ['ticket'],
    },
    {
      id: 'main-gate-out',
      name: 'Main gate, out',
      gate: 'main-gate',
      direction: 'out',
      from: 'inside',
      to: null,
      tiers: ['ticket'],
    },
  ])
})

test('the ticket types of a file are its tiers', () => {
  assert.deepEqual(idsOf(blank(['Early Bird', 'VIP', '券']), 'tiers'), ['early-bird', 'vip', 'tiers'])
})

test('a tier that goes leaves no checkpoint that names it, and a gate takes its checkpoints along', () => {
  const event = withNew(blank(['Day', 'Night']), 'gates', 'South')
  const tierless = withoutEntry(event, 'tiers', 0)
  assert.ok(listOf(tierless, 'checkpoints').every(({ tiers }) => JSON.stringify(tiers) === '["night"]'))
  assert.deepEqual(idsOf(withoutEntry(event, 'gates', 0), 'checkpoints'), ['south-in', 'south-out'])
})

test('who signs on at scanners stays as it is, and a checkpoint that goes is not named there any more', () => {
  const event = { ...withNew(blank(), 'gates', 'South'), scanners_sign_on: { lock_minutes: 5, not_at: ['south-out'] } }
  assert.deepEqual(withField(event, 'name', 'Another').scanners_sign_on, event.scanners_sign_on)
  assert.deepEqual(withoutEntry(event, 'gates', 0).scanners_sign_on, event.scanners_sign_on)
  assert.deepEqual(withoutEntry(event, 'gates', 1).scanners_sign_on, { lock_minutes: 5, not_at: [] })
})

test('what no form shows stays', () => {
  const event: Json = { ...blank(), incidents: { realert_seconds: { medical: 10 } }, mine: 1 }
  const [tier = {}] = listOf(event, 'tiers')
  const changed = withEntry(event, 'tiers', 0, withField({ ...tier, at_the_gate: { price: 5 } }, 'name', 'Day'))
  assert.deepEqual([changed.incidents, changed.mine], [{ realert_seconds: { medical: 10 } }, 1])
  assert.deepEqual(listOf(changed, 'tiers')[0], { ...tier, name: 'Day', at_the_gate: { price: 5 } })
  assert.ok(!('day_starts_at' in withField(event, 'day_starts_at', undefined)))
})

test('a file whose lists are no lists is shown as empty and not as a fault', () => {
  assert.deepEqual(listOf({ tiers: 'none', zones: [1, null] }, 'tiers'), [])
  assert.deepEqual(listOf({ zones: [1, null] }, 'zones'), [{}, {}])
})

test('ids are unique, bounded, and never begin or end with a hyphen', () => {
  assert.equal(idFrom('  Gate #1! ', ['gate-1', 'gate-1-2'], 'gates'), 'gate-1-3')
  assert.equal(idFrom('!!!', [], 'gates'), 'gates')
  assert.match(idFrom(`${'a'.repeat(55)} b c`, [], 'x'), /^a{55}$/)
})

test('a corrected time zone moves no hour on the form', () => {
  const typed = {
    timezone: 'Berlin',
    starts_at: '2026-07-17T12:00:00+00:00',
    ends_at: 'soon',
    checkpoints: [{ id: 'in', opens_at: '2026-07-17T10:30:00+00:00' }],
  }
  assert.deepEqual(inTimezone(typed, 'Europe/Berlin'), {
    timezone: 'Europe/Berlin',
    starts_at: '2026-07-17T12:00:00+02:00',
    ends_at: 'soon',
    checkpoints: [{ id: 'in', opens_at: '2026-07-17T10:30:00+02:00' }],
  })
  const there = inTimezone(inTimezone(typed, 'Europe/Berlin'), 'America/New_York')
  assert.equal(there.starts_at, '2026-07-17T12:00:00-04:00')
  assert.deepEqual(inTimezone({ timezone: 'UTC', checkpoints: 5 }, 'Europe/Berlin'), {
    timezone: 'Europe/Berlin',
    checkpoints: 5,
  })
})
