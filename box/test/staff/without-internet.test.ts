/**
 * Issue 23, "what must be seen", 1: each way in while the internet is cut off from the box. The tests of each way run once more in a
 * network of their own, in which there is nothing but loopback: no box in there can reach anybody outside of this machine.
 * e2e/staff-without-internet.e2e.ts does it in the browser.
 */
import assert from 'node:assert/strict'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { nodeCutOff, whyNotCutOff } from '../world/cut-off.ts'

const WAYS: readonly [file: string, test: string][] = [
  ['sessions.test.ts', 'takes name and PIN, the name in any case and with any blanks, and says who it is'],
  ['tablets.test.ts', 'is paired by a link, signs what it asks, and acts as the person it is paired with'],
  ['passkeys.test.ts', 'are added with the PIN, and open a session like any other; the record has the passkey'],
  ['oidc.test.ts', 'stops nobody but those who come by it, and is asked again when it is back'],
]

describe('where the internet is cut off from the box', { skip: whyNotCutOff() }, () => {
  it('there is nothing but loopback', async () => {
    const stdout = await nodeCutOff('-p', 'JSON.stringify(Object.keys(require("node:os").networkInterfaces()))')
    assert.deepEqual(JSON.parse(stdout), ['lo'])
    assert.ok(Object.keys(networkInterfaces()).includes('lo'))
  })

  for (const [file, name] of WAYS)
    it(`${file.replace('.test.ts', '')}: ${name}`, async () => {
      const pattern = `--test-name-pattern=${name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}`
      const stdout = await nodeCutOff('--test', '--test-reporter=tap', pattern, join(import.meta.dirname, file))
      // A name that no test has would pass as well.
      assert.match(stdout, /^# pass 1$/m, stdout)
      assert.match(stdout, /^# fail 0$/m)
    })
})
