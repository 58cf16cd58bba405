/** `gatehouse <command>`: the entry point of the operator's command line. */
import { runCommand } from './cli/commands.ts'
import { reportAndExit } from './cli/exit.ts'

try {
  if (!(await runCommand(process.argv.slice(2), process.env))) process.exitCode = 1
} catch (error) {
  reportAndExit(error)
}
