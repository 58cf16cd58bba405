import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '../event/event.ts'
import { endOf, objectionsAt } from './moment.ts'

const at = (time: string) => Date.parse(`2026-07-04T${time}:00Z`)
const iso = (time: string) => new Date(at(time)).toISOString()
const event = (...opens: string[]) =>
  ({
    starts_at: iso('12:00'),
    ends_at: iso('20:00'),
    checkpoints: opens.map((time) => ({ opens_at: iso(time) })),
  }) as unknown as Event

test('nothing speaks against a rehearsal before the event, and afterwards', () => {
  assert.deepEqual(objectionsAt(at('11:59'), event(), 0), [])
  assert.deepEqual(objectionsAt(at('20:00'), event(), 0), [])
})

test('the event itself does, and people who came', () => {
  assert.deepEqual(objectionsAt(at('12:00'), event(), 0), ['event_on'])
  assert.deepEqual(objectionsAt(at('11:00'), event(), 1), ['people_came'])
  assert.deepEqual(objectionsAt(at('19:59'), event(), 3), ['event_on', 'people_came'])
})

test('it lasts as long as was asked for, and never until people come', () => {
  assert.equal(endOf(at('10:00'), 30, event()), at('10:30'))
  assert.equal(endOf(at('11:45'), 30, event()), at('12:00'))
  assert.equal(endOf(at('10:45'), 30, event('11:00')), at('11:00'), 'the gates open before the event begins')
  assert.equal(endOf(at('13:45'), 30, event('11:00', '14:00')), at('14:00'), 'another gate opens later')
  assert.equal(endOf(at('13:00'), 30, event('11:00')), at('13:30'), 'started in spite of the event')
})
