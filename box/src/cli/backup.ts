/** `gatehouse backup`: everything that this box is, in one file, also beside a running box. */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { discard, stageBackup, writeBackup } from '../backup/backup.ts'
import { readConfig } from '../config.ts'
import { type Command, JSON_OPTION } from './command.ts'
import { Unanswered } from './exit.ts'
import { UsageError } from './usage.ts'

export const backup: Command = {
  usage: 'backup [FILE | FOLDER]',
  summary: 'copy everything that this box is into one file',
  details: `  Ledger, authority, keys, admin token and event folder, as they are at one moment; works beside a running box, and no
  scan waits. Whoever has the file has the box: keep it as you would keep the box. It needs as much free room in the data
  folder as the ledger takes. "gatehouse restore" puts it back. Default: a file here, named after event, box and time.`,
  operands: 1,
  options: { ...JSON_OPTION },
  async run({ values, positionals: [to = '.'], environment }) {
    const { dataDir, eventDir } = readConfig(environment)
    // Not made as a side effect: an empty backup would be found out on the day that it is needed.
    if (!existsSync(join(dataDir, 'ledger.db'))) {
      throw new Unanswered(`There is no ledger in ${dataDir}: name the box's folder with GATEHOUSE_DATA_DIR.`)
    }
    const staged = await stageBackup({ dataDir, eventDir, now: Date.now() })
    try {
      const file = statSync(to, { throwIfNoEntry: false })?.isDirectory() ? join(to, staged.name) : to
      if (existsSync(file)) throw new UsageError(`${file} is there already: name another file.`)
      await writeBackup(staged, file)
      const { entries, files } = staged.manifest
      const bytes = statSync(file).size
      if (values.json) console.log(JSON.stringify({ file, bytes, entries, files: files.length }))
      else console.log(`${file}: ${entries} entries and ${files.length} files, ${(bytes / 1e6).toFixed(1)} MB.`)
    } finally {
      await discard(staged)
    }
    return true
  },
}
