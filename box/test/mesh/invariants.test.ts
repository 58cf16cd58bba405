/** The eight invariants of several boxes, under some of the faults; `npm run test:mesh` has all of them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FAULTS } from '../../nemesis/faults.ts'
import { mayHaveCables } from '../../nemesis/network.ts'
import { run } from '../../nemesis/run.ts'
import { natsServer } from '../world/nats-server.ts'

/** A network and a machine at fault; the first box leads, more often than not. */
const SOME = ['box 0 hears, and nobody hears it', 'box 1 killed']

const { file: binary = '', whyNot: skip } = await natsServer()

test('three boxes keep the eight invariants while one is half deaf, and while one is killed', {
  skip,
}, async (t) => {
  const cables = mayHaveCables()
  const wanted = FAULTS.filter(({ name }) => SOME.includes(name))
  const faults = wanted.filter(({ needs }) => cables || needs === 'processes')
  for (const { name } of wanted) {
    if (!faults.some((fault) => fault.name === name)) t.diagnostic(`left out, it needs root and iproute2: ${name}`)
  }
  const ran = await run({
    boxes: 3,
    cables,
    natsServer: binary,
    faults,
    seed: 9,
    secondsOfFault: 4,
    secondsOfCalm: 4,
    say: (line) => t.diagnostic(line),
  })
  t.diagnostic(JSON.stringify({ ...ran, violations: ran.violations.length }))
  assert.deepEqual(ran.violations, [])
  assert.ok(ran.admitted > 100, `${ran.admitted} admitted`)
  assert.ok(ran.elsewhere > 0, 'no scan was sent to a second box while all reached each other')
})
