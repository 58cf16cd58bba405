/**
 * `npm run simulate:mesh`: a model of many boxes, from the measured cost of a reservation and a replicated entry. Takes
 * `--boxes N`, `--scans N` a second, `--write MS` for a durable write of a core box, `--apply MS` for a replicated entry,
 * `--batch MS` for each transaction, and `--claims N` reservations a second when many are made at once. The defaults were measured
 * on a PC.
 */
import { parseArgs } from 'node:util'
import { commitDelayMs } from '../src/mesh/replication/pace.ts'
import { healing, simulate } from './many-boxes.ts'
import { chance } from './random.ts'

const { values } = parseArgs({
  options: {
    boxes: { type: 'string', default: '50' },
    scans: { type: 'string', default: '100' },
    write: { type: 'string', default: '1.5' },
    apply: { type: 'string', default: '1.5' },
    batch: { type: 'string', default: '2.5' },
    claims: { type: 'string', default: '600' },
    seed: { type: 'string', default: '1' },
  },
})
const {
  boxes,
  scans: scansPerSecond,
  write: writeMs,
  apply: applyMs,
  batch: batchMs,
  claims: claimsPerSecond,
  seed,
} = numbers(values)

const { claim, known, leaderBusy, applyBusy, coreSends, boxReceives } = simulate({
  boxes,
  scansPerSecond,
  admitting: 0.9,
  seconds: 600,
  writeMs,
  writeSpread: 0.5,
  wayMs: 1,
  waySpread: 0.3,
  claimBytes: 400,
  entryBytes: 1_500,
  applyMs,
  batchMs,
  momentMs: commitDelayMs(boxes - 1),
  random: chance(seed).number,
})
const ms = ({ p50, p99, max }: typeof claim) =>
  `p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)}, most ${max.toFixed(0)} ms`
const percent = (part: number) => `${(part * 100).toFixed(0)} %`
console.log(
  `${boxes} boxes, ${scansPerSecond} scans/s in all, ${writeMs} ms a write, ${applyMs} ms an entry; a model, no measurement`,
)
console.log(`a claim                         ${ms(claim)}`)
console.log(`known at every gate             ${ms(known)}`)
console.log(`the leader's disk writes        ${percent(leaderBusy)} of the time`)
console.log(`a box applies what it hears     ${percent(applyBusy)} of the time`)
console.log(
  `a core box sends                ${(coreSends / 1e6).toFixed(1)} MB/s; a box receives ${(boxReceives / 1e3).toFixed(0)} kB/s`,
)
const each = scansPerSecond / boxes
for (const [boxesAlone, minutesAlone] of [
  [Math.round(boxes / 4), 20],
  [boxes, 20],
] as const) {
  const healed = healing({ boxesAlone, scansPerSecondEach: each, admitting: 0.9, minutesAlone, claimsPerSecond })
  console.log(
    `${boxesAlone} boxes alone for ${minutesAlone} minutes   ${healed.unconfirmed} admissions to ask about, ${healed.seconds.toFixed(0)} s`,
  )
}

/** @throws RangeError for anything but a number above 0 */
function numbers<Names extends string>(texts: Record<Names, string>): Record<Names, number> {
  const read = Object.entries<string>(texts).map(([name, text]) => {
    if (!(Number(text) > 0)) throw new RangeError(`--${name} takes a number above 0, and not "${text}".`)
    return [name, Number(text)]
  })
  return Object.fromEntries(read)
}
