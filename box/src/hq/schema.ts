/**
 * HQ's tables, in a PostgreSQL schema of their own, `gatehouse`, so that they stand beside whatever else the organiser keeps
 * there. `events` has every change once, as it came. What a ledger publishes has one readable table each, which ends in
 * `_all`: with every box, every history of it, and what was deleted; the view without `_all` has what is true now.
 */

import { sql } from '../drizzle/core.ts'
import {
  bigint,
  boolean,
  doublePrecision,
  index,
  integer,
  json,
  jsonb,
  type PgColumnBuilderBase,
  pgSchema,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from '../drizzle/postgres.ts'

const hq = pgSchema('gatehouse')

const time = (name: string) => timestamp(name, { withTimezone: true, mode: 'string' })
const whole = (name: string) => bigint(name, { mode: 'number' })

/** Who may write here. A name, and no more than one box for each authority and each box id. */
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
    /** Bound at the first batch, for good: what the box's certificate says, under its own authority. */
    box: text('box'),
    event: text('event'),
    verifierKey: text('verifier_key'),
    connected: boolean('connected').notNull().default(false),
    /** When a batch was last taken, or a connection was seen open. */
    seenAt: time('seen_at'),
    /** Changes that the box still had to send, with its last batch. */
    waiting: whole('waiting'),
    lastError: text('last_error'),
    lastErrorAt: time('last_error_at'),
  },
  (table) => [
    uniqueIndex('boxes_ca').on(table.caFingerprint).where(sql`${table.removedAt} IS NULL`),
    uniqueIndex('boxes_box').on(table.box).where(sql`${table.removedAt} IS NULL`),
  ],
)

/** The lives of a box's ledger. A backup that is put back, and a change log that was given up, begin another one. */
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
    /** Entries of the journal that HQ has from the first one on, without a hole, and the tree over them. */
    leaves: whole('leaves').notNull().default(0),
    tree: jsonb('tree').$type<{ size: number; hash: string }[]>().notNull().default([]),
    /** By table, where it was last emptied: `[sequence, index]`. */
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
    /** The lower half of the commit's position: of what order the changes are in a history, together with `index`. */
    sequence: whole('sequence').notNull(),
    index: integer('index').notNull(),
    id: text('id').notNull(),
    lsn: text('lsn').notNull(),
    committedAt: time('committed_at'),
    receivedAt: time('received_at').notNull().defaultNow(),
    tableName: text('table_name').notNull(),
    op: text('op').$type<'insert' | 'update' | 'delete' | 'truncate'>().notNull(),
    before: json('before'),
    after: json('after'),
  },
  (table) => [primaryKey({ columns: [table.box, table.history, table.sequence, table.index] })],
)

/** What somebody has to look at. A row stands until it is answered; the same finding again is counted. */
export const alarms = hq.table(
  'alarms',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    box: text('box').notNull(),
    /** 0 where it is about none of them. */
    history: whole('history').notNull().default(0),
    kind: text('kind').$type<AlarmKind>().notNull(),
    /** What it is about: with box, history and kind, what makes it the same finding. */
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
  /** Another history has other entries where both have one: what was sealed and what is there have parted. */
  | 'histories_parted'
  /** A seal is not signed by the box's key, or says something else than its row. */
  | 'seal_forged'
  /** The entries that arrived do not make the root that was sealed. */
  | 'seal_root'
  /** Two seals of one size have two roots. */
  | 'seal_forked'
  /** A seal that HQ has was changed or deleted at the box. */
  | 'seal_changed'
  /** An entry of the journal was changed or deleted at the box, or came a second time as another one. */
  | 'journal_changed'
  /** Somebody with a certificate of this box's authority says to be another box, or has another key. */
  | 'identity'
  /** A batch that cannot be what it says. The box keeps it, and tries again. */
  | 'bad_batch'
  /** A value, or a whole row, that does not fit its readable table: `extra` and `events` have it as it came. */
  | 'unreadable'
  /** A table that HQ has no readable one for: `events` has its changes. */
  | 'unknown_table'

/** What HQ found about the seals that arrived. A seal that is not here waits for entries that HQ has not got. */
export const sealChecks = hq.table(
  'seal_checks',
  {
    box: text('box').notNull(),
    history: whole('history').notNull(),
    size: whole('size').notNull(),
    /** `good`: signed by the box's key, and of exactly the entries that arrived. */
    verdict: text('verdict').$type<'good' | 'bad'>().notNull(),
    /** Hexadecimal, as a verifier key names it. */
    keyId: text('key_id').notNull(),
    root: text('root').notNull(),
    checkedAt: time('checked_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.box, table.history, table.size] })],
)

/** The tiers of a box's event, as the journal's last word about it has them. */
export const tiers = hq.table(
  'tiers_all',
  {
    box: text('box').notNull(),
    history: whole('history').notNull(),
    tier: text('tier').notNull(),
    name: text('name').notNull(),
    /** How often a ticket may come in: `once`, `once_per_day`, `reentry`, `unlimited`. */
    entry: text('entry').notNull(),
    /** The journal's entry that says so. */
    atEntry: whole('at_entry').notNull(),
  },
  (table) => [primaryKey({ columns: [table.box, table.history, table.tier] })],
)

/** What every readable table begins with: whose row it is, and the change that made it what it is. */
const origin = () => ({
  box: text('box').notNull(),
  history: whole('history').notNull(),
  atSequence: whole('at_sequence').notNull(),
  atIndex: integer('at_index').notNull(),
  deleted: boolean('deleted').notNull().default(false),
  /** Columns that the box has and HQ does not know, and values that are not what their column holds, as text. */
  extra: jsonb('extra').$type<Record<string, string | null>>(),
})

/** A readable table: its key leads behind box and history. Every other column may be missing in what a box publishes. */
function readable<K extends Record<string, PgColumnBuilderBase>, C extends Record<string, PgColumnBuilderBase>>(
  name: string,
  key: K,
  columns: C,
) {
  return hq.table(`${name}_all`, { ...origin(), ...key, ...columns }, (table) => {
    const own = Object.keys(key).map((column) => (table as unknown as Record<string, typeof table.box>)[column])
    return [primaryKey({ columns: [table.box, table.history, ...own] as unknown as [typeof table.box] })]
  })
}

export const tickets = hq.table(
  'tickets_all',
  {
    ...origin(),
    id: whole('id').notNull(),
    ref: text('ref'),
    /** The same at every box that has the ticket: a keyed hash of its code. */
    sharedRef: text('shared_ref'),
    tier: text('tier'),
    seat: text('seat'),
    validFrom: time('valid_from'),
    validUntil: time('valid_until'),
    status: text('status'),
    revokedAt: time('revoked_at'),
    claimedAt: time('claimed_at'),
    entry: whole('entry'),
  },
  (table) => [
    primaryKey({ columns: [table.box, table.history, table.id] }),
    index('tickets_all_shared').on(table.sharedRef),
  ],
)

export const journal = hq.table(
  'journal_all',
  {
    ...origin(),
    idx: whole('idx').notNull(),
    hlc: text('hlc'),
    kind: text('kind'),
    /** Canonical JSON, exactly as it was sealed. */
    bytes: text('bytes'),
  },
  (table) => [primaryKey({ columns: [table.box, table.history, table.idx] })],
)

export const movements = hq.table(
  'movements_all',
  {
    ...origin(),
    ticket: whole('ticket').notNull(),
    slot: text('slot').notNull(),
    surplus: whole('surplus').notNull(),
    direction: text('direction'),
    checkpoint: text('checkpoint'),
    fromZone: text('from_zone'),
    toZone: text('to_zone'),
    occurrence: whole('occurrence'),
    at: time('at'),
    hlc: text('hlc'),
    scanId: text('scan_id'),
    provisional: boolean('provisional'),
    entry: whole('entry'),
  },
  (table) => [primaryKey({ columns: [table.box, table.history, table.ticket, table.slot, table.surplus] })],
)

export const flags = readable(
  'flags',
  { id: text('id').notNull() },
  {
    kind: text('kind'),
    ticketRef: text('ticket_ref'),
    device: text('device'),
    occurrence: whole('occurrence'),
    detectedAt: time('detected_at'),
    scanIds: jsonb('scan_ids'),
    resolution: text('resolution'),
    resolvedAt: time('resolved_at'),
  },
)

export const incidents = readable(
  'incidents',
  { id: text('id').notNull() },
  {
    kind: text('kind'),
    state: text('state'),
    checkpoint: text('checkpoint'),
    gate: text('gate'),
    zone: text('zone'),
    queueRatePerMin: doublePrecision('queue_rate_per_min'),
    occupancy: whole('occupancy'),
    reportedBy: text('reported_by'),
    observedAt: time('observed_at'),
    reportedAt: time('reported_at'),
    hlc: text('hlc'),
    assignee: text('assignee'),
    version: whole('version'),
    entry: whole('entry'),
  },
)

export const incidentActions = readable(
  'incident_actions',
  { incident: text('incident').notNull(), version: whole('version').notNull() },
  {
    action: text('action'),
    actor: text('actor'),
    assignee: text('assignee'),
    reason: text('reason'),
    at: time('at'),
    hlc: text('hlc'),
    entry: whole('entry'),
  },
)

export const holds = readable(
  'holds',
  { id: text('id').notNull() },
  {
    gate: text('gate'),
    reason: text('reason'),
    actor: text('actor'),
    placedAt: time('placed_at'),
    expiresAt: time('expires_at'),
    releasedAt: time('released_at'),
    releasedBy: text('released_by'),
    entry: whole('entry'),
  },
)

export const overrides = readable(
  'overrides',
  { scanId: text('scan_id').notNull(), kind: text('kind').notNull() },
  {
    device: text('device'),
    actor: text('actor'),
    reason: text('reason'),
    at: time('at'),
    entry: whole('entry'),
  },
)

export const announcements = readable(
  'announcements',
  { id: text('id').notNull() },
  {
    severity: text('severity'),
    text: text('text'),
    lang: text('lang'),
    zones: jsonb('zones'),
    issuedAt: time('issued_at'),
    expiresAt: time('expires_at'),
    hlc: text('hlc'),
    /** Hexadecimal. */
    signature: text('signature'),
    entry: whole('entry'),
  },
)

export const seals = readable(
  'seals',
  { size: whole('size').notNull() },
  {
    /** Hexadecimal. */
    root: text('root'),
    /** C2SP checkpoint in a signed note. */
    note: text('note'),
    at: time('at'),
  },
)

export const devices = readable(
  'devices',
  { id: text('id').notNull() },
  {
    name: text('name'),
    checkpoints: jsonb('checkpoints'),
    enrolledAt: time('enrolled_at'),
    expiresAt: time('expires_at'),
    revokedAt: time('revoked_at'),
    revokedReason: text('revoked_reason'),
    supervisor: boolean('supervisor'),
  },
)
