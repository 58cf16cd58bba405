/** Runs the tests of the apps in a browser, and counts them. `node box/dev/test.ts e2e` is how they are run; `npm test` does it last. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { JSONReport } from '@playwright/test/reporter'
import { installBrowser, NoBrowser } from './browser.ts'

const REPORTS = join(import.meta.dirname, '../.reports')
/** Tag of a test that only the full form has, or somebody who names its file. */
export const FULL = '@full'
/** Playwright's results, from which the tests are counted. */
export const RESULTS = join(REPORTS, 'e2e.json')

export interface Outcome {
  passed: number
  failed: number
  skipped: string[]
  /** Places of the tests that failed, as `file.e2e.ts:12`, and what each said. */
  failures: { place: string; message: string }[]
}

/** Of some 170 tests, five have failed on a busy machine at once. More than this have one cause, and it is not the machine. */
const AGAIN_AT_MOST = 10

/**
 * A test that fails beside others runs once more, alone, as box/dev/again-alone.ts does it with files.
 * @param args for `playwright test`, such as names of files. A machine without a browser fails, and is told what to do.
 * @returns with a report of what failed; empty where nothing did
 */
export async function runBrowserTests(
  args: readonly string[] = [],
): Promise<Pick<Outcome, 'passed' | 'failed' | 'skipped'> & { report: string }> {
  try {
    await installBrowser()
  } catch (error) {
    if (!(error instanceof NoBrowser)) throw error
    console.error(error.message)
    return { passed: 0, failed: 1, skipped: [], report: error.message }
  }
  const { failures, ...first } = await playwright(args)
  const report = failures.map(({ place, message }) => `${place} failed: ${message}`).join('\n\n')
  const isRepeated = failures.length > 0 && failures.length === first.failed && failures.length <= AGAIN_AT_MOST
  if (!isRepeated) return { ...first, report }
  const alone = ['--workers=1', `--output=${join(REPORTS, 'e2e-alone')}`]
  const second = await playwright([...failures.map(({ place }) => place), ...alone])
  const end = second.failed === 0 ? 'Alone it passed: look for its cause.' : 'It failed alone as well.'
  return { ...first, passed: first.passed + second.passed, failed: second.failed, report: `${report}\n${end}` }
}

async function playwright(args: readonly string[]): Promise<Outcome> {
  rmSync(RESULTS, { force: true })
  const root = join(import.meta.dirname, '..')
  const cli = join(root, 'node_modules/@playwright/test/cli.js')
  const config = join(import.meta.dirname, 'playwright.config.ts')
  const child = spawn(process.execPath, [cli, 'test', '--config', config, ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const status = await new Promise((resolve) => child.once('close', resolve))
  const outcome = existsSync(RESULTS) ? outcomeOf(JSON.parse(readFileSync(RESULTS, 'utf8'))) : undefined
  if (outcome && (status === 0) === (outcome.failed === 0)) return outcome
  // It ended without a count that agrees with its end: a configuration that does not load, a file without tests.
  const { passed = 0, failed = 0, skipped = [] } = outcome ?? {}
  return { passed, failed: Math.max(1, failed), skipped, failures: [] }
}

export function outcomeOf({ stats, suites, errors }: JSONReport): Outcome {
  const specs = suites.flatMap(specsOf)
  const failed = specs.filter(({ ok, tests }) => !ok && tests.some(({ status }) => status === 'unexpected'))
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    skipped: specs.filter(({ tests }) => tests.some(({ status }) => status === 'skipped')).map(({ title }) => title),
    failures: failed.map(({ file, line, title, tests }) => {
      const said = tests.flatMap(({ results }) => results.flatMap(({ error }) => error?.message ?? []))
      return { place: `${file}:${line}`, message: [title, ...said].join('\n') }
    }),
  }
}

function specsOf({ specs, suites = [] }: JSONReport['suites'][number]): JSONReport['suites'][number]['specs'] {
  return [...specs, ...suites.flatMap(specsOf)]
}
