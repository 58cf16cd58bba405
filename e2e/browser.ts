/**
 * The Chromium that the tests of the apps drive: Debian's own where it is or can be, and Playwright's elsewhere. `CHROME_PATH`
 * names another one.
 */
import { type SpawnOptions, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'

const DEBIAN = '/usr/bin/chromium'

/** There is no browser, and none could be installed; the message says what to do. */
export class NoBrowser extends Error {
  override readonly name = 'NoBrowser'
}

/** Flags of every launch. A service worker needs a certificate that the browser itself takes: `ignoreHTTPSErrors` is not enough. */
export const FLAGS: readonly string[] = [
  '--ignore-certificate-errors',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Chromium's sandbox refuses to run as root, which is what a container is.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
]

/** Path of the browser; undefined where there is none. */
export function foundBrowser(): string | undefined {
  const named = process.env.CHROME_PATH
  return [...(named ? [named] : [DEBIAN]), chromium.executablePath()].find(existsSync)
}

/** Path of the browser. @throws NoBrowser when `installBrowser` has not been run */
export function browserPath(): string {
  const found = foundBrowser()
  if (found !== undefined) return found
  throw new NoBrowser('There is no Chromium on this machine. "npm run test:e2e" installs one.')
}

/** Makes sure that there is a browser. @throws NoBrowser */
export async function installBrowser(): Promise<void> {
  const named = process.env.CHROME_PATH
  if (named && !existsSync(named)) throw new NoBrowser(`CHROME_PATH is ${named}, and there is no such file.`)
  if (named || existsSync(DEBIAN) || existsSync(chromium.executablePath())) return
  if (isDebian() && process.getuid?.() === 0) {
    console.log("Installing Debian's Chromium, once (about 100 MB) ...")
    const packages = ['chromium', 'fonts-dejavu-core']
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const installed =
      (await run('apt-get', ['update', '-qq'], { env })) &&
      (await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], { env }))
    if (installed && existsSync(DEBIAN)) return
    throw new NoBrowser(
      'apt-get could not install chromium. Check the network and the package sources, then try again.',
    )
  }
  console.log("Installing Playwright's Chromium, once (about 150 MB) ...")
  const cli = join(import.meta.dirname, '../node_modules/@playwright/test/cli.js')
  const installed = await run(process.execPath, [cli, 'install', 'chromium'])
  if (installed && existsSync(chromium.executablePath())) return
  const debian = 'as root: apt-get install chromium fonts-dejavu-core'
  throw new NoBrowser(
    `No Chromium could be installed. Install one yourself (${isDebian() ? debian : 'npx playwright install chromium'}), or name one with CHROME_PATH.`,
  )
}

function isDebian(): boolean {
  return existsSync('/etc/os-release') && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'))
}

/** Its output is progress. True when it ended well. */
function run(command: string, args: readonly string[], options: SpawnOptions = {}): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options })
    child.once('error', () => resolve(false))
    child.once('close', (status) => resolve(status === 0))
  })
}
