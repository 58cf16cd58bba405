/**
 * `npm run test:mesh`: three boxes, then five, with everything going wrong between them that `troubles.ts` knows, and the eight
 * laws at the end. As root with iproute2; without, what needs cables is left out, and named. `-- --boxes 3` runs one of the two,
 * `--seconds 10` makes each trouble shorter than its half minute, `--seed N` brings the same people to the same gates.
 */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { natsServer } from '../test/nats-server.ts'
import { mayHaveCables } from './network.ts'
import { run } from './run.ts'
import { TROUBLES } from './troubles.ts'

const { values } = parseArgs({
  options: { boxes: { type: 'string' }, seconds: { type: 'string' }, seed: { type: 'string' } },
})
const seed = Number(values.seed ?? randomInt(2 ** 31))
const secondsOfTrouble = Number(values.seconds ?? 30)
const cables = mayHaveCables()
const { file, whyNot } = await natsServer()
if (file === undefined) throw new Error(String(whyNot))
const troubles = TROUBLES.filter(({ needs }) => cables || needs === 'processes')
console.log(`seed ${seed}`)
for (const { name } of TROUBLES.filter((trouble) => !troubles.includes(trouble))) {
  console.log(`left out, for want of root and iproute2: ${name}`)
}

let [passed, failed] = [0, 0]
for (const boxes of values.boxes === undefined ? [3, 5] : [Number(values.boxes)]) {
  const ran = await run({
    ...{ boxes, cables, natsServer: file, troubles, seed },
    ...{ secondsOfTrouble, secondsOfCalm: 20, say: (line) => console.log(`  ${line}`) },
  }).catch((error: Error) => error)
  if (ran instanceof Error) {
    console.log(`✖ ${boxes} boxes: ${ran.message}`)
    failed++
    continue
  }
  const { violations, ...figures } = ran
  console.log(`  ${JSON.stringify(figures)}`)
  for (const { law, what } of violations) console.log(`✖ ${law}: ${what}`)
  if (violations.length === 0) passed++
  else failed++
  console.log(`${violations.length === 0 ? '✔' : '✖'} ${boxes} boxes keep the eight laws`)
}
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
