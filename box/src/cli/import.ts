/** `gatehouse import`: imports a shop's tickets into the ledger; the box may be running. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventTag } from '@gatehouse/proto/code.ts'
import { IMPORT_FORMATS, type ImportReport, SHOP_FORMATS } from '@gatehouse/proto/wire/admin.ts'
import { IMPORT_FIELDS, MATCHED_STATUSES } from '@gatehouse/proto/wire/import-columns.ts'
import { COMMAND_LINE } from '../ca/actor.ts'
import { readConfig } from '../config.ts'
import { parseMatch } from '../tickets/import/match.ts'
import { parseTierMap } from '../tickets/import/tier.ts'
import { importFile as importTickets } from '../tickets/import-file.ts'
import { StagingThreads } from '../tickets/staging/thread.ts'
import { UsageError } from '../usage.ts'
import { type Command, JSON_OPTION, textOf, textsOf } from './command.ts'
import { openBeside, ticketsOf } from './opened.ts'

const USED_TIERS = ['keep', 'change'] as const

export const importFile: Command = {
  usage: 'import FILE [--dry-run] [OPTIONS]',
  summary: "import a shop's tickets into the ledger",
  details: `FILE is an export of ${SHOP_FORMATS.join(', ')}; box/docs/import.md describes each format.
All rows are written in one step, or none when the import is interrupted. Importing a newer export of the same shop
updates its tickets; a ticket that was used stays used. The box may be running.`,
  statuses: { 0: 'every row was imported', 1: 'some rows were rejected and are listed; the others were imported' },
  examples: [
    'gatehouse import tickets.csv --dry-run',
    "gatehouse import orders.json --with items.json --with questions.json --tier 'VIP Weekend=vip'",
    'gatehouse import kasse.csv --column code=Kartennummer --column tier=Art --column status=Bezahlt --status ja=valid',
  ],
  operands: 1,
  options: {
    'dry-run': { type: 'boolean', description: 'report what would happen, and change nothing' },
    format: { type: 'string', value: 'FORMAT', description: `${IMPORT_FORMATS.join(', ')} (default: auto)` },
    tier: {
      type: 'string',
      value: 'NAME=ID',
      multiple: true,
      description: "map the shop's product NAME to the event's ticket type ID; repeat for each product",
    },
    column: {
      type: 'string',
      value: 'FIELD=COLUMN',
      multiple: true,
      description: `a CSV of another shop: its column of ${IMPORT_FIELDS.join(', ')}; kept for the next file`,
    },
    status: {
      type: 'string',
      value: 'WORD=STATUS',
      multiple: true,
      description: `with --column: what a word of its status column means: ${MATCHED_STATUSES.join(', ')}`,
    },
    'every-tier': { type: 'string', value: 'ID', description: 'with --column: the ticket type of all its tickets' },
    'used-tiers': {
      type: 'string',
      value: 'CHOICE',
      description: `${USED_TIERS.join(' or ')}: whether a used or revoked ticket gets another ticket type (default: keep)`,
    },
    with: {
      type: 'string',
      value: 'FILE',
      multiple: true,
      description: 'pretix: its items, questions, check-in lists or event as JSON; repeat for each file',
    },
    items: { type: 'string', value: 'FILE', multiple: true, description: 'the same as --with' },
    ...JSON_OPTION,
  },
  async run({ values, positionals, environment }) {
    const [file] = positionals
    if (!file) throw new UsageError('gatehouse import takes one file: gatehouse import FILE')
    const format = IMPORT_FORMATS.find((known) => known === (textOf(values.format) ?? 'auto'))
    if (!format)
      throw new UsageError(`There is no format "${values.format}": choose from ${IMPORT_FORMATS.join(', ')}.`)
    const usedTiers = USED_TIERS.find((known) => known === (textOf(values['used-tiers']) ?? 'keep'))
    if (!usedTiers) {
      throw new UsageError(`--used-tiers cannot be "${values['used-tiers']}": choose from ${USED_TIERS.join(', ')}.`)
    }
    const config = readConfig(environment)
    const match = parseMatch({
      ...{ columns: textsOf(values.column), statuses: textsOf(values.status), everyTier: textOf(values['every-tier']) },
    })
    const further = [...textsOf(values.with), ...textsOf(values.items)]
    const [bytes, ...others] = await Promise.all([readNamed(file), ...further.map(readJson)])
    const dryRun = values['dry-run'] === true
    using closing = new DisposableStack()
    const dataDir = dryRun ? existingOr(config.dataDir, closing) : config.dataDir
    const opened = closing.use(await openBeside({ ...config, dataDir }))
    const { event, ledger } = opened
    const progress = values.json ? undefined : showProgress()
    const { tickets, codes } = await ticketsOf(opened)
    const path = join(dataDir, 'ledger.db')
    await using staging = new StagingThreads({ path, event, eventTag: await eventTag(event.id) })
    const report = await importTickets(
      bytes,
      {
        format,
        tierMap: parseTierMap(textsOf(values.tier)),
        match,
        usedTiers,
        dryRun,
        by: COMMAND_LINE,
        others,
        ...(progress && { onProgress: progress }),
      },
      {
        event,
        ledger,
        tickets,
        codes,
        staging,
        columnsDir: config.ownEvent?.eventDir ?? config.eventDir,
        now: Date.now,
      },
    )
    console.log(values.json ? JSON.stringify(report) : describe(report))
    return report.rejected.length === 0
  },
}

/** The folder for a dry run. If it has no ledger, a temporary one is used: making one there would bind the folder to an event. */
function existingOr(dataDir: string, closing: DisposableStack): string {
  if (existsSync(join(dataDir, 'ledger.db'))) return dataDir
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-dry-run-'))
  closing.defer(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function readNamed(path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (error) {
    throw new UsageError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code}): check the path.`)
  }
}

async function readJson(path: string): Promise<unknown> {
  const bytes = await readNamed(path)
  try {
    return JSON.parse(bytes.toString())
  } catch {
    throw new UsageError(`${path} is not JSON: save the answer of pretix's API as it is.`)
  }
}

/** Overwrites one line of the terminal; prints nothing into a file, which would have a hundred lines of it. */
function showProgress(): ((step: string, fraction: number) => void) | undefined {
  if (!process.stderr.isTTY) return undefined
  let shown = ''
  return (step, fraction) => {
    const line = `${step} ${Math.floor(fraction * 100)} %`
    if (line === shown) return
    shown = line
    process.stderr.write(`\r${line.padEnd(20)}${step === 'write' && fraction === 1 ? '\n' : ''}`)
  }
}

/** The report in lines. */
export function describe(report: ImportReport): string {
  const { dry_run, format, matched, read, added, changed, unchanged, rejected, warnings, tiers_kept = 0 } = report
  const as = matched === 'kept' ? 'by the columns of an earlier file' : matched ? 'by the columns named' : format
  const lines = [
    `${dry_run ? 'Would import' : 'Imported'} ${as}: ${read} read, ${added} added, ${changed} changed, ${unchanged} unchanged, ${rejected.length} rejected.`,
    ...rejected.map(({ row, reason }) => `  row ${row}: ${reason}`),
    ...(report.changes ?? []).map(changeLine),
    ...(tiers_kept > 0 ? [`  ${keptLine(tiers_kept, dry_run)}`] : []),
    ...warnings.map((warning) => `  warning: ${warning}`),
  ]
  return lines.join('\n')
}

function changeLine({ row, ref, state, tier_kept, fields }: NonNullable<ImportReport['changes']>[number]): string {
  const texts = fields.map(({ field, from, to }) => {
    if (from === null && to === null) return field
    const change = `${field} ${from ?? 'none'} -> ${to ?? 'none'}`
    return field === 'tier' && tier_kept ? `${change} (kept: the ticket is ${state})` : change
  })
  return `  row ${row}, ticket ${ref.slice(0, 8)}: ${texts.join(', ')}`
}

function keptLine(tiers: number, isDry: boolean): string {
  const verb = isDry ? 'would keep' : 'kept'
  const are = tiers === 1 ? '1 used or revoked ticket' : `${tiers} used or revoked tickets`
  return `${are} ${verb} the ticket type that the box has: add --used-tiers change to take the file's.`
}
