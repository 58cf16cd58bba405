import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { chance } from '../simulate/random.ts'
import { type AskedBox, Gate } from './gate.ts'
import type { Asked } from './history.ts'

const PAIRED = { id: 'd', token: 't', certificate: '', key: '', ca: '', deviceUrl: '', baseUrl: '', checkpoints: [] }

test('a gate asks its own box first, and sends half of its retries to another box under the same scan id', async (t) => {
  const server = createServer((_, answer) => {
    answer.setHeader('content-type', 'application/json').end('{"verdict":"ADMIT","confidence":"confirmed"}')
  })
  t.after(() => server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const deviceUrl = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { gate, asked } = gateAt({ own: { deviceUrl }, others: { deviceUrl } })
  {
    await using _ = gate
    for (let i = 0; i < 60; i++) await gate.admit(`T-${i}`, { again: true, isOver: () => false })
  }
  assert.equal(asked.length, 120)
  const again = asked.filter((_, i) => i % 2 === 1)
  for (const [i, one] of again.entries()) {
    const first = asked[2 * i]
    assert.deepEqual([first?.box, first?.scanId, first?.answer?.verdict], ['own', one.scanId, 'ADMIT'])
  }
  assert.deepEqual(new Set(again.map(({ box }) => box)), new Set(['own', 'b', 'c']))
  const atOwn = again.filter(({ box }) => box === 'own').length
  assert.ok(atOwn > 15 && atOwn < 45, `${atOwn} of 60 at the same box`)
})

test('a gate whose own box does not answer finds another one', async (t) => {
  const server = createServer((_, answer) => {
    answer.setHeader('content-type', 'application/json').end('{"verdict":"ADMIT","confidence":"provisional"}')
  })
  t.after(() => server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const deviceUrl = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { gate, asked } = gateAt({ own: { deviceUrl: () => undefined, away: true }, others: { deviceUrl } })
  {
    await using _ = gate
    await gate.admit('T', { again: false, isOver: () => asked.length > 50 })
  }
  const last = asked.pop()
  assert.notEqual(last?.box, 'own')
  assert.deepEqual([last?.answer?.verdict, last?.away], ['ADMIT', false])
  assert.ok(asked.length > 0 && asked.every(({ box, answer, away }) => box === 'own' && !answer && away))
})

type Where = Pick<AskedBox, 'deviceUrl'> & { away?: boolean }

/** A gate of box `own`, and of `b` and `c` where that does not answer. */
function gateAt({ own, others }: { own: Where; others: Where }): { gate: Gate; asked: Asked[] } {
  const asked: Asked[] = []
  const boxAt = (box: string, { deviceUrl, away = false }: Where): AskedBox => ({
    box,
    deviceUrl,
    situation: () => ({ during: 'calm', alone: false, away }),
  })
  const gate = new Gate({
    device: PAIRED,
    own: boxAt('own', own),
    others: [boxAt('b', others), boxAt('c', others)],
    chance: chance(9),
    onAsked: (one: Asked) => asked.push(one),
    now: () => performance.now(),
  })
  return { gate, asked }
}
