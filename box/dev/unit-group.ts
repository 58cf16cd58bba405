/**
 * `node box/dev/unit-group.ts FILE...`: the tests of these files in this one process; `test.ts` starts a few. A third of what
 * unit tests cost is the start of Node, the loading of what they import, and its compilation, which the files of a process share.
 */
import { run } from 'node:test'
import report from './file-reporter.ts'

const events = run({ files: process.argv.slice(2), isolation: 'none', timeout: 300_000 })
for await (const text of report(events)) process.stdout.write(text)
process.exit()
