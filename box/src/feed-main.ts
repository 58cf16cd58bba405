/** `changefeed`: the change feed as a process of its own. */
import { runFeedCommand } from './feed/daemon-command.ts'

process.exitCode = await runFeedCommand(process.argv.slice(2), process.env)
