/** `gatehouse forget --names`: erases personal data from the ledger after the event, and keeps the record of what happened. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type By, COMMAND_LINE } from '../ca/actor.ts'
import { readConfig } from '../config.ts'
import { EVACUATION_FOLDER, forgetNames } from '../paper/evacuation-keeper.ts'
import { countPersonalData, erasePersonalData, type PersonalData, rewriteFile } from '../tickets/erasure.ts'
import { forgetHolder } from '../tickets/forget-holder.ts'
import { FOLDER_FILES } from '../tickets/import-folder.ts'
import { noSuchTicket } from '../tickets/tickets.ts'
import { UsageError } from '../usage.ts'
import { answerTo, type Command, JSON_OPTION, textOf, type Values } from './command.ts'
import { type Opened, openBeside, ticketsOf } from './opened.ts'

export const forget: Command = {
  usage: 'forget --names | --ticket CODE [--yes] [OPTIONS]',
  summary: "erase holders' names, e-mail addresses and notes, for good",
  details: `With --names, those of all tickets: counts them first, and asks. With --ticket, those of one ticket, at any time: the ticket stays
valid, and what happened to it stays on record. The journal contains none of them, so journal and exports verify as before. Later imports
bring no name back. The box may be running; it waits while the file is rewritten.`,
  statuses: { 1: 'nothing was changed: it was not confirmed, or the event is not over' },
  examples: ['gatehouse forget --names', 'gatehouse forget --ticket ABCDE-1'],
  operands: 0,
  options: {
    names: { type: 'boolean', description: 'erase everything that names a person' },
    ticket: {
      type: 'string',
      value: 'CODE',
      description: 'erase what names the holder of one ticket: its printed code, reference or ticket id',
    },
    yes: { type: 'boolean', description: 'do not ask, for scripts' },
    early: { type: 'boolean', description: 'allow it before the event is over' },
    actor: { type: 'string', value: 'NAME', description: 'your name, for the journal (default: admin)' },
    ...JSON_OPTION,
  },
  async run({ values, environment }) {
    const ticket = textOf(values.ticket)
    if ((values.names === true) === (ticket !== undefined)) {
      throw new UsageError('Say what to forget: gatehouse forget --names, or --ticket CODE for one person')
    }
    const config = readConfig(environment)
    if (!existsSync(join(config.dataDir, 'ledger.db'))) {
      throw new UsageError(`There is no ledger in ${config.dataDir}: name the box's folder with GATEHOUSE_DATA_DIR.`)
    }
    using opened = await openBeside(config)
    const by = { ...COMMAND_LINE, actor: textOf(values.actor) ?? COMMAND_LINE.actor }
    const sheet = join(config.dataDir, EVACUATION_FOLDER)
    if (ticket !== undefined) return await forgetOne(ticket, by, opened, { values, sheet })
    const { event, ledger } = opened
    const found = countPersonalData(ledger.db)
    const say = (done: boolean, counts: PersonalData) =>
      console.log(values.json ? JSON.stringify({ forgotten: done, ...counts }) : describe(done, counts))
    if (Date.parse(event.ends_at) > Date.now() && values.early !== true) {
      say(false, found)
      console.error(`The event ends at ${event.ends_at}, and gates may still need names. Add --early to do it now.`)
      return false
    }
    if (values.yes !== true && !(await isConfirmed(describe(false, found)))) {
      say(false, found)
      return false
    }
    say(true, erasePersonalData(ledger, by, Date.now))
    await forgetNames(sheet)
    for (const name of FOLDER_FILES) {
      const file = join(config.eventDir, name)
      if (existsSync(file)) console.error(`${file} still exists and may name people: remove it yourself.`)
    }
    return true
  },
}

/** Prints the ticket's reference alone: whoever asked knows the rest. @param sheet folder of the evacuation sheet */
async function forgetOne(
  id: string,
  by: By,
  opened: Opened,
  { values, sheet }: { values: Values; sheet: string },
): Promise<boolean> {
  const { tickets, codes } = await ticketsOf(opened)
  const say = (done: boolean, ref: string | null, text: string) =>
    console.log(values.json ? JSON.stringify({ forgotten: done, ticket: ref }) : text)
  const found = tickets.lookUp(id, codes)
  if (!found) throw noSuchTicket()
  const question = `To forget: who holds ticket ${found.ref}.`
  if (values.yes !== true && !(await isConfirmed(question))) {
    say(false, found.ref, `${question} Nothing was changed.`)
    return false
  }
  const { ref, isNew } = forgetHolder(id, by, { ledger: opened.ledger, tickets, codes, now: Date.now })
  // The box writes another one, of the others, within minutes.
  await forgetNames(sheet)
  if (Date.parse(opened.event.ends_at) <= Date.now()) rewriteFile(opened.ledger.db)
  else
    console.error(
      'Traces may be left in unused parts of the file. Do it again after the event: then the file is rewritten.',
    )
  say(
    true,
    ref,
    isNew ? `Forgotten: who holds ticket ${ref}.` : `Nobody is named by ticket ${ref}: it was forgotten before.`,
  )
  return true
}

/** Asks for confirmation on a terminal; without one, the answer is no. */
async function isConfirmed(question: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false
  const answer = await answerTo(`${question} This cannot be undone. Type "forget" to continue: `)
  return answer === 'forget'
}

function describe(done: boolean, { names, emails, incident_notes, flag_notes }: PersonalData): string {
  const counts = `${names} names, ${emails} e-mail addresses, ${incident_notes + flag_notes} notes`
  return done ? `Forgotten: ${counts}.` : `To forget: ${counts}. Nothing was changed.`
}
