/** Runs the tests of the apps in a browser, and counts them. `node box/dev/test.ts e2e` is how they are run; `npm test` does it last. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { JSONReport } from '@playwright/test/reporter'
import { installBrowser, NoBrowser } from './browser.ts'

/** Playwright's results, from which the tests are counted. */
export const RESULTS = join(import.meta.dirname, '../.reports/e2e.json')

export interface Outcome {
  passed: number
  failed: number
  skipped: string[]
}

/** @param args for `playwright test`, such as names of files. A machine without a browser fails, and is told what to do. */
export async function runBrowserTests(args: readonly string[] = []): Promise<Outcome> {
  try {
    await installBrowser()
  } catch (error) {
    if (!(error instanceof NoBrowser)) throw error
    console.error(error.message)
    return { passed: 0, failed: 1, skipped: [] }
  }
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
  return { passed: outcome?.passed ?? 0, failed: Math.max(1, outcome?.failed ?? 0), skipped: outcome?.skipped ?? [] }
}

/** A test that passed at a second attempt has not passed. */
export function outcomeOf({ stats, suites, errors }: JSONReport): Outcome {
  const titles = (suite: JSONReport['suites'][number]): string[] => [
    ...suite.specs.filter((spec) => spec.tests.some((test) => test.status === 'skipped')).map((spec) => spec.title),
    ...(suite.suites ?? []).flatMap(titles),
  ]
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    skipped: suites.flatMap(titles),
  }
}
