/** Sentences that people at a gate did not understand at once, and those in their place: none of the old ones comes back. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'

const ROOT = join(import.meta.dirname, '../..')

/** The English sentences of the three apps, without comments. */
const SAID = globSync(
  ['{scanner-pwa,wallet-pwa,dashboard}/src/words/en/*.ts', 'proto/{verdict,refusal,map}-words/en.ts'],
  {
    cwd: ROOT,
  },
)
  .map((file) => readFileSync(join(ROOT, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, ''))
  .join('\n')

const CHANGED: readonly (readonly [old: string, now: string])[] = [
  ['Where do you stand?', 'Which checkpoint are you at?'],
  ['Blocked: blocked by the organiser.', 'Blocked by the organiser.'],
  ['No ticket of this event.', 'Not a ticket for this event.'],
  ['valid only until', 'Expired '],
  ['Alone: box unheard', 'Offline for '],
  ['The counts start anew and you are signed off.', 'Counts reset. You are signed out.'],
  ['Not taken by the box', 'Rejected by the box'],
  ['You have reported nothing.', 'No reports yet.'],
  ['It stands in the record with the reason.', 'The reason is recorded.'],
  ['This link opens no ticket', 'This link doesn’t work'],
  ["This ticket is this phone's own.", 'Locked to this phone.'],
  ['Opens: ', 'Access'],
  ['Somebody goes', 'Team sent'],
  ['Send others', 'Send another team'],
  ['Cancel it', 'Close as false alarm'],
  ['Look what would happen', 'Preview import'],
  ['nothing speaks against it', 'No problems found'],
  ['This box tells no headquarters', 'Not connected to headquarters'],
  ['Left. Goodbye.', 'Exit recorded. Goodbye.'],
  ['Their clock is wrong', 'Phone clock is wrong'],
  ['the icon opens without your ticket', 'it does not know your ticket yet'],
]

describe('what the apps say in English', () => {
  for (const [old, now] of CHANGED) {
    it(`"${now.trim()}" and not "${old.trim()}"`, () => {
      assert.ok(SAID.includes(now), `nothing says "${now}"`)
      assert.ok(!SAID.includes(old), `something says "${old}"`)
    })
  }
})
