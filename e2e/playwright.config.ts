import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { FLAGS, foundBrowser } from './browser.ts'
import { RESULTS } from './run.ts'
import { PLAIN_HOST } from './world.ts'

const LONGEST = 'two-boxes.e2e.ts'
/** A name under which a browser finds the box without TLS. */
const PLAIN = `--host-resolver-rules=MAP ${PLAIN_HOST} 127.0.0.1`
/** The check for unused code reads this file also where there is no browser. */
const browser = foundBrowser()
const reports = join(import.meta.dirname, '../.reports')

export default defineConfig({
  testDir: import.meta.dirname,
  // In this order: what takes longest begins first, and the end does not wait for it.
  projects: [
    { name: 'two boxes', testMatch: LONGEST },
    { name: 'one box', testMatch: '*.e2e.ts', testIgnore: LONGEST },
  ],
  // A test brings its own box and its own phones, and waits often: two processors are busy with three of them.
  fullyParallel: true,
  workers: 3,
  // run.ts repeats what failed, alone and after all others.
  retries: 0,
  forbidOnly: true,
  timeout: 180_000,
  expect: { timeout: 20_000 },
  outputDir: join(reports, 'e2e'),
  reporter: [['list'], ['json', { outputFile: RESULTS }]],
  use: {
    actionTimeout: 20_000,
    navigationTimeout: 30_000,
    screenshot: 'only-on-failure',
    launchOptions: { ...(browser !== undefined && { executablePath: browser }), args: [...FLAGS, PLAIN] },
    ignoreHTTPSErrors: true,
    locale: 'en-GB',
    timezoneId: 'Europe/Lisbon',
  },
})
