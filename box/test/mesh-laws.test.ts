/** The eight laws of several boxes, with some of what can go wrong between them; `npm run test:mesh` has all of it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mayHaveCables } from '../nemesis/network.ts'
import { run } from '../nemesis/run.ts'
import { TROUBLES } from '../nemesis/troubles.ts'
import { natsServer } from './nats-server.ts'

/** One of each sort; the first box leads, more often than not. */
const SOME = ['box 0 cut off', 'box 0 hears, and nobody hears it', 'box 1 killed', 'box 0 frozen']

const { file: binary = '', whyNot: skip } = await natsServer()

test('three boxes keep the eight laws while one is cut off, half deaf, killed and frozen', { skip }, async (t) => {
  const cables = mayHaveCables()
  const wanted = TROUBLES.filter(({ name }) => SOME.includes(name))
  const troubles = wanted.filter(({ needs }) => cables || needs === 'processes')
  for (const { name } of wanted) {
    if (!troubles.some((trouble) => trouble.name === name))
      t.diagnostic(`left out, it needs root and iproute2: ${name}`)
  }
  const ran = await run({
    ...{ boxes: 3, cables, natsServer: binary, troubles, seed: 9 },
    ...{ secondsOfTrouble: 6, secondsOfCalm: 6, say: (line) => t.diagnostic(line) },
  })
  t.diagnostic(JSON.stringify({ ...ran, violations: ran.violations.length }))
  assert.deepEqual(ran.violations, [])
  assert.ok(ran.admitted > 100, `${ran.admitted} admitted`)
  assert.ok(ran.elsewhere > 0, 'no scan was sent to a second box while all heard each other')
})
