/**
 * `npm test`: the check, the apps, then every test, and one line that adds them up. `node box/dev/test.ts FORM` runs a part:
 *
 * - `unit`: the tests beside the sources
 * - `integration`: those with real boxes and processes
 * - `e2e`: those of the apps in a browser; more words choose among them, as in `node box/dev/test.ts e2e partition`
 * - `engines`: those of the apps in Firefox and WebKit
 * - `long`: every test, in its full form
 * - `hq`: the tests of HQ, in their full form
 */
import { chmodSync, existsSync, globSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { bundlePrograms } from '../test/world/programs.ts'
import { againAlone, type Ran } from './again-alone.ts'
import { check } from './check.ts'
import type { Counts, TestCounts } from './counts.ts'
import { runTestFile, runTestGroup } from './test-process.ts'

const ROOT = join(import.meta.dirname, '../..')

const UNIT = [
  ...['proto/*.test.ts', 'proto/!(node_modules|gen)/**/*.test.ts', 'box/src/**/*.test.ts', 'box/{demo,dev}/*.test.ts'],
  ...['{scanner-pwa,wallet-pwa,dashboard}/src/**/*.test.ts', 'e2e/*.test.ts'],
  'image/{setup,test}/*.test.ts',
]
const ENGINES = ['e2e/engines/*.test.ts']
const WHOLE = ['box/{test,bench,nemesis,simulate}/**/*.test.ts', ...ENGINES]

const FORMS: Record<string, { checks: boolean; browser: boolean; files: string[] }> = {
  all: { checks: true, browser: true, files: [...UNIT, ...WHOLE] },
  unit: { checks: false, browser: false, files: UNIT },
  integration: { checks: false, browser: false, files: WHOLE },
  long: { checks: false, browser: true, files: [...UNIT, ...WHOLE] },
  hq: { checks: false, browser: false, files: ['box/test/{hq,shop}/*.test.ts'] },
  e2e: { checks: false, browser: true, files: [] },
  engines: { checks: false, browser: false, files: ENGINES },
}
const [form = 'all', ...chosen] = process.argv.slice(2)
const steps = Object.hasOwn(FORMS, form) ? FORMS[form] : undefined
if (!steps) {
  console.error(`node box/dev/test.ts [${Object.keys(FORMS).join('|')}]; there is no form "${form}".`)
  process.exit(2)
}
if (form === 'long' || form === 'hq') process.env.GATEHOUSE_TEST_LONG = '1'
const inFull = process.env.GATEHOUSE_TEST_LONG !== undefined

/** A test file that takes longer is killed, so that one that waits for ever does not stop the others. */
const FILE_LIMIT_MS = inFull ? 3_600_000 : 600_000
/** For unit tests, a group of files or one alone: they take seconds. */
const UNIT_LIMIT_MS = 180_000

// Hundreds of short processes load the same sources: they share compiled code.
process.env.NODE_COMPILE_CACHE ??= join(ROOT, 'node_modules/.cache/gatehouse/compiled')

keepFilesInMemory()

/** Test files in parallel: three keep two cores busy. Five were no quicker. */
const AT_ONCE = 3

/** The longest test files begin first, so that the run does not end with two cores that wait for one of them. */
const LONGEST = [
  ...['mesh/invariants', 'mesh/engine', 'http/hostile', 'hq/up', 'hq/command'],
  ...['feed/postgres-slot', 'feed/postgres-network', 'feed/daemon', 'seal/verify-export'],
].map((name) => join(ROOT, `box/test/${name}.test.ts`))

// Its processes lead groups of their own, so a Ctrl+C does not reach them. A SIGTERM to the whole group arrives here twice, the second time
// passed on by `run.mjs`, which must not end this process while its exit handlers run.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1))

const counts: Counts[] = []
/** Of what failed: what it said, once more at the end, where a long log is read first. */
const reports: string[] = []
const whole = steps.files.filter((pattern) => !UNIT.includes(pattern))
if (steps.checks) {
  const { reports: said, ...checked } = await check()
  counts.push(checked)
  reports.push(...said)
}
// After the check, which opens a box; before every test that asks one for an app.
if (steps.browser || form === 'engines' || form === 'integration') counts.push(await buildApps())
if (whole.length > 0 || steps.browser) counts.push(await bundleBox())
if (whole.length > 0) await fetchNatsServer()
if (steps.files.includes(UNIT[0] ?? '')) counts.push(await (inFull ? runTests : runInGroups)(found(UNIT)))
if (whole.length > 0) counts.push(await runTests(longestFirst(found(whole))))
if (steps.browser) counts.push(await runInBrowser())
const passed = counts.reduce((sum, count) => sum + count.passed, 0)
const failed = counts.reduce((sum, count) => sum + count.failed, 0)
for (const report of reports) console.log(`\n✖ ${report}`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0
console.log(`\n${passed} passed, ${failed} failed`)

/**
 * Tests sync small files thousands of times. Where the system has a folder in memory with room, theirs are there, so that a slow
 * disk cannot hold them up. They end processes and never the machine, so none of them needs a disk.
 */
function keepFilesInMemory(): void {
  const memory = '/dev/shm'
  if (process.env.TMPDIR || !existsSync(memory)) return
  const { type, bavail, bsize } = statfsSync(memory)
  const TMPFS = 0x01021994
  if (type !== TMPFS || Math.min(bavail * bsize, freemem()) < 6 * 2 ** 30) return
  const folder = mkdtempSync(join(memory, 'gatehouse-tests-'))
  // As /tmp: a PostgreSQL of the tests is another user's.
  chmodSync(folder, 0o1777)
  process.env.TMPDIR = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
}

// Vite and Playwright are loaded on demand, because the inner loop does not need them.
async function buildApps(): Promise<Counts> {
  const { build } = await import('./build.ts')
  let problem = 'An app is over its budget: see above.'
  const built = await build().catch((error) => {
    problem = (error as Error).message
    console.error(problem)
    return false
  })
  if (!built) reports.push(problem)
  console.log(`${built ? '✔' : '✖'} the apps build, each first screen within its budget`)
  return { passed: built ? 1 : 0, failed: built ? 0 : 1 }
}

/** Where that fails, the tests start the sources. */
async function bundleBox(): Promise<Counts> {
  const problem = await bundlePrograms().then(
    () => undefined,
    (error: Error) => error.message,
  )
  if (problem !== undefined) reports.push(`The box cannot be bundled for the card: ${problem}`)
  console.log(`${problem === undefined ? '✔' : '✖'} the box is bundled as for the card`)
  return { passed: problem === undefined ? 1 : 0, failed: problem === undefined ? 0 : 1 }
}

/** Once, so that the tests do not fetch it separately. */
async function fetchNatsServer(): Promise<void> {
  const { natsServer } = await import('../test/world/nats-server.ts')
  const { whyNot } = await natsServer()
  if (whyNot) console.log(`skipped  what needs several boxes: ${whyNot}`)
}

async function runInBrowser(): Promise<Counts> {
  const { FULL, runBrowserTests } = await import('../../e2e/run.ts')
  const wanted = chosen.map((word) => (word.startsWith('-') ? word : `/e2e/[^/]*${word}`))
  const { report, ...counts } = await runBrowserTests(inFull || wanted.length > 0 ? wanted : [`--grep-invert=${FULL}`])
  if (report !== '') reports.push(report)
  return withSkipped(counts)
}

function withSkipped({ skipped, ...counts }: TestCounts): Counts {
  for (const name of skipped) console.log(`skipped  ${name}`)
  return counts
}

function found(patterns: string[]): string[] {
  return globSync(patterns, { cwd: ROOT }).map((path) => join(ROOT, path))
}

function longestFirst(files: string[]): string[] {
  return files.toSorted((a, b) => Number(LONGEST.includes(b)) - Number(LONGEST.includes(a)))
}

/** Several files share a process (unit-group.ts says why). */
async function runInGroups(files: string[]): Promise<Counts> {
  const ran = await atOnce(inGroups(files), async (group) => {
    const name = `the tests in ${[...new Set(group.map(folderOf))].join(', ')}`
    const again = () => runTestGroup(group, name, within(UNIT_LIMIT_MS))
    const ended = await again()
    if (!ended.isKilled) return [{ name, ended, again }]
    // Each alone: those that end count, and those that do not are named.
    const alone: Ran[] = []
    for (const file of group) alone.push(await runAlone(file, UNIT_LIMIT_MS))
    return alone
  })
  return countsOf(ran.flat())
}

/** Deals the folders, the largest first, each to the group with the fewest files. */
function inGroups(files: string[]): string[][] {
  const groups: string[][] = Array.from({ length: 2 * AT_ONCE }, () => [])
  const folders = [...Map.groupBy(files, folderOf).values()].toSorted((a, b) => b.length - a.length)
  for (const folder of folders) groups.toSorted((a, b) => a.length - b.length)[0]?.push(...folder)
  return groups.filter((group) => group.length > 0)
}

/** `box/src/mesh` for every file below it. */
function folderOf(file: string): string {
  return dirname(relative(ROOT, file)).split('/').slice(0, 3).join('/')
}

async function runTests(files: string[]): Promise<Counts> {
  const took: { name: string; seconds: number }[] = []
  const ran = await atOnce(files, async (file) => {
    const began = performance.now()
    const one = await runAlone(file, FILE_LIMIT_MS)
    took.push({ name: one.name, seconds: Math.round((performance.now() - began) / 1000) })
    return one
  })
  const longest = took.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10)
  console.log(`The longest: ${longest.map(({ name, seconds }) => `${name} ${seconds} s`).join(', ')}`)
  return countsOf(ran)
}

async function runAlone(file: string, limitMs: number): Promise<Ran> {
  const name = relative(ROOT, file)
  const again = () => runTestFile(file, name, within(limitMs))
  return { name, ended: await again(), again }
}

async function countsOf(ran: readonly Ran[]): Promise<Counts> {
  const { counts, reports: said } = await againAlone(ran)
  reports.push(...said)
  return sumOf(counts)
}

function within(ms: number): { limit: AbortSignal } {
  return { limit: AbortSignal.timeout(ms) }
}

/** Calls `work` for each item in turn, `AT_ONCE` at the same time. */
async function atOnce<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const left = items.values()
  const worker = async () => {
    for (const item of left) results.push(await work(item))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return results
}

function sumOf(results: readonly TestCounts[]): Counts {
  return withSkipped({
    passed: results.reduce((sum, { passed }) => sum + passed, 0),
    failed: results.reduce((sum, { failed }) => sum + failed, 0),
    skipped: results.flatMap(({ skipped }) => skipped),
  })
}
