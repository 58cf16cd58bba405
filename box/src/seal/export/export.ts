/**
 * Writes the export: the whole record in one file in which every changed byte is detected. Each line is a canonical JSON object,
 * with its line feed: a header, every seal, every entry as it was sealed, the report, and the signature of
 * the report (box/docs/sealed-record.md has the format). The root of the newest seal covers the entries; signatures cover seals,
 * report and other boxes' entries; the lines that follow confirm the header.
 */
import { createHash, type KeyObject } from 'node:crypto'
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import { and, asc, gte, lt, lte, sql } from '../../drizzle/core.ts'
import { GatehouseError } from '../../errors.ts'
import type { Db } from '../../ledger/db.ts'
import { type Entry, entryOf } from '../../ledger/entries.ts'
import { type Fact, replicatedIn } from '../../ledger/facts.ts'
import { journal, seals } from '../../ledger/schema.ts'
import { signNote } from '../note.ts'
import { type Cover, ReportFold } from '../report/fold.ts'
import type { Report } from '../report/shape.ts'
import { type OtherLogs, othersUpTo } from './other-logs.ts'

export interface ExportCover {
  /** `gatehouse/<event>/<box>` */
  origin: string
  signingKey: KeyObject
  software: string
  /** Unix ms. */
  madeAt: number
  /** Number of entries, which is the size of a seal. */
  size: number
}

/** Entries that are read at a time, and make one chunk of the file. */
const SLICE = 256
const MOST_LINES = 1024

/**
 * Yields the file in chunks. It holds no read transaction, which would keep the write-ahead
 * log from being reset for as long as a slow download takes: entries and seals up to a size never change.
 */
export function* exportChunks(db: Pick<Db, 'drizzle'>, cover: ExportCover): Generator<Buffer> {
  const sealed = sealsUpTo(db, cover.size)
  const others = othersUpTo(db, cover)
  yield lines([canonicalJson(headerOf(sealed, others, cover)), ...sealed.map(sealLine), ...linesOf(others)])
  const fold = new ReportFold({ several: others !== undefined })
  for (const slice of entriesUpTo(db, cover.size)) {
    let chunk: Buffer[] = []
    for (const fact of withHeard(db, slice)) {
      countIn(fold, fact)
      chunk.push(fact.bytes, LINE_FEED)
      // The entries that one entry brought may be more than a slice.
      if (chunk.length < 2 * MOST_LINES) continue
      yield Buffer.concat(chunk)
      chunk = []
    }
    yield Buffer.concat(chunk)
  }
  const report = canonicalJson(coveredReport(fold, sealed, others, cover))
  yield lines([report, canonicalJson({ note: signedReport(report, sealed.at(-1), others, cover) })])
}

function headerOf(sealed: readonly SealRow[], others: OtherLogs | undefined, { size: entries }: ExportCover) {
  const own = { entries, seals: sealed.length }
  if (!others) return { ...own, format: 'gatehouse/export/v1' }
  const boxes = others.boxes.map(({ box, key, seals }) => ({ box, key, seals: seals.length }))
  return { ...own, boxes, cosignatures: others.cosignatures.length, format: 'gatehouse/export/v2' }
}

function linesOf(others: OtherLogs | undefined): string[] {
  return [
    ...(others?.boxes ?? []).flatMap(({ seals }) => seals.map(sealLine)),
    ...(others?.cosignatures ?? []).map(({ box, size, witness, line }) => canonicalJson({ box, line, size, witness })),
  ]
}

function sealLine({ at, note }: Pick<SealRow, 'at' | 'note'>): string {
  return canonicalJson({ at: new Date(at).toISOString(), note })
}

/** The report alone, over the same entries. */
export function reportUpTo(db: Pick<Db, 'drizzle'>, cover: ExportCover): Report {
  const others = othersUpTo(db, cover)
  const fold = new ReportFold({ several: others !== undefined })
  for (const slice of entriesUpTo(db, cover.size)) for (const fact of withHeard(db, slice)) countIn(fold, fact)
  return coveredReport(fold, sealsUpTo(db, cover.size), others, cover)
}

/** Yields each entry, and after one of kind `heard` the entries that it brought, as their own box wrote them. */
function* withHeard(db: Pick<Db, 'drizzle'>, entries: readonly Entry[]): Generator<Fact> {
  for (const entry of entries) {
    yield entry
    if (entry.kind === 'heard') yield* replicatedIn(db, entry)
  }
}

/** @throws GatehouseError `conflict` for an entry that somebody has made unreadable */
function countIn(fold: ReportFold, entry: Parameters<ReportFold['add']>[0]): void {
  try {
    fold.add(entry)
  } catch (cause) {
    const what = 'An entry of the record was changed, and nobody can count it'
    throw new GatehouseError('conflict', `${what}: run "gatehouse verify", and keep this ledger as it is.`, {
      reason: 'record_uncountable',
      cause,
    })
  }
}

type SealRow = typeof seals.$inferSelect

function coveredReport(
  fold: ReportFold,
  sealed: readonly SealRow[],
  others: OtherLogs | undefined,
  { origin, software, madeAt }: ExportCover,
): Report {
  const cover: Cover = {
    origin,
    software,
    made_at: new Date(madeAt).toISOString(),
    seals: sealed.map(reportedSeal),
    ...(others && {
      others: others.boxes.map(({ box, key, seals }) => ({ box, key, seals: seals.map(reportedSeal) })),
      cosignatures: others.cosignatures,
    }),
  }
  return fold.report(cover)
}

function reportedSeal({ size, root, at }: Pick<SealRow, 'size' | 'root' | 'at'>) {
  return { size, root: root.toString('base64'), at: new Date(at).toISOString() }
}

function signedReport(
  report: string,
  seal: SealRow | undefined,
  others: OtherLogs | undefined,
  { origin, signingKey }: ExportCover,
): string {
  if (!seal) throw new Error('Nothing is sealed.')
  const [, event = ''] = origin.split('/')
  const text = [
    'gatehouse/attendance-report/v1',
    event,
    `sha256 ${createHash('sha256').update(report).digest('hex')}`,
    `checkpoint ${origin} ${seal.size} ${seal.root.toString('base64')}`,
    ...(others?.boxes ?? []).flatMap(({ box, seals }) => {
      const newest = seals.at(-1)
      return newest ? [`checkpoint gatehouse/${event}/${box} ${newest.size} ${newest.root.toString('base64')}`] : []
    }),
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
