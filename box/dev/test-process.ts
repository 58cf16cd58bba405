/** A process with tests: started, watched, and killed with its children where it does not end. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { TestCounts } from './counts.ts'

const GROUP = join(import.meta.dirname, 'unit-group.ts')
const REPORTER = import.meta.resolve('./file-reporter.ts')
/** Characters of its output that are shown again where it failed. */
const KEPT = 4000
/** A process of the test that outlives it may hold its output open. */
const OUTPUT_MS = 5000

export interface Ended {
  counts: TestCounts
  /** It reached its limit, and was killed. */
  isKilled: boolean
  /** The end of its output. */
  printed: string
}

export interface Options {
  /** Aborted when it has taken too long. */
  limit: AbortSignal
  /** Takes its output. */
  write?: (text: string) => void
}

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) killWithChildren(child)
})

/** Runs one file in a process of its own, as `node FILE` does. @param label what names it in a message */
export function runTestFile(file: string, label: string, options: Options): Promise<Ended> {
  return runTestProcess([`--test-reporter=${REPORTER}`, '--test-reporter-destination=stdout', file], label, options)
}

/** Runs several files in one process. */
export function runTestGroup(files: readonly string[], label: string, options: Options): Promise<Ended> {
  return runTestProcess([GROUP, ...files], label, options)
}

async function runTestProcess(
  args: readonly string[],
  label: string,
  { limit, write = toStdout }: Options,
): Promise<Ended> {
  // The leader of a process group of its own, which is killed with it.
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
    // Set where this runs in a test: it would report to that one.
    env: { ...process.env, NODE_TEST_CONTEXT: undefined },
  })
  running.add(child)
  let printed = ''
  let isKilled = false
  let counts: TestCounts | undefined
  for (const output of [child.stdout, child.stderr]) {
    output?.setEncoding('utf8').on('data', (text: string) => {
      printed = (printed + text).slice(-KEPT)
      write(text)
    })
  }
  child.on('message', (message) => {
    counts = message as TestCounts
  })
  const kill = () => {
    isKilled = true
    killWithChildren(child)
  }
  limit.addEventListener('abort', kill)
  const closed = once(child, 'close')
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  limit.removeEventListener('abort', kill)
  if (!(await endsWithin(closed, OUTPUT_MS))) {
    write(`\n${label} left a process behind, which is ended now.\n`)
    killWithChildren(child)
    child.stdout?.destroy()
    child.stderr?.destroy()
  }
  running.delete(child)
  const { passed = 0, failed = 0, skipped = [] } = counts ?? {}
  if (isKilled) {
    write(`\n✖ ${label} did not end in time, and was killed. It printed last:\n${printed}\n`)
    return { counts: { passed, failed: failed + 1, skipped }, isKilled, printed }
  }
  if (failed > 0 || code === 0) {
    if (failed > 0) write(`\n✖ ${label}\n`)
    return { counts: { passed, failed, skipped }, isKilled, printed }
  }
  write(`\n✖ ${label} ended with ${signal ?? `code ${code}`}\n`)
  return { counts: { passed, failed: 1, skipped }, isKilled, printed }
}

/** Kills it, its process group, and whatever descends from it: a test may have given a process a group of its own. */
function killWithChildren({ pid }: ChildProcess): void {
  if (pid === undefined) return
  const parents = parentOfEach()
  const doomed = new Set([pid])
  for (let size = 0; size !== doomed.size; ) {
    size = doomed.size
    for (const [child, parent] of parents) if (doomed.has(parent)) doomed.add(child)
  }
  for (const one of [-pid, ...doomed]) {
    try {
      process.kill(one, 'SIGKILL')
    } catch {
      // It has ended.
    }
  }
}

function parentOfEach(): [pid: number, parent: number][] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  return (stdout ?? '')
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number) as [number, number])
}

async function endsWithin(ends: Promise<unknown>, ms: number): Promise<boolean> {
  const timeout = Promise.withResolvers<false>()
  const timer = setTimeout(() => timeout.resolve(false), ms)
  const isEnded = await Promise.race([ends.then(() => true), timeout.promise])
  clearTimeout(timer)
  return isEnded
}

function toStdout(text: string): void {
  process.stdout.write(text)
}
