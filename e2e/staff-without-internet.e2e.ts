/**
 * Issue 23, "what must be seen", 1: each way in, in the browser, while the internet is cut off from the box. The tests of each way run
 * once more, browser and box together, in a network in which there is nothing but loopback (box/test/staff/without-internet.test.ts
 * looks). The provider is in there too, and goes away in the middle; everybody else is out of reach from the start.
 */
import { join } from 'node:path'
import { nodeCutOff, whyNotCutOff } from '../box/test/world/cut-off.ts'
import { expect, test } from './gate.ts'
import { outcomeOf } from './run.ts'

const WAYS: readonly [file: string, test: string][] = [
  ['staff.e2e.ts', 'people sign in with name and PIN, and each sees and does what the role has'],
  ['staff-tablet.e2e.ts', 'an admin makes a link; a tablet that opens it is signed in, signs what it sends'],
  ['staff-passkey.e2e.ts', 'somebody adds a passkey, signs in with it without internet'],
  ['staff-oidc.e2e.ts', "people sign in on the provider's page, and with a PIN when it is away"],
]
const CLI = join(import.meta.dirname, '../node_modules/@playwright/test/cli.js')
const CONFIG = join(import.meta.dirname, 'playwright.config.ts')

const skip = whyNotCutOff()

for (const [file, name] of WAYS)
  test(`where the internet is cut off from the box: ${name}`, async () => {
    test.skip(skip !== false, String(skip))
    const output = `--output=${test.info().outputPath('inside')}`
    const options = ['--config', CONFIG, '--workers=1', '--reporter=json', output]
    const printed = await nodeCutOff(CLI, 'test', ...options, `/${file}`, '--grep', name)
    // One that is skipped in there has shown nothing.
    expect(outcomeOf(JSON.parse(printed))).toEqual({ passed: 1, failed: 0, skipped: [], failures: [] })
  })
