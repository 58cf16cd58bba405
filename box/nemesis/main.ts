/**
 * `npm run test:mesh`: three boxes, then five, under every fault of `faults.ts`, then three with traitors among them (`traitors.ts`),
 * and the invariants in the end. Needs root and iproute2; without them, faults that need cables are left out and named.
 * `-- --boxes 3` or `--traitors` runs one of the three, `--seconds 10` shortens each fault from half a minute, `--seed N` sends the
 * same tickets to the same gates.
 */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { natsServer } from '../test/world/nats-server.ts'
import { FAULTS } from './faults.ts'
import { mayHaveCables } from './network.ts'
import { run } from './run.ts'
import { TRAITORS } from './traitors.ts'

const { values } = parseArgs({
  options: {
    boxes: { type: 'string' },
    traitors: { type: 'boolean' },
    seconds: { type: 'string' },
    seed: { type: 'string' },
  },
})
const seed = Number(values.seed ?? randomInt(2 ** 31))
const secondsOfFault = Number(values.seconds ?? 30)
const cables = mayHaveCables()
// Called off, it takes its boxes and its network along. A SIGTERM to the whole group arrives twice, the second time passed on by
// `box/dev/run.mjs`, which must not end this process while it cleans up.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1))
const { file, whyNot } = await natsServer()
if (file === undefined) throw new Error(String(whyNot))
const faults = FAULTS.filter(({ needs }) => cables || needs === 'processes')
console.log(`seed ${seed}`)
for (const { name } of FAULTS.filter((fault) => !faults.includes(fault))) {
  console.log(`left out, for want of root and iproute2: ${name}`)
}

const honest = values.traitors ? [] : values.boxes === undefined ? [3, 5] : [Number(values.boxes)]
const runs = [
  ...honest.map((boxes) => ({ boxes, faults, traitors: false, what: `${boxes} boxes keep the eight invariants` })),
  ...(values.boxes === undefined
    ? [{ boxes: 3, faults: TRAITORS, traitors: true, what: 'three boxes keep these and T1 to T3, with three traitors' }]
    : []),
]
let [passed, failed] = [0, 0]
for (const { what, ...options } of runs) {
  const ran = await run({
    ...options,
    cables,
    natsServer: file,
    seed,
    secondsOfFault,
    secondsOfCalm: 20,
    say: (line) => console.log(`  ${line}`),
  }).catch((error: Error) => error)
  if (ran instanceof Error) {
    console.log(`✖ ${what}: ${ran.message}`)
    failed++
    continue
  }
  const { violations, ...figures } = ran
  console.log(`  ${JSON.stringify(figures)}`)
  for (const { invariant, what } of violations) console.log(`✖ ${invariant}: ${what}`)
  if (violations.length === 0) passed++
  else failed++
  console.log(`${violations.length === 0 ? '✔' : '✖'} ${what}`)
}
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
