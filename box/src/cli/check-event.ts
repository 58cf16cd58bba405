/** `gatehouse check-event`: lists every mistake in an event's folder, before the box has to refuse it. */
import { checkFolder } from '../boot/check-folder.ts'
import { readConfig } from '../config.ts'
import { EventFileError, formatMistakes } from '../event/mistakes.ts'
import { MappingError } from '../shop/mapping.ts'
import { mappingMistake } from '../shop/mapping-codes.ts'
import { MAPPING_FILE, openIn, readMapping } from '../shop/pretix/mapping.ts'
import { type Command, JSON_OPTION } from './command.ts'

export const checkEvent: Command = {
  usage: 'check-event [FOLDER] [--json]',
  summary: "check an event's folder, and list every mistake in it",
  details: `FOLDER is the folder with event.json (default: the one that GATEHOUSE_EVENT_DIR names). Nothing is changed.`,
  statuses: { 0: 'no mistake', 1: 'there are mistakes; all of them are listed' },
  examples: ['gatehouse check-event ./my-festival'],
  operands: 1,
  options: JSON_OPTION,
  async run({ values, positionals: [folder], environment }) {
    const from = folder ?? readConfig(environment).eventDir
    try {
      const event = await checkFolder(from)
      const mapping = readMapping(from, event)
      const open = mapping ? openIn(mapping, event) : []
      const { id, name, warnings } = event
      if (values.json) console.log(JSON.stringify({ ok: true, id, name, mistakes: [], warnings, mapping: open }))
      else {
        for (const line of open) console.log(`pretix.yaml: ${line}`)
        if (warnings.length > 0) console.log(`${formatMistakes(warnings)}\n`)
        const { tiers, zones, gates, checkpoints } = event
        console.log(
          `${name}: ${tiers.length} ticket types, ${zones.length} zones, ${gates.length} gates, ${checkpoints.length} checkpoints. No mistake.`,
        )
      }
      return true
    } catch (error) {
      if (error instanceof MappingError) {
        console.log(
          values.json ? JSON.stringify({ ok: false, mistakes: [mappingMistake(error, MAPPING_FILE)] }) : error.message,
        )
        return false
      }
      if (!(error instanceof EventFileError)) throw error
      if (values.json) console.log(JSON.stringify({ ok: false, mistakes: error.mistakes }))
      else console.log(error.message)
      return false
    }
  },
}
