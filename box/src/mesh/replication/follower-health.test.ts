import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GatehouseError } from '../../errors.ts'
import type { Logger } from '../../log.ts'
import { LockedMessageError } from '../encryption/keyring.ts'
import { EnvelopeError } from './envelope.ts'
import { FollowerHealth } from './follower-health.ts'
import { RefusedMessageError } from './signed-message.ts'

function opened() {
  const logged: unknown[] = []
  const logger = { error: ({ event }: { event: string }) => logged.push(event) } as unknown as Logger
  return { logged, health: new FollowerHealth('box-1', { logger, now: () => 7 }) }
}

test('a box that does not answer is silent, and one whose answer is encrypted for another list is not', () => {
  const { health } = opened()
  health.asked(new LockedMessageError('locked'))
  health.answered(false)
  assert.equal(health.status(0).isSilent, false)
  assert.match(health.status(0).problem?.text ?? '', /another list of boxes/)
  health.asked(new Error('timeout'))
  health.answered(false)
  assert.deepEqual([health.status(0).isSilent, health.status(0).problem], [true, undefined])
})

test('an unsigned answer is a problem of a box that has never answered, and of no other', () => {
  const { health } = opened()
  health.asked(new RefusedMessageError('unsigned'))
  assert.match(health.status(0).problem?.text ?? '', /not signed/)
  health.heard(3)
  const { problem, lastHeard, epoch, behind } = health.status(5)
  assert.deepEqual([problem, lastHeard, epoch, behind], [undefined, 7, 3, 5])
})

test('a refused page is a problem until one is accepted, and is logged once', () => {
  const { health, logged } = opened()
  health.accepted(true)
  for (let i = 0; i < 3; i++) health.refused(new EnvelopeError('a page of another range'))
  assert.deepEqual([health.isRefused, health.status(0).caughtUp, logged], [true, false, ['mesh_refused']])
  health.refusedCopy(new EnvelopeError('a copy'), 'box-2')
  assert.equal(health.status(0).problem?.text, 'a page of another range', 'its own page is told first')
  health.accepted(true)
  assert.deepEqual([health.isRefused, health.status(0).caughtUp, health.status(0).problem], [false, true, undefined])
  health.refusedCopy(new EnvelopeError('a copy'), 'box-2')
  assert.match(health.status(0).problem?.text ?? '', /that box-2 has is refused: a copy/)
  assert.equal(health.isRefused, false, 'the box itself is still believed')
})

test('a full disk is not a problem of the other box', () => {
  const { health, logged } = opened()
  health.refused(new GatehouseError('ledger_unavailable', 'The disk is full.'))
  assert.deepEqual([health.isRefused, logged], [false, []])
})
