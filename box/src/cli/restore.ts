/** `gatehouse restore`: a box as it was, on this machine. */
import { restoreBackup } from '../backup/restore.ts'
import { readConfig } from '../config.ts'
import { type Command, JSON_OPTION, textOf } from './command.ts'
import { UsageError } from './usage.ts'

export const restore: Command = {
  usage: 'restore FILE [--replace]',
  summary: 'put a backup back, on a machine whose box is not running',
  details: `  Checked as a whole before anything is in place. The box goes on under its own name and keys, and begins a new
  incarnation (one of several boxes: under a new name, see box/docs/mesh.md): scanners and receivers of the change feed take nothing for known that came after the backup. Scanners that
  admitted people since then send what they have; what only the lost ledger had is lost.`,
  operands: 1,
  options: {
    replace: { type: 'boolean', description: 'move what is in the data folder aside, into replaced-<time>' },
    actor: { type: 'string', description: 'who does it, for the record (default: admin)' },
    ...JSON_OPTION,
  },
  async run({ values, positionals: [file], environment }) {
    if (file === undefined) throw new UsageError('Name the backup: gatehouse restore FILE')
    const { dataDir, eventDir } = readConfig(environment)
    const actor = textOf(values.actor) ?? 'admin'
    const restored = await restoreBackup(file, {
      ...{ dataDir, eventDir, now: Date.now, replace: values.replace === true, actor },
    })
    const { manifest, movedTo, keptEvent, boxId } = restored
    if (values.json) {
      console.log(
        JSON.stringify({
          ...manifest,
          files: manifest.files.length,
          now_box_id: boxId,
          moved_to: movedTo ?? null,
          kept_event: keptEvent,
        }),
      )
      return true
    }
    console.log(
      `${manifest.box_id} of ${manifest.event_id} is back as it was at ${manifest.made_at}, ${manifest.entries} entries.`,
    )
    if (boxId !== manifest.box_id) {
      console.log(`It was one of several boxes, and goes on as ${boxId}: its old name stays with what it had written.`)
    }
    if (movedTo) console.log(`What was here before is in ${movedTo}.`)
    if (keptEvent)
      console.log(`${eventDir} was here already, and is as it was; the backup's own event folder is not in place.`)
    return true
  },
}
