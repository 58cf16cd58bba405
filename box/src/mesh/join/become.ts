/**
 * Makes another box's ledger out of a copy of one: what a box that joins begins with, and a box of a mesh that is put back from
 * its backup. Two boxes of one name would write two records of one log, and no seal of either could be believed.
 *
 * What the copy's box had written becomes a neighbour's journal, and so does what it had heard of others, in the order in which
 * it heard it: the new box's own journal says so with one `heard` after the other, and every row points to the one that brought
 * it. Answers to scans stay, so that a scan that was sent to one box gets the same answer from the other.
 */
import { HybridLogicalClock, parse } from '@gatehouse/proto/hlc.ts'
import { type Db, openDb, settleLedger } from '../../db.ts'
import { and, asc, count, desc, eq, gte, inArray, lt, not, sql } from '../../drizzle/core.ts'
import type { By } from '../../http/actor.ts'
import { lifeOf, readValue, writeValue } from '../../ledger/identity.ts'
import { type Entry, entryOf, type Json, Ledger } from '../../ledger/ledger.ts'
import {
  announcements,
  boxes,
  claimQueue,
  flags,
  holds,
  identity,
  incidentActions,
  incidents,
  invites,
  journal,
  movements,
  overrides,
  peerJournal,
  peerSeals,
  scans,
  seals,
  shopCertificates,
  shopLookups,
  shopRows,
  shopSources,
  subtrees,
  tallies,
  tickets,
  ticketVersions,
} from '../../ledger/schema.ts'
import { keysOf } from '../../seal/verifier-key.ts'
import { TICKET_SUM } from '../../tickets/import-tickets.ts'
import { TicketSum } from '../../tickets/ticket-sum.ts'
import { TicketVersions } from '../../tickets/versions.ts'
import type { HeardEntry } from '../facts.ts'
import { digestOf, Standing } from '../reconcile/heard.ts'

/** Whatever follows the journal reads the entries of one `heard` in one go. */
const MOST_HEARD = 1000

/** What is the event's, and so every box's. A value that is not named here is one box's own, and stays with it. */
const SHARED = [
  ...['event_id', 'event_digest', 'manifest_salt', 'ref_key', 'signing_seed', 'key_box'],
  ...['ticket_sum', 'folder_tickets', 'ticket_key', 'ticket_key_used', 'names_forgotten'],
  ...['clock_fence', 'clock_seen'],
]

/** Rows that name the entry which last changed them. */
export const WITH_ENTRY = [
  ...[tickets, movements, scans, flags, announcements, incidents, incidentActions, holds, overrides, peerJournal],
  ticketVersions,
]

/** One box's own affair: what it has promised, asked or counted, and whom its shop's feed delivers to. */
const LEFT_BEHIND = [
  ...[invites, claimQueue, seals, subtrees, tallies],
  ...[shopCertificates, shopSources, shopRows, shopLookups],
]

type JournalRow = typeof journal.$inferSelect

export interface NewBox {
  boxId: string
  /** 32 bytes, secret, and nobody else's. */
  logSeed: Buffer
}

export interface Became {
  /** Whose ledger it was. */
  from: string
  /** Entries of its journal. */
  entries: number
}

export interface BecomeOptions {
  box: NewBox
  /** How it came about, for the first lines of the new box's journal: `joined` or `restored`. */
  action: 'joined' | 'restored'
  by: By
  /** Unix ms. */
  now: () => number
  random: (size: number) => Buffer
}

/**
 * @param path of a ledger at rest that nobody else has open; another box's afterwards, at rest again. Not undone when it fails:
 *   work on a copy
 * @throws LedgerFileError for a file that is no ledger of this version
 */
export function becomeNewBox(path: string, options: BecomeOptions): Became {
  // What a feed follows here is told by another box: its change log begins when the new box starts.
  const db = openDb(path, 'none')
  let became: Became
  try {
    became = transform(db, options)
  } finally {
    db.close()
  }
  settleLedger(path)
  return became
}

function transform(db: Db, { box, action, by, now, random }: BecomeOptions): Became {
  const { drizzle } = db
  drizzle.run(sql`PRAGMA secure_delete = ON`)
  const before = whoseLedger(db)
  const heard = inOrder(db, before)
  db.transaction(() => {
    new TicketVersions(db).handOver(before.boxId)
    pointRows(db, heard)
    passOn(db, before)
    for (const table of LEFT_BEHIND) drizzle.delete(table).run()
    drizzle.delete(journal).run()
    rename(db, before, { box, now, random })
  })

  const clock = new HybridLogicalClock({ wallClock: now, maxOffsetMs: Number.MAX_SAFE_INTEGER })
  const last = parse(before.lastHlc)
  if (last) clock.raiseTo(last)
  const ledger = new Ledger(db, clock)
  ledger.transact(() => {
    ledger.append('event', { box: box.boxId, event: before.event })
    // The last one says what tickets there are, as it does where it is heard that they have changed.
    const sum = readValue(db, TICKET_SUM)
    const told = sum && { tickets_digest: new TicketSum(sum).digest() }
    for (const { entry } of heard) ledger.append('heard', { ...entry, ...(entry === heard.at(-1)?.entry && told) })
    ledger.append('mesh', { ...by, action, box: box.boxId, from: before.boxId, entries: before.entries })
  })
  return { from: before.boxId, entries: before.entries }
}

interface Before {
  boxId: string
  keyBox: string
  logKey: string
  entries: number
  lastHlc: string
  life: number
  /** The event as the journal last told it. */
  event: Json
}

function whoseLedger(db: Db): Before {
  const value = (name: string) => readValue(db, name) ?? Buffer.alloc(0)
  const [boxId, eventId] = [value('box_id').toString(), value('event_id').toString()]
  const keyBox = readValue(db, 'key_box')?.toString() ?? boxId
  const signingSeed = value('signing_seed')
  const logSeed = readValue(db, 'log_seed') ?? signingSeed
  const { drizzle } = db
  const [{ entries = 0 } = {}] = drizzle.select({ entries: count() }).from(journal).all()
  const last = drizzle.select().from(journal).orderBy(desc(journal.index)).limit(1).get()
  const told = drizzle
    .select()
    .from(journal)
    .where(eq(journal.kind, 'event'))
    .orderBy(desc(journal.index))
    .limit(1)
    .get()
  return {
    ...{ boxId, keyBox, entries, lastHlc: last?.hlc ?? '', life: Number(value('life').toString()) },
    logKey: keysOf(eventId, { boxId, keyBox, signingSeed, logSeed }).logVerifierKey,
    event: told ? JSON.parse(told.bytes.toString()).event : null,
  }
}

/** A stretch of somebody's journal, as the new box hears it. */
interface Stretch {
  entry: HeardEntry
  /** Whether it is of the copy's own journal. */
  own: boolean
}

/**
 * The new box's `heard` entries: the copy's journal, and at each place where it heard another box, what it heard there. So
 * everything comes in the order in which the copy's box counted it, and is counted as it was.
 */
function inOrder({ drizzle }: Db, { boxId, entries }: Before): Stretch[] {
  const stretches: Stretch[] = []
  // Nobody is inside before the first entry: everything that it has to know comes along.
  const nobody = { byRef: () => undefined, movementsOf: () => [] }
  const standing = new Standing({
    tickets: nobody,
    scans: { find: () => undefined },
    overrides: { find: () => undefined },
  })
  const own = drizzle
    .select()
    .from(journal)
    .where(and(gte(journal.index, sql.placeholder('from')), lt(journal.index, sql.placeholder('to'))))
    .orderBy(asc(journal.index))
    .prepare()
  const others = drizzle
    .select()
    .from(peerJournal)
    .where(and(eq(peerJournal.box, sql.placeholder('box')), eq(peerJournal.entry, sql.placeholder('entry'))))
    .orderBy(asc(peerJournal.index))
    .prepare()
  const tell = (told: Entry[]) => {
    const marks = { again: [] as number[], known: [] as number[] }
    for (const entry of told) {
      const mark = standing.take(entry)
      if (mark !== undefined) marks[mark].push(entry.index)
    }
    if (told.length > 0) {
      const [from, to] = [told[0]?.index ?? 0, (told.at(-1)?.index ?? 0) + 1]
      stretches.push({ entry: { box: boxId, from, to, digest: digestOf(told), ...marks }, own: true })
    }
  }
  let told: Entry[] = []
  for (let from = 0; from < entries; from += MOST_HEARD) {
    for (const entry of own.all({ from, to: from + MOST_HEARD }).map(entryOf)) {
      told.push(entry)
      if (entry.kind !== 'heard') continue
      tell(told)
      told = []
      const { box, from: first, to, digest, again, known } = entry.fields as HeardEntry
      for (const row of others.all({ box, entry: entry.index })) standing.take(entryOf(row as JournalRow))
      stretches.push({ entry: { box, from: first, to, digest, again, known }, own: false })
    }
    tell(told)
    told = []
  }
  return stretches
}

/** The first entry of the new journal is the event's. */
const FIRST = 1

/** Every row points to the `heard` that brings what it points to now; what is below 0 was heard, and is still to be told. */
function pointRows({ drizzle }: Db, heard: readonly Stretch[]): void {
  // `told` is what the last entry of a stretch brought with it, where that entry is itself a `heard`.
  drizzle.run(
    sql`CREATE TEMP TABLE stretches (first INTEGER PRIMARY KEY, last INTEGER, said INTEGER, told INTEGER) STRICT`,
  )
  heard.forEach(({ entry, own }, place) => {
    if (!own) return
    const said = FIRST + place
    const told = heard[place + 1]?.own === false ? said + 1 : said
    drizzle.run(sql`INSERT INTO stretches VALUES (${entry.from}, ${entry.to - 1}, ${said}, ${told})`)
  })
  for (const table of WITH_ENTRY) {
    drizzle.run(sql`UPDATE ${table} SET entry = (
      SELECT CASE WHEN ${table}.entry = s.last THEN s.told ELSE s.said END FROM stretches s
      WHERE s.first <= ${table}.entry ORDER BY s.first DESC LIMIT 1) WHERE entry >= 0`)
  }
}

/** The copy's journal and seals, as a neighbour's. */
function passOn({ drizzle }: Db, { boxId, logKey, entries }: Before): void {
  drizzle.run(sql`INSERT INTO ${peerJournal} (box, idx, hlc, kind, bytes, entry)
    SELECT ${boxId}, idx, hlc, kind, bytes, (SELECT said FROM stretches s WHERE s.first <= idx ORDER BY s.first DESC LIMIT 1)
    FROM ${journal}`)
  drizzle.run(sql`INSERT OR IGNORE INTO ${peerSeals} (box, size, root, note, at)
    SELECT ${boxId}, size, root, note, at FROM ${seals}`)
  drizzle
    .insert(boxes)
    .values({ id: boxId, name: boxId, logKey, heard: entries })
    // Its log's key may have been left out of the copy: what the boxes were told of it stays.
    .onConflictDoUpdate({ target: boxes.id, set: { heard: entries } })
    .run()
  drizzle.run(sql`DROP TABLE stretches`)
}

/** Named by nobody else, and younger than whoever it was. */
function rename(
  db: Db,
  { keyBox, life }: Before,
  { box, now, random }: Pick<BecomeOptions, 'box' | 'now' | 'random'>,
): void {
  db.drizzle
    .delete(identity)
    .where(not(inArray(identity.name, SHARED)))
    .run()
  writeValue(db, 'box_id', Buffer.from(box.boxId))
  writeValue(db, 'key_box', Buffer.from(keyBox))
  writeValue(db, 'log_seed', box.logSeed)
  writeValue(db, 'incarnation', Buffer.from(random(4).toString('hex')))
  writeValue(db, 'life', lifeOf(Math.max(now(), (life + 1) * 1000)))
}
