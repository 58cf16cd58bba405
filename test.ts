/**
 * `npm test`: the check, the apps, then every test, and one line that adds them up. `node test.ts unit` runs the tests beside
 * the sources only, `node test.ts e2e` those of the apps in a browser; `node test.ts long` runs every test in its
 * full form, `node test.ts hq` that part of it which is about HQ. More words choose among the tests in a browser: `node test.ts e2e partition`.
 */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { run } from 'node:test'
import { dot, spec } from 'node:test/reporters'
import { pathToFileURL } from 'node:url'
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
  long: { checks: false, browser: true, files: [...UNIT, ...WHOLE] },
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

// Hundreds of short processes read the same sources: what one of them has compiled, the next finds.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/gatehouse/compiled')

/** Many tests wait for a process or for a time to pass: two processors are busy with three of them. */
const AT_ONCE = 3

const counts: Counts[] = []
const whole = steps.files.filter((pattern) => !UNIT.includes(pattern))
if (steps.checks) counts.push(await check())
// After the check, which opens a box; before every test that asks one for an app.
if (steps.browser) counts.push(await buildApps())
if (whole.length > 0) await fetchNatsServer()
if (steps.files.includes(UNIT[0] ?? '')) counts.push(await runTests(inFull ? found(UNIT) : together(found(UNIT))))
if (whole.length > 0) counts.push(await runTests(found(whole)))
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

function found(patterns: string[]): string[] {
  return globSync(patterns, { cwd: import.meta.dirname }).map((path) => join(import.meta.dirname, path))
}

/**
 * Most of what a unit test costs is the start of Node and the loading of what it imports: files of one folder that leave
 * their process as they found it share one. What a process has once, and hooks of a whole file, keep a process of their own.
 */
function together(files: string[]): string[] {
  const OWN_PROCESS = /^(before|after)(Each)?\(|process\.(env|chdir|on|once|exit)|globalThis|mock\./m
  const folder = join(import.meta.dirname, 'node_modules/.cache/gatehouse/together')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const alone = files.filter((file) => OWN_PROCESS.test(readFileSync(file, 'utf8')))
  const areas = Map.groupBy(
    files.filter((file) => !alone.includes(file)),
    (file) =>
      dirname(relative(import.meta.dirname, file))
        .split('/')
        .slice(0, 3)
        .join('-'),
  )
  const shared = [...areas].map(([area, members]) => {
    const path = join(folder, `${area}.test.mjs`)
    writeFileSync(path, members.map((member) => `import ${JSON.stringify(pathToFileURL(member))}\n`).join(''))
    return path
  })
  return [...shared, ...alone]
}

async function runTests(files: string[]): Promise<Counts> {
  const total = { passed: 0, failed: 0, skipped: [] as string[] }
  const stream = run({ files, concurrency: AT_ONCE, timeout: TIMEOUT_MS })
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
