/**
 * `npm test`: the check, then every test, and one line that adds them up. `node test.ts unit` runs the tests beside the
 * sources only; `node test.ts long` runs the tests of whole boxes in their full form.
 */
import { globSync } from 'node:fs'
import { run } from 'node:test'
import { dot, spec } from 'node:test/reporters'
import { type Counts, check } from './check.ts'

const UNIT = [
  ...['proto/*.test.ts', 'proto/!(node_modules|gen)/**/*.test.ts', 'box/src/**/*.test.ts', 'box/demo/*.test.ts'],
  '{scanner-pwa,wallet-pwa,dashboard}/src/**/*.test.ts',
  'image/{setup,test}/*.test.ts',
]
const WHOLE = ['box/test/**/*.test.ts', 'box/bench/**/*.test.ts']

const form = process.argv[2] ?? 'all'
const globs = { all: [...UNIT, ...WHOLE], unit: UNIT, long: WHOLE }[form]
if (!globs) {
  console.error(`node test.ts [unit|long]; there is no form "${form}".`)
  process.exit(2)
}
if (form === 'long') process.env.GATEHOUSE_TEST_LONG = '1'

/** A test that waits for what never comes fails, and does not hold up the rest. */
const TIMEOUT_MS = form === 'long' ? 3_600_000 : 300_000

const counts: Counts[] = []
if (form === 'all') counts.push(await check())
counts.push(await runTests(globs))
const passed = counts.reduce((sum, count) => sum + count.passed, 0)
const failed = counts.reduce((sum, count) => sum + count.failed, 0)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0
console.log(`\n${passed} passed, ${failed} failed`)

async function runTests(patterns: string[]): Promise<Counts & { skipped: string[] }> {
  const files = globSync(patterns, { cwd: import.meta.dirname })
  const total = { passed: 0, failed: 0, skipped: [] as string[] }
  const stream = run({ files, concurrency: 2, timeout: TIMEOUT_MS })
  stream.on('test:pass', ({ name, skip, details }) => {
    if (skip !== undefined) total.skipped.push(`${name}${typeof skip === 'string' ? `: ${skip}` : ''}`)
    else if (details.type !== 'suite') total.passed++
  })
  // A suite that fails without a failing test in it (a hook threw) must not go by unseen.
  stream.on('test:fail', ({ details }) => {
    const { failureType } = details.error as { failureType?: string }
    if (details.type !== 'suite' || failureType !== 'subtestsFailed') total.failed++
  })
  const reporter = form === 'long' ? stream.compose(new spec()) : stream.compose(dot)
  for await (const text of reporter) process.stdout.write(text)
  for (const name of total.skipped) console.log(`skipped  ${name}`)
  return total
}
