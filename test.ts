/**
 * `npm test`: the check, the apps, then every test, and one line that adds them up. `node test.ts unit` runs the tests beside
 * the sources only, `node test.ts e2e` those of the apps in a browser; `node test.ts long` runs what needs whole boxes in its
 * full form, `node test.ts hq` that part of it which is about HQ. More words choose among the tests in a browser: `node test.ts e2e partition`.
 */
import { globSync } from 'node:fs'
import { run } from 'node:test'
import { dot, spec } from 'node:test/reporters'
import { type Counts, check } from './check.ts'

const UNIT = [
  ...['proto/*.test.ts', 'proto/!(node_modules|gen)/**/*.test.ts', 'box/src/**/*.test.ts', 'box/demo/*.test.ts'],
  ...['{scanner-pwa,wallet-pwa,dashboard}/src/**/*.test.ts', 'e2e/*.test.ts'],
  'image/{setup,test}/*.test.ts',
]
const WHOLE = ['box/{test,bench,nemesis,simulate}/**/*.test.ts']

const FORMS: Record<string, { checks: boolean; browser: boolean; files: string[] }> = {
  all: { checks: true, browser: true, files: [...UNIT, ...WHOLE] },
  unit: { checks: false, browser: false, files: UNIT },
  long: { checks: false, browser: true, files: WHOLE },
  hq: { checks: false, browser: false, files: ['box/test/hq-*.test.ts'] },
  e2e: { checks: false, browser: true, files: [] },
}
const [form = 'all', ...chosen] = process.argv.slice(2)
const steps = Object.hasOwn(FORMS, form) ? FORMS[form] : undefined
if (!steps) {
  console.error(`node test.ts [${Object.keys(FORMS).join('|')}]; there is no form "${form}".`)
  process.exit(2)
}
const inFull = form === 'long' || form === 'hq'
if (inFull) process.env.GATEHOUSE_TEST_LONG = '1'

/** A test that waits for what never comes fails, and does not hold up the rest. */
const TIMEOUT_MS = inFull ? 3_600_000 : 300_000

const counts: Counts[] = []
if (steps.checks) counts.push(await check())
// Before every test that asks a box for an app.
if (steps.browser) counts.push(await buildApps())
if (steps.files.some((pattern) => WHOLE.includes(pattern))) await fetchNatsServer()
if (steps.files.length > 0) counts.push(await runTests(steps.files))
if (steps.browser) counts.push(await runInBrowser())
const passed = counts.reduce((sum, count) => sum + count.passed, 0)
const failed = counts.reduce((sum, count) => sum + count.failed, 0)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0
console.log(`\n${passed} passed, ${failed} failed`)

// Vite and Playwright are loaded when they are needed: the inner loop does without.
async function buildApps(): Promise<Counts> {
  const { build } = await import('./build.ts')
  const built = await build().catch((error) => {
    console.error((error as Error).message)
    return false
  })
  console.log(`${built ? '✔' : '✖'} the apps build, each first screen within its budget`)
  return { passed: built ? 1 : 0, failed: built ? 0 : 1 }
}

/** Once, before tests that would each fetch it for themselves. */
async function fetchNatsServer(): Promise<void> {
  const { natsServer } = await import('./box/test/nats-server.ts')
  const { whyNot } = await natsServer()
  if (whyNot) console.log(`skipped  what needs several boxes: ${whyNot}`)
}

async function runInBrowser(): Promise<Counts> {
  const { runBrowserTests } = await import('./e2e/run.ts')
  return told(await runBrowserTests(chosen))
}

function told({ skipped, ...counts }: Counts & { skipped: string[] }): Counts {
  for (const name of skipped) console.log(`skipped  ${name}`)
  return counts
}

async function runTests(patterns: string[]): Promise<Counts> {
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
  const reporter = inFull ? stream.compose(new spec()) : stream.compose(dot)
  for await (const text of reporter) process.stdout.write(text)
  return told(total)
}
