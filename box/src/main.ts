/**
 * One box with its change feed beside it, until it is told to stop. `npm start` runs it with `--max-semi-space-size=16`: at
 * rest it then keeps 230 MB, and 350 without, where V8 sizes itself by a large machine.
 */
import { reportAndExit } from './cli/exit.ts'
import { runBox } from './cli/serve.ts'

await runBox(process.env, { feedBeside: true }).catch(reportAndExit)
