/**
 * Runs a box and its change feed until a signal. `npm start` adds `--max-semi-space-size=16`: the idle process then takes
 * 230 MB of memory; without it 350 MB, because V8 chooses its sizes by the machine's memory.
 */
import { reportAndExit } from './cli/exit.ts'
import { runBox } from './cli/serve.ts'

await runBox(process.env, { feedBeside: true }).catch(reportAndExit)
