import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { areAmenities } from '../wallet/nearby.ts'
import {
  areAnnouncements,
  isDated,
  isKeptPlan,
  isOffset,
  isSettings,
  isTicketView,
  keptIn,
  listingOf,
  NO_SETTINGS,
} from './kept.ts'

const VIEW = {
  ticket: {
    tier_name: 'Day',
    tier_colour: '#2F80ED',
    seat_label: null,
    valid_from: null,
    status: 'valid',
    valid_until: '2026-07-05T01:00:00.000Z',
    zones: [{ id: 'arena', name: 'Arena' }],
  },
  history: [{ checkpoint_name: 'In', gate_name: 'A', direction: 'in', at: '2026-07-04T11:00:00.000Z' }],
  claimed: false,
  secret: 'AAAA',
  period_seconds: 15,
  event_id: 'e',
  event_name: 'E',
  event_tag: '0123456789abcdef',
  hlc: '1783162800000.000000',
}

function storage() {
  const map = new Map<string, string>()
  return {
    map,
    getItem: (name: string) => map.get(name) ?? null,
    setItem: (name: string, text: string) => void map.set(name, text),
    removeItem: (name: string) => void map.delete(name),
  }
}

test('what was kept is read again', () => {
  const kept = keptIn(storage())
  assert.ok(kept.write('view', { at: 5, value: VIEW }))
  assert.deepEqual(kept.read('view', isDated(isTicketView)), { at: 5, value: VIEW })
  kept.remove('view')
  assert.equal(kept.read('view', isDated(isTicketView)), undefined)
})

const CHECKS = {
  view: isDated(isTicketView),
  news: isDated(areAnnouncements),
  near: isDated(areAmenities),
  plan: isDated(isKeptPlan),
  settings: isSettings,
  offset: isDated(isOffset),
}

test('whatever stands in the storage, reading it throws nothing and believes nothing', () => {
  const under = storage()
  const kept = keptIn(under)
  const expectNothing = (name: string, text: string, check: unknown) => {
    under.setItem(`gatehouse-wallet:${name}`, text)
    assert.equal(kept.read(name, check as (value: unknown) => value is unknown), undefined, `${name}: ${text}`)
  }
  for (const [name, check] of Object.entries(CHECKS)) {
    for (const text of ['', '{', 'null', '[]', '{}', '"x"', '7', '[null]', '{"at":1,"value":null}', '{"at":"1"}'])
      expectNothing(name, text, check)
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        under.setItem(`gatehouse-wallet:${name}`, text)
        kept.read(name, check as (value: unknown) => value is unknown)
      }),
      { numRuns: 50 },
    )
  }
})

test('a view with any one field of another kind is none', () => {
  assert.ok(isTicketView(VIEW))
  for (const field of Object.keys(VIEW).filter((name) => !['period_seconds', 'hlc'].includes(name)))
    assert.ok(!isTicketView({ ...VIEW, [field]: 7 }), field)
  for (const field of Object.keys(VIEW.ticket))
    assert.ok(!isTicketView({ ...VIEW, ticket: { ...VIEW.ticket, [field]: 7 } }), field)
  for (const changed of [{ status: 'stolen' }, { valid_until: 'tomorrow' }, { zones: [null] }, { holder_name: null }])
    assert.ok(!isTicketView({ ...VIEW, ticket: { ...VIEW.ticket, ...changed } }), JSON.stringify(changed))
  assert.ok(!isTicketView({ ...VIEW, history: [{ ...VIEW.history[0], at: '' }] }))
})

test('an entry that is not a ticket does not take the other tickets with it', () => {
  const under = storage()
  const kept = keptIn(under)
  const good = { id: 'hOb-ZgK7k8qC0OmwjiC-fA', verifierKey: null }
  kept.write('tickets', [null, { ...good, id: '../x' }, good, { id: good.id }, 7])
  assert.deepEqual(listingOf(kept), [good])
  for (const text of ['', '{', 'null', '{}', '7']) {
    under.setItem('gatehouse-wallet:tickets', text)
    assert.deepEqual(listingOf(kept), [], text)
  }
})

test('settings of another wallet are none', () => {
  assert.ok(isSettings(NO_SETTINGS))
  assert.ok(!isSettings({ ...NO_SETTINGS, read: [7] }))
})

test('a storage that is full or forbidden keeps nothing and breaks nothing', () => {
  const forbidden = () => {
    throw new DOMException('no', 'SecurityError')
  }
  for (const kept of [keptIn(undefined), keptIn({ getItem: forbidden, setItem: forbidden, removeItem: forbidden })]) {
    assert.equal(kept.write('a', 1), false)
    assert.equal(kept.read('a', isOffset), undefined)
    kept.remove('a')
  }
})
