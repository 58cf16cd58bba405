/**
 * Run once at each start, before network and box: applies `gatehouse.toml`. A test sets GATEHOUSE_SETUP_ROOT to a folder that is used
 * in place of `/`.
 */
import { applySettings } from './apply.ts'

// One line for each problem, on the console and in the log. It never quotes the file, because there are passwords in it.
for (const { where, message } of await applySettings(process.env.GATEHOUSE_SETUP_ROOT ?? '/'))
  console.log(`gatehouse.toml: ${where} ${message}`)
