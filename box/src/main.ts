/** `npm start`, and the service on the image: one box, until it is told to stop. */
import { reportAndExit } from './cli/exit.ts'
import { runBox } from './cli/serve.ts'

await runBox(process.env).catch(reportAndExit)
