/**
 * Run once at each start, before network and box: applies `gatehouse.toml`; with `--running` when the guide has made the first event.
 * A test sets GATEHOUSE_SETUP_ROOT to a folder that is used in place of `/`.
 */
import { applySettings } from './apply.ts'

// One line for each problem, on the console and in the log. It never quotes the file, because there are passwords in it.
const isRunning = process.argv.includes('--running')
for (const { where, message } of await applySettings(process.env.GATEHOUSE_SETUP_ROOT ?? '/', { isRunning }))
  console.log(`gatehouse.toml: ${where} ${message}`)
