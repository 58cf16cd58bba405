/**
 * Runs a box and its change feed until a signal. `npm start` adds `--max-semi-space-size=4`: V8 chooses this size by the
 * machine's memory otherwise, and the idle process then takes 276 MB where it takes 227.
 */
import { reportAndExit } from './cli/exit.ts'
import { runBox } from './cli/serve.ts'

await runBox(process.env, { feedBeside: true }).catch(reportAndExit)
