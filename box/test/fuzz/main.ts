/**
 * `npm run test:fuzz`: every operation of the box's own OpenAPI document, the routes between boxes, the feed's control plane and HQ's health checks,
 * asked with thousands of invented requests by a tool that nobody of this project wrote. No answer may be a 5xx, have an undocumented status, or break its schema. `-- --short` is the
 * form for CI, `-- --seed N` repeats a run, `-- --tier admin` asks one tier.
 */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { Answers } from './answers.ts'
import { type Pass, type PassResult, runPass } from './pass.ts'
import { openPlaces } from './places.ts'
import { schemathesis } from './tool.ts'

/** The fuzzer waits for the box, and the box for the fuzzer: two processors are busy with three. */
const AT_ONCE = 3

/** Requests that are invented for each operation, beside those at the edges of its schema. */
const EXAMPLES = { short: 5, full: 100 }

const { values } = parseArgs({
  options: { short: { type: 'boolean' }, seed: { type: 'string' }, tier: { type: 'string' } },
})
const tool = await schemathesis()
if (tool.file === undefined) console.log(`skipped: ${tool.whyNot}`)
else await fuzz(tool.file)

async function fuzz(file: string): Promise<void> {
  const seed = Number(values.seed ?? randomInt(2 ** 31))
  await using places = await openPlaces({ short: values.short ?? false })
  using answers = new Answers()
  const passes = places.passes
    .filter(({ tier }) => values.tier === undefined || tier === values.tier)
    .filter(({ inFull }) => !(inFull && values.short))
  const examples = values.short ? EXAMPLES.short : EXAMPLES.full
  const asked = new Map<string, number>()
  const ofDocuments = new Map<string, number>()
  let [requests, accepted, found] = [0, 0, 0]
  const runNext = async (): Promise<void> => {
    for (let pass = passes.shift(); pass; pass = passes.shift()) {
      const started = performance.now()
      const result = await runPass(pass, { file, folder: places.folder, examples, seed })
      say(pass, result, performance.now() - started)
      requests += result.requests
      accepted += result.accepted
      found += result.findings.length
      asked.set(pass.tier, result.operations)
      ofDocuments.set(pass.document, result.ofDocument)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, runNext))
  const operations = sum(asked.values())
  const all = sum(ofDocuments.values())
  const failed = answers.between(500, 600)
  const complete = values.tier !== undefined || operations === all
  console.log(
    `fuzz: ${operations} of ${all} operations, ${requests} requests (${accepted} valid ones carried out), ` +
      `${failed} answers of 5xx, ${found} findings (seed ${seed}); signed for the fuzzer: ${places.prepared()}`,
  )
  process.exitCode = found > 0 || failed > 0 || !complete ? 1 : 0
}

function sum(counts: Iterable<number>): number {
  return [...counts].reduce((sum, count) => sum + count, 0)
}

function say({ name }: Pass, { operations, requests, findings, output }: PassResult, ms: number): void {
  const isFine = findings.length === 0
  if (!isFine) console.log(output)
  const seconds = (ms / 1000).toFixed(0)
  console.log(`${isFine ? '✔' : '✖'} ${name}: ${operations} operations, ${requests} requests, ${seconds} s`)
  for (const finding of findings) console.log(`    ${finding}`)
}
