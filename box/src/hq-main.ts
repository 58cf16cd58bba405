/** `gatehouse-hq`: HQ as a process of its own. */
import { runHqCommand } from './hq/command.ts'

process.exitCode = await runHqCommand(process.argv.slice(2), process.env)
