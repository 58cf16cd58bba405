// Installs what the lock file names, when it is newer than what is installed. Runs before every npm script, under
// whatever Node the machine has (20 or newer); everything after it runs the Node that this step installed.
import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(fileURLToPath(import.meta.url))
const modified = (path) => statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0

if (modified('package-lock.json') > modified('node_modules/.package-lock.json')) {
  // No package needs its install script: binaries come inside the packages. npm would otherwise compile better-sqlite3
  // because it ships a binding.gyp, although it ships the compiled files beside it.
  console.log('Installing the packages of package-lock.json ...')
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (status !== 0) {
    console.error('npm ci failed. Check the network or the npm registry setting, then run the same command again.')
    process.exit(1)
  }
}
