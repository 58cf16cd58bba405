/** `npm run pictures`: every screen of the apps, and the first hour (`hour-*.png`), into .reports/pictures/, and the five that README and documents show into e2e/pictures/. */
import { copyFileSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { build } from '../box/dev/build.ts'
import { runBrowserTests } from './run.ts'

/** Folder in which the tests of the screens leave theirs: `<app>-<screen>-<theme>.png`. */
export const PICTURES = join(import.meta.dirname, '../.reports/pictures')

const SHOWN = [
  'scanner-verdict-used-light',
  'scanner-alone-light',
  'wallet-ticket-light',
  'dashboard-overview-dark',
  'dashboard-pretixscan-light',
]
/** A README that takes seconds to load is read by nobody. */
const MOST_BYTES = 150_000

if (import.meta.main) {
  await build()
  const { failed } = await runBrowserTests(['screens', 'pretixscan', 'first-hour', 'own-event', 'trust'])
  const into = join(import.meta.dirname, 'pictures')
  mkdirSync(into, { recursive: true })
  for (const name of SHOWN) {
    const from = join(PICTURES, `${name}.png`)
    const { size } = statSync(from)
    if (size > MOST_BYTES) throw new Error(`${name}.png has ${size} bytes; ${MOST_BYTES} is the most.`)
    copyFileSync(from, join(into, `${name}.png`))
    console.log(`e2e/pictures/${name}.png  ${Math.round(size / 1000)} kB`)
  }
  process.exitCode = failed > 0 ? 1 : 0
}
