/**
 * HQ's own tables. `events` has every change once, as it came; the readable tables (`readable.ts`) are made of them.
 */

import { sql } from '../drizzle/core.ts'
import { bigint, boolean, integer, json, jsonb, primaryKey, text, uniqueIndex } from '../drizzle/postgres.ts'
import type { ChangeEvent } from '../feed/change.ts'
import { hq, time, whole } from './columns.ts'

/** The boxes that may write here: at most one for each name, each authority and each box id. */
export const boxes = hq.table(
  'boxes',
  {
    name: text('name').primaryKey(),
    /** `sha256:` and hex, of the box's own certificate authority. */
    caFingerprint: text('ca_fingerprint').notNull(),
    /** PEM. */
    ca: text('ca').notNull(),
    addedAt: time('added_at').notNull(),
    removedAt: time('removed_at'),
    /** From the box's certificate at the first batch, and fixed from then on. */
    box: text('box'),
    event: text('event'),
    verifierKey: text('verifier_key'),
    connected: boolean('connected').notNull().default(false),
    /** When a batch was last stored, or a connection was seen open. */
    seenAt: time('seen_at'),
    /** Changes that the box still had to send, as its last batch said. */
    waiting: whole('waiting'),
    lastError: text('last_error'),
    lastErrorAt: time('last_error_at'),
  },
  (table) => [
    uniqueIndex('boxes_ca').on(table.caFingerprint).where(sql`${table.removedAt} IS NULL`),
    uniqueIndex('boxes_box').on(table.box).where(sql`${table.removedAt} IS NULL`),
  ],
)

/** The incarnations of a box's change log. A restored backup, and a change log that was given up, begin another one. */
export const histories = hq.table(
  'histories',
  {
    box: text('box').notNull(),
    history: whole('history').notNull(),
    firstSeenAt: time('first_seen_at').notNull(),
    /** The newest event that is stored. */
    sequence: whole('sequence').notNull(),
    index: integer('index').notNull(),
    committedAt: time('committed_at'),
    receivedAt: time('received_at'),
    events: whole('events').notNull().default(0),
    /** About how many bytes they take. */
    bytes: whole('bytes').notNull().default(0),
    /** Number of entries of the journal that HQ has from the first one on, without a hole, and the tree over them. */
    leaves: whole('leaves').notNull().default(0),
    tree: jsonb('tree').$type<{ size: number; hash: string }[]>().notNull().default([]),
    /** By table, where it was last truncated: `[sequence, index]`. */
    truncated: jsonb('truncated').$type<Record<string, [number, number]>>().notNull().default({}),
  },
  (table) => [primaryKey({ columns: [table.box, table.history] })],
)

/** Every change once, with its images as they came. */
export const events = hq.table(
  'events',
  {
    box: text('box').notNull(),
    history: whole('history').notNull(),
    /** The lower half of the commit's position; with `index` it orders the changes of a history. */
    sequence: whole('sequence').notNull(),
    index: integer('index').notNull(),
    id: text('id').notNull(),
    lsn: text('lsn').notNull(),
    committedAt: time('committed_at'),
    receivedAt: time('received_at').notNull().defaultNow(),
    tableName: text('table_name').notNull(),
    op: text('op').$type<ChangeEvent['op']>().notNull(),
    before: json('before'),
    after: json('after'),
  },
  (table) => [primaryKey({ columns: [table.box, table.history, table.sequence, table.index] })],
)

/** Findings that a person has to look at. A row is open until it is answered; the same finding again is counted. */
export const alarms = hq.table(
  'alarms',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    box: text('box').notNull(),
    /** 0 where it is about none of them. */
    history: whole('history').notNull().default(0),
    kind: text('kind').$type<AlarmKind>().notNull(),
    /** The subject of the finding; box, history, kind and subject identify a finding. */
    subject: text('subject').notNull(),
    detail: text('detail').notNull(),
    raisedAt: time('raised_at').notNull().defaultNow(),
    lastAt: time('last_at').notNull().defaultNow(),
    count: whole('count').notNull().default(1),
    answeredAt: time('answered_at'),
  },
  (table) => [uniqueIndex('alarms_finding').on(table.box, table.history, table.kind, table.subject)],
)
export type AlarmKind =
  /** A box began another history of its ledger. */
  | 'new_history'
  /** Two histories have different entries at one index: the record has parted. */
  | 'histories_parted'
  /** A seal is not signed by the box's key, or differs from its row. */
  | 'seal_forged'
  /** The entries that arrived do not make the root that was sealed. */
  | 'seal_root'
  /** Two seals of one size have two roots. */
  | 'seal_forked'
  /** A seal that HQ has was changed or deleted at the box. */
  | 'seal_changed'
  /** An entry of the journal was changed or deleted at the box, or came again with other bytes. */
  | 'journal_changed'
  /** A certificate of this box's authority names another box or another key. */
  | 'identity'
  /** A batch contradicts itself. The box keeps it, and retries. */
  | 'bad_batch'
  /** A value, or a whole row, does not fit its readable table: `extra` and `events` have it as it came. */
  | 'unreadable'
  /** HQ has no readable table for a table: `events` has its changes. */
  | 'unknown_table'

/** The results of checking seals. A seal without a row here waits for entries that have not arrived. */
export const sealChecks = hq.table(
  'seal_checks',
  {
    box: text('box').notNull(),
    history: whole('history').notNull(),
    size: whole('size').notNull(),
    /** `good`: signed by the box's key, and of exactly the entries that arrived. */
    verdict: text('verdict').$type<'good' | 'bad'>().notNull(),
    /** Hexadecimal, as in a verifier key. */
    keyId: text('key_id').notNull(),
    root: text('root').notNull(),
    checkedAt: time('checked_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.box, table.history, table.size] })],
)

/** The tiers of a box's event, from the newest entry of the journal that defines it. */
export const tiers = hq.table(
  'tiers_all',
  {
    box: text('box').notNull(),
    history: whole('history').notNull(),
    tier: text('tier').notNull(),
    name: text('name').notNull(),
    /** The number of times that a ticket may come in: `once`, `once_per_day`, `reentry`, `unlimited`. */
    entry: text('entry').notNull(),
    /** Index of that entry. */
    atEntry: whole('at_entry').notNull(),
  },
  (table) => [primaryKey({ columns: [table.box, table.history, table.tier] })],
)
