/** `gatehouse check-event`: every mistake in an event's folder, before the box has to refuse it. */
import { readConfig } from '../config.ts'
import { checkFolder } from '../event/check-folder.ts'
import { EventFileError, formatMistakes } from '../event/mistakes.ts'
import { type Command, JSON_OPTION } from './command.ts'

export const checkEvent: Command = {
  usage: 'check-event [FOLDER]',
  summary: "list every mistake in an event's folder",
  operands: 1,
  options: JSON_OPTION,
  async run({ values, positionals: [folder], environment }) {
    const from = folder ?? readConfig(environment).eventDir
    try {
      const event = await checkFolder(from)
      const { id, name, warnings } = event
      if (values.json) console.log(JSON.stringify({ ok: true, id, name, mistakes: [], warnings }))
      else {
        if (warnings.length > 0) console.log(`${formatMistakes(warnings)}\n`)
        const { tiers, zones, gates, checkpoints } = event
        console.log(
          `${name}: ${tiers.length} tiers, ${zones.length} zones, ${gates.length} gates, ${checkpoints.length} checkpoints. No mistake.`,
        )
      }
      return true
    } catch (error) {
      if (!(error instanceof EventFileError)) throw error
      if (values.json) console.log(JSON.stringify({ ok: false, mistakes: error.mistakes }))
      else console.log(error.message)
      return false
    }
  },
}
