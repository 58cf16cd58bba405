/**
 * The export: the whole record in one file that nobody can change a byte of unnoticed. One canonical JSON object a line,
 * each line with its line feed: a header, every seal, every entry as it was sealed, the report, and the signature under
 * the report (box/docs/sealed-record.md has the format). Entries are bound by the newest seal's root; seals, the report and
 * what they rest on by signatures; the header by what follows it.
 */
import { createHash, type KeyObject } from 'node:crypto'
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import { and, asc, gte, lt, lte, sql } from 'drizzle-orm'
import type { Db } from '../db.ts'
import { GatehouseError } from '../errors.ts'
import { entryOf } from '../ledger/ledger.ts'
import { journal, seals } from '../ledger/schema.ts'
import { signNote } from './note.ts'
import { ReportFold } from './report.ts'
import type { Report } from './report-shape.ts'

export interface ExportCover {
  /** `gatehouse/<event>/<box>` */
  origin: string
  signingKey: KeyObject
  software: string
  /** Unix ms. */
  madeAt: number
  /** Entries: those of a seal. */
  size: number
}

/** Entries read at a time: what a chunk of the file is made of. */
const SLICE = 256

/**
 * The file's chunks, made as they are asked for. Nothing of it is in a read transaction, which would keep the write-ahead
 * log from being reset for as long as a slow download takes: entries and seals up to a size never change.
 */
export function* exportChunks(db: Pick<Db, 'drizzle'>, cover: ExportCover): Generator<Buffer> {
  const sealed = sealsUpTo(db, cover.size)
  yield lines([
    canonicalJson({ entries: cover.size, format: 'gatehouse/export/v1', seals: sealed.length }),
    ...sealed.map(({ at, note }) => canonicalJson({ at: new Date(at).toISOString(), note })),
  ])
  const fold = new ReportFold()
  for (const slice of entriesUpTo(db, cover.size)) {
    for (const entry of slice) countIn(fold, entry)
    yield Buffer.concat(slice.flatMap(({ bytes }) => [bytes, LINE_FEED]))
  }
  const report = canonicalJson(coveredReport(fold, sealed, cover))
  yield lines([report, canonicalJson({ note: signedReport(report, sealed.at(-1), cover) })])
}

/** The report alone, over the same entries. */
export function reportUpTo(db: Pick<Db, 'drizzle'>, cover: ExportCover): Report {
  const fold = new ReportFold()
  for (const slice of entriesUpTo(db, cover.size)) for (const entry of slice) countIn(fold, entry)
  return coveredReport(fold, sealsUpTo(db, cover.size), cover)
}

/** @throws GatehouseError `conflict` for an entry that somebody has changed until it says nothing */
function countIn(fold: ReportFold, entry: Parameters<ReportFold['add']>[0]): void {
  try {
    fold.add(entry)
  } catch (cause) {
    const what = 'An entry of the record was changed, and nobody can count it'
    throw new GatehouseError('conflict', `${what}: run "gatehouse verify", and keep this ledger as it is.`, { cause })
  }
}

type SealRow = typeof seals.$inferSelect

function coveredReport(fold: ReportFold, sealed: SealRow[], { origin, software, madeAt }: ExportCover): Report {
  return fold.report({
    ...{ origin, software, made_at: new Date(madeAt).toISOString() },
    seals: sealed.map(({ size, root, at }) => ({
      size,
      root: root.toString('base64'),
      at: new Date(at).toISOString(),
    })),
  })
}

function signedReport(report: string, seal: SealRow | undefined, { origin, signingKey }: ExportCover): string {
  if (!seal) throw new Error('Nothing is sealed.')
  const [, event = ''] = origin.split('/')
  const text = [
    'gatehouse/attendance-report/v1',
    event,
    `sha256 ${createHash('sha256').update(report).digest('hex')}`,
    `checkpoint ${origin} ${seal.size} ${seal.root.toString('base64')}`,
    '',
  ].join('\n')
  return signNote(text, { name: origin, key: signingKey })
}

function sealsUpTo({ drizzle }: Pick<Db, 'drizzle'>, size: number): SealRow[] {
  return drizzle.select().from(seals).where(lte(seals.size, size)).orderBy(asc(seals.size)).all()
}

function* entriesUpTo({ drizzle }: Pick<Db, 'drizzle'>, size: number) {
  const slice = drizzle
    .select()
    .from(journal)
    .where(and(gte(journal.index, sql.placeholder('from')), lt(journal.index, sql.placeholder('until'))))
    .orderBy(asc(journal.index))
    .prepare()
  for (let from = 0; from < size; from += SLICE) {
    yield slice.all({ from, until: Math.min(from + SLICE, size) }).map(entryOf)
  }
}

const LINE_FEED = Buffer.from('\n')

function lines(texts: readonly string[]): Buffer {
  return Buffer.from(texts.map((text) => `${text}\n`).join(''))
}
