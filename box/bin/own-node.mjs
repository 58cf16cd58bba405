// Runs one of the commands under the Node that the project brings, whatever Node the machine started it with.
import { spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const own = join(here, '../../node_modules/.bin/node')

/**
 * @param {string} command its name, for whom its packages are missing
 * @param {string} source its file in `box/src/`
 */
export async function runUnderOwnNode(command, source) {
  const path = join(here, '../src', source)
  const isInstalled = existsSync(own)
  if (isInstalled && realpathSync(own) !== realpathSync(process.execPath)) {
    const child = spawn(own, [...process.execArgv, path, ...process.argv.slice(2)], { stdio: 'inherit' })
    // A person who stops this process means the command. An interrupt from the keyboard reaches both by itself.
    process.on('SIGTERM', () => child.kill('SIGTERM'))
    process.on('SIGINT', () => {})
    child.on('exit', (status) => {
      process.exitCode = status ?? 2
    })
  } else if (isInstalled || Number(process.versions.node.split('.')[0]) >= 24) {
    // The card has no node_modules/.bin: its one Node is the project's.
    await import(path)
  } else {
    console.error(`${command} needs its packages: run "npm run setup" in the project, then try again.`)
    process.exitCode = 2
  }
}
