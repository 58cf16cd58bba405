// Installs what package-lock.json names and what is not there: `node box/dev/setup.mjs` everything, with `--start` only what a box
// needs. `run.mjs` does it before every npm script, under whatever Node the machine has (20 or newer).
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as installed from './installed.mjs'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..')
const BINARIES = join(ROOT, 'node_modules/.bin')
const STAMP = join(ROOT, 'node_modules/.gatehouse.json')
/** npm writes it at the end of an installation. */
const NPMS_STAMP = join(ROOT, 'node_modules/.package-lock.json')

const AGAIN = 'Check the network or the setting of the npm registry, then run the same command again'

/** A PATH in which `node` is the project's, and each tool the installed one. */
export const PATH = `${BINARIES}:${process.env.PATH ?? ''}`

/**
 * Makes sure that the packages are there. Ends the process with a sentence where they cannot be.
 * @param {{tools: boolean}} needed `tools`: also what tests, checks and benches need
 */
export async function setup({ tools }) {
  const { platform, arch } = process
  const problem = installed.whyNotHere({ platform, arch, glibc: glibc(), node: process.versions.node })
  if (problem) stop(problem)
  const text = readFileSync(join(ROOT, 'package-lock.json'))
  const locked = () => JSON.parse(text.toString()).packages
  const packages = (tools) => installed.packagesFor(locked(), { platform, arch, tools })
  const missing = (tools) => installed.differences(packages(tools), versionIn).length
  const lock = createHash('sha256').update(text).digest('hex')
  const wanted = { lock, machine: `${platform}-${arch}`, tools }
  const stamp = readJson(STAMP)
  const isWhole = existsSync(NPMS_STAMP)
  const how = installed.howToInstall(stamp, wanted, { isWhole, differing: () => missing(tools) })
  if (how === 'current') return
  if (how === 'update' || how === 'anew') {
    // Tools that are there stay there: the next test needs them again.
    const withTools = tools || (how === 'update' && installed.hasTools(locked(), versionIn))
    await install(how, { tools: withTools, packages: packages(withTools), stamp })
  }
  linkNode(installed.folderOfNode(locked(), packages(false)))
  const found = installed.whyNodeFails(spawnSync(join(BINARIES, 'node'), ['--version'], { encoding: 'utf8' }))
  if (found) stop(found)
  writeFileSync(STAMP, `${JSON.stringify({ ...wanted, tools: tools || missing(true) === 0 })}\n`)
}

async function install(how, { tools, packages, stamp }) {
  const verb = how === 'anew' ? 'Installing' : 'Updating'
  console.log(`${verb} the packages of package-lock.json${tools ? '' : ' that a box needs'} ...`)
  if (how === 'update') writeFileSync(STAMP, JSON.stringify({ interrupted: true }))
  const progress = showProgress(() => packages.size - installed.differences(packages, versionIn).length, packages.size)
  const options = { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] }
  const npm = spawn('npm', installed.npmArguments(how, { tools }), options)
  npm.once('error', (error) => stop(`npm does not start: ${error.message}`))
  const release = passSignalsTo(npm)
  const status = await new Promise((resolve) => npm.once('close', resolve))
  release()
  progress.stop()
  if (status === 0) return
  if (how === 'anew') stop(`npm could not install the packages. ${AGAIN}.`)
  if (stamp) writeFileSync(STAMP, `${JSON.stringify(stamp)}\n`)
  else rmSync(STAMP, { force: true })
  const differing = installed.differences(packages, versionIn)
  stop(
    `npm could not update the packages, and left those that were there. ${differing.length} of ${packages.size} are not what this commit needs (${differing[0]}${differing.length > 1 ? ', ...' : ''}). ${AGAIN}, or go back to the commit that ran before.`,
  )
}

/**
 * Until the returned function is called, this process ends when the child has ended: npm first puts back what it has changed. An
 * interrupt from the keyboard reaches both by itself.
 */
export function passSignalsTo(child) {
  const handlers = {
    SIGINT: () => {},
    SIGTERM: () => child.kill('SIGTERM'),
    SIGHUP: () => child.kill('SIGHUP'),
  }
  for (const [signal, handler] of Object.entries(handlers)) process.on(signal, handler)
  return () => {
    for (const [signal, handler] of Object.entries(handlers)) process.off(signal, handler)
  }
}

/** npm 10, which comes with Node 20 and 22, leaves the link out: seen with 10.9.4, where the package is for one platform among several. */
function linkNode(folder) {
  const link = join(BINARIES, 'node')
  if (existsSync(link)) return
  mkdirSync(BINARIES, { recursive: true })
  rmSync(link, { force: true })
  symlinkSync(join('../..', folder, 'bin/node'), link)
}

/** Prints the number of packages that are there, every second in a terminal, and every ten in a log. */
function showProgress(count, all) {
  const { isTTY } = process.stdout
  const timer = setInterval(
    () => process.stdout.write(isTTY ? `\r  ${count()} of ${all} ` : `  ${count()} of ${all}\n`),
    isTTY ? 1000 : 10_000,
  )
  return {
    stop() {
      clearInterval(timer)
      if (isTTY) process.stdout.write('\r\x1b[K')
    },
  }
}

/** The version of glibc; undefined where the C library is another one. */
function glibc() {
  return process.platform === 'linux' ? process.report.getReport().header.glibcVersionRuntime : undefined
}

/** The version of the package in a folder of the project; undefined where there is none. */
function versionIn(folder) {
  return readJson(join(ROOT, folder, 'package.json'))?.version
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

function stop(problem) {
  console.error(problem)
  process.exit(1)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await setup({ tools: !process.argv.includes('--start') })
