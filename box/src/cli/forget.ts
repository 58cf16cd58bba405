/** `gatehouse forget --names`: after the event, the ledger forgets people, and keeps what happened. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { readConfig } from '../config.ts'
import { readEvent } from '../event/event.ts'
import { COMMAND_LINE } from '../http/actor.ts'
import { openLedger } from '../ledger/open.ts'
import { countPersonal, forgetNames, type Personal } from '../tickets/forget.ts'
import { FOLDER_FILES } from '../tickets/import-folder.ts'
import { type Command, JSON_OPTION, textOf } from './command.ts'
import { UsageError } from './usage.ts'

export const forget: Command = {
  usage: 'forget --names [--yes]',
  summary: "forget holders' names, e-mail addresses and notes, for good",
  details: `  Says first how many there are. The journal has none of them: it verifies as before, and so does every export.
  Later imports bring no name back. Works beside a running box, which waits while the file is written anew.
  Exit status 1: nothing was changed, because nobody said yes or the event is not over.`,
  operands: 0,
  options: {
    names: { type: 'boolean', description: 'what to forget: everything that names a person' },
    yes: { type: 'boolean', description: 'do it without asking, for scripts' },
    early: { type: 'boolean', description: 'also before the event is over' },
    actor: { type: 'string', description: 'who decided it, for the journal (default: admin)' },
    ...JSON_OPTION,
  },
  async run({ values, environment }) {
    if (values.names !== true) throw new UsageError('Say what to forget: gatehouse forget --names')
    const config = readConfig(environment)
    const event = await readEvent(config.eventDir)
    if (!existsSync(join(config.dataDir, 'ledger.db'))) {
      throw new UsageError(`There is no ledger in ${config.dataDir}: name its folder, GATEHOUSE_DATA_DIR.`)
    }
    const { ledger } = openLedger({ dataDir: config.dataDir, eventId: event.id, wallClock: Date.now })
    using _closing = ledger
    const found = countPersonal(ledger.db)
    const say = (done: boolean, counts: Personal) =>
      console.log(values.json ? JSON.stringify({ forgotten: done, ...counts }) : describe(done, counts))
    if (Date.parse(event.ends_at) > Date.now() && values.early !== true) {
      say(false, found)
      console.error(`The event ends at ${event.ends_at}: gates may still need names. With --early it is done now.`)
      return false
    }
    if (values.yes !== true && !(await isMeant(found))) {
      say(false, found)
      return false
    }
    say(true, forgetNames(ledger, { ...COMMAND_LINE, actor: textOf(values.actor) ?? COMMAND_LINE.actor }, Date.now))
    for (const name of FOLDER_FILES) {
      const file = join(config.eventDir, name)
      if (existsSync(file)) console.error(`${file} is still there, with all that is in it: remove it yourself.`)
    }
    return true
  },
}

/** Only somebody at a keyboard can be asked; a script says --yes. */
async function isMeant(found: Personal): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await terminal.question(
      `${describe(false, found)} This cannot be taken back. Type "forget" to go on: `,
    )
    return answer.trim() === 'forget'
  } finally {
    terminal.close()
  }
}

function describe(done: boolean, { names, emails, incident_notes, flag_notes }: Personal): string {
  const counts = `${names} names, ${emails} e-mail addresses, ${incident_notes + flag_notes} notes`
  return done ? `Forgotten: ${counts}.` : `To forget: ${counts}. Nothing was changed.`
}
