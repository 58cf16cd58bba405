/**
 * Runs a box and its change feed until a signal. `npm start` adds `--max-semi-space-size=4`, with which the idle process
 * takes 227 MB, and 276 without: V8 chooses this size by the machine's memory.
 */
import { reportAndExit } from './cli/exit.ts'
import { runBox } from './cli/serve.ts'

await runBox(process.env, { feedBeside: true }).catch(reportAndExit)
