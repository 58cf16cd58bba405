// `node box/dev/run.mjs [--start] COMMAND ...`: installs the packages that are missing, with `--start` only those that a box needs, then
// runs the command with the project's own Node. Every npm script begins with it and none has a `pre` script, which npm leaves out for
// people who turned scripts of packages off (ignore-scripts).
import { spawn } from 'node:child_process'
import { PATH, passSignalsTo, setup } from './setup.mjs'

const [first, ...rest] = process.argv.slice(2)
const isStart = first === '--start'
const [command, ...args] = isStart ? rest : [first, ...rest]
if (command === undefined) {
  console.error('node box/dev/run.mjs [--start] COMMAND ...')
  process.exit(2)
}

/** Interval of checks whether the shell has ended, ms. */
const LOOK_MS = 500

const parent = process.ppid
await setup({ tools: !isStart })
const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, PATH } })
passSignalsTo(child)
// npm runs a script in a shell, and passes a SIGTERM to that alone: the shell ends, and tells nobody.
if (process.env.npm_lifecycle_event !== undefined) {
  const looking = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(looking)
    child.kill('SIGTERM')
  }, LOOK_MS).unref()
}
child.once('error', (error) => {
  console.error(`${command} does not start: ${error.message}`)
  process.exitCode = 1
})
child.once('exit', (status) => {
  process.exitCode = status ?? 1
})
