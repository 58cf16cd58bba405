/**
 * `npm run test:mesh`: three boxes, then five, with everything going wrong between them that `troubles.ts` knows, and the eight
 * laws at the end. As root with iproute2; without, what needs cables is left out, and named. A number chooses the seed.
 */
import { randomInt } from 'node:crypto'
import { natsServer } from '../test/nats-server.ts'
import { mayHaveCables } from './network.ts'
import { run } from './run.ts'
import { TROUBLES } from './troubles.ts'

const seed = Number(process.argv[2] ?? randomInt(2 ** 31))
const cables = mayHaveCables()
const { file, whyNot } = await natsServer()
if (file === undefined) throw new Error(String(whyNot))
const troubles = TROUBLES.filter(({ needs }) => cables || needs === 'processes')
console.log(`seed ${seed}`)
for (const { name } of TROUBLES.filter((trouble) => !troubles.includes(trouble))) {
  console.log(`left out, for want of root and iproute2: ${name}`)
}

let [passed, failed] = [0, 0]
for (const boxes of [3, 5]) {
  const ran = await run({
    ...{ boxes, cables, natsServer: file, troubles, seed },
    ...{ secondsOfTrouble: 30, secondsOfCalm: 20, say: (line) => console.log(`  ${line}`) },
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
