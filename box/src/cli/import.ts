/** `gatehouse import`: a shop's tickets into the ledger, also beside a running box. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { eventTag } from '@gatehouse/proto/code.ts'
import { IMPORT_FORMATS, type ImportReport, SHOP_FORMATS } from '@gatehouse/proto/wire/admin.ts'
import { readConfig } from '../config.ts'
import { readEvent } from '../event/event.ts'
import { COMMAND_LINE } from '../http/actor.ts'
import { openLedger } from '../ledger/open.ts'
import { CodeReader } from '../tickets/codes.ts'
import { parseTierMap } from '../tickets/import/tier.ts'
import { importTickets } from '../tickets/import-tickets.ts'
import { Tickets } from '../tickets/tickets.ts'
import { type Command, JSON_OPTION, textOf, textsOf } from './command.ts'
import { UsageError } from './usage.ts'

export const importFile: Command = {
  usage: 'import FILE [--dry-run]',
  summary: "put a shop's tickets into the ledger, all of the file or none",
  details: `  FILE is an export of ${SHOP_FORMATS.join(', ')}; box/docs/import.md says which.
  Importing again brings tickets up to date and never un-redeems one.
  Exit status 1: some rows were rejected (they are listed), the others are imported.`,
  operands: 1,
  options: {
    'dry-run': { type: 'boolean', description: 'report what would happen, and change nothing' },
    format: { type: 'string', description: `${IMPORT_FORMATS.join(', ')} (default: auto)` },
    tier: {
      type: 'string',
      multiple: true,
      description: "NAME=TIER, where a product has another name than the event's tier",
    },
    items: { type: 'string', description: "pretix: the items endpoint's JSON, so that products have names" },
    ...JSON_OPTION,
  },
  async run({ values, positionals, environment }) {
    const [file] = positionals
    if (!file) throw new UsageError('gatehouse import takes one file: gatehouse import FILE')
    const format = IMPORT_FORMATS.find((known) => known === (textOf(values.format) ?? 'auto'))
    if (!format)
      throw new UsageError(`There is no format "${values.format}": choose from ${IMPORT_FORMATS.join(', ')}.`)
    const itemsFile = textOf(values.items)
    const config = readConfig(environment)
    const [bytes, event, items] = await Promise.all([
      readNamed(file),
      readEvent(config.eventDir),
      itemsFile === undefined ? undefined : readNamed(itemsFile),
    ])
    const dryRun = values['dry-run'] === true
    using closing = new DisposableStack()
    const dataDir = dryRun ? existingOr(config.dataDir, closing) : config.dataDir
    const { ledger, identity } = openLedger({ dataDir, eventId: event.id, wallClock: Date.now })
    closing.use(ledger)
    const progress = values.json ? undefined : showProgress()
    const report = await importTickets(
      bytes,
      {
        format,
        tierMap: parseTierMap(textsOf(values.tier)),
        dryRun,
        pause: setImmediate,
        by: COMMAND_LINE,
        ...(items && { pretixItems: parseJson(items, itemsFile ?? '') }),
        ...(progress && { onProgress: progress }),
      },
      {
        event,
        ledger,
        tickets: new Tickets(ledger.db, identity.refKey),
        codes: new CodeReader(identity.manifestSalt, await eventTag(event.id)),
      },
    )
    console.log(values.json ? JSON.stringify(report) : describe(report))
    return report.rejected.length === 0
  },
}

/** Where there is no ledger yet, trying must not make one, and bind the folder to an event: it gets one to throw away. */
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

function parseJson(bytes: Buffer, path: string): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    throw new UsageError(`${path} is not JSON: save the answer of pretix's items endpoint as it is.`)
  }
}

/** One line that is written over, on a terminal only: a log file does not need a hundred percentages. */
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

function describe(report: ImportReport): string {
  const { dry_run, format, read, added, changed, unchanged, rejected, warnings } = report
  const lines = [
    `${dry_run ? 'Would import' : 'Imported'} ${format}: ${read} read, ${added} added, ${changed} changed, ${unchanged} unchanged, ${rejected.length} rejected.`,
    ...rejected.map(({ row, reason }) => `  row ${row}: ${reason}`),
    ...warnings.map((warning) => `  warning: ${warning}`),
  ]
  return lines.join('\n')
}
