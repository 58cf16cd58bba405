import assert from 'node:assert/strict'
import { test } from 'node:test'
import { by } from './actor.ts'

test('who and from where, each peer in one spelling', () => {
  const cases: [ip: string | undefined, address: string][] = [
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:192.0.2.7', '192.0.2.7'],
    ['2001:db8::7', '2001:db8::7'],
    [undefined, 'unknown'],
  ]
  for (const [ip, address] of cases) {
    assert.deepEqual(by({ ip } as { ip: string }, 'Rui'), { actor: 'Rui', address })
  }
  assert.deepEqual(by({ ip: '::1' }), { actor: 'admin', address: '::1' })
})
