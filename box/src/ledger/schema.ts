/**
 * The ledger's tables. `journal` is the truth, append-only; everything else is state that the journal and the imports
 * explain, changed in the same transaction. Times are unix milliseconds; `entry` columns hold journal indices.
 */
import type { Contradiction } from '@gatehouse/proto/wire/stats.ts'
import { sql } from '../drizzle/core.ts'
import { blob, index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from '../drizzle/sqlite.ts'

/** One row a fact: canonical bytes (RFC 8785), never updated. No name, code or ticket id is in them. */
export const journal = sqliteTable('journal', {
  /** 0, 1, 2, ... without a hole: the leaf's index in the sealed log. */
  index: integer('idx').primaryKey(),
  hlc: text('hlc').notNull(),
  kind: text('kind').notNull(),
  bytes: blob('bytes', { mode: 'buffer' }).notNull(),
})

/** What this ledger belongs to, and the secrets that only it knows: made once, at the first opening. */
export const identity = sqliteTable('identity', {
  name: text('name').primaryKey(),
  value: blob('value', { mode: 'buffer' }).notNull(),
})

export const tickets = sqliteTable(
  'tickets',
  {
    id: integer('id').primaryKey(),
    /** How journal, feed and control room name this ticket: a keyed hash of `capability`, hex. */
    ref: text('ref').notNull(),
    /** The same at every box that has HQ's ticket key (`tickets/shared-ref.ts`); null without one. */
    sharedRef: text('shared_ref'),
    /** The ticket id of the attendee tier, base64url: whoever knows it may see the ticket. Never in a log or journal. */
    capability: text('capability').notNull(),
    code: text('code').notNull(),
    tier: text('tier').notNull(),
    seat: text('seat'),
    holderName: text('holder_name'),
    email: text('email'),
    validFrom: integer('valid_from'),
    validUntil: integer('valid_until'),
    /** `valid`, `pending`, `blocked` or `revoked`, as the shop says it. */
    status: text('status').$type<TicketStatus>().notNull(),
    statusDetail: text('status_detail'),
    /** Revoked at this box, whatever a later import says. */
    revokedAt: integer('revoked_at'),
    revokedReason: text('revoked_reason'),
    /** Ed25519 seed of the rotating code; empty once the ticket is claimed, when only the phone has it. */
    seed: blob('seed', { mode: 'buffer' }).notNull(),
    publicKey: blob('public_key', { mode: 'buffer' }).notNull(),
    /** When a phone made the ticket its own. */
    claimedAt: integer('claimed_at'),
    /** When it was last changed. */
    entry: integer('entry').notNull(),
  },
  (table) => [uniqueIndex('tickets_ref').on(table.ref), index('tickets_entry').on(table.entry)],
)
export type TicketStatus = 'valid' | 'pending' | 'blocked' | 'revoked'
export type Ticket = typeof tickets.$inferSelect

/**
 * What opens a ticket: the code hash of its printed code, and of its public key. A key that a claim or a release has
 * replaced stays as `retired`, and a printed code that the shop has replaced as `replaced`: whoever still shows one is told
 * why it is refused, and manifests name it.
 */
export const credentials = sqliteTable(
  'credentials',
  {
    codeHash: blob('code_hash', { mode: 'buffer' }).primaryKey(),
    ticket: integer('ticket').notNull(),
    kind: text('kind').$type<CredentialKind>().notNull(),
  },
  (table) => [index('credentials_ticket').on(table.ticket)],
)
export type CredentialKind = 'static' | 'key' | 'retired' | 'replaced'

/**
 * Every passage of a ticket through a checkpoint. The primary key is what makes a second admission impossible:
 * `slot` names the right that is used up, `surplus` is 0 for whoever used it, and counts up for those that a scanner
 * had already let in alone.
 */
export const movements = sqliteTable(
  'movements',
  {
    ticket: integer('ticket').notNull(),
    slot: text('slot').notNull(),
    surplus: integer('surplus').notNull(),
    direction: text('direction').$type<'in' | 'out'>().notNull(),
    checkpoint: text('checkpoint').notNull(),
    from: text('from_zone'),
    to: text('to_zone'),
    /** How many admissions the ticket then had. */
    occurrence: integer('occurrence').notNull(),
    at: integer('at').notNull(),
    hlc: text('hlc').notNull(),
    scanId: text('scan_id').notNull(),
    provisional: integer('provisional', { mode: 'boolean' }).notNull(),
    entry: integer('entry').notNull(),
  },
  (table) => [primaryKey({ columns: [table.ticket, table.slot, table.surplus] })],
)
export type Movement = typeof movements.$inferSelect

/** The first answer to every scan id, so that a resend gets it again. */
export const scans = sqliteTable('scans', {
  scanId: text('scan_id').primaryKey(),
  /** SHA-256 over device, payload, checkpoint and time: the same id with another body is an error. */
  digest: blob('digest', { mode: 'buffer' }).notNull(),
  /** Whether a person went in or out on it. */
  passed: integer('passed', { mode: 'boolean' }).notNull(),
  /** The verdict as it was sent, JSON. */
  response: text('response').notNull(),
  entry: integer('entry').notNull(),
})

export const devices = sqliteTable('devices', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  /** SHA-256 of the certificate, hex. */
  fingerprint: text('fingerprint').notNull(),
  /** SHA-256 of the bearer token. */
  tokenHash: blob('token_hash', { mode: 'buffer' }).notNull(),
  /** SubjectPublicKeyInfo, DER: what signed requests are checked against. */
  publicKey: blob('public_key', { mode: 'buffer' }).notNull(),
  checkpoints: text('checkpoints', { mode: 'json' }).$type<string[]>().notNull(),
  enrolledAt: integer('enrolled_at').notNull(),
  expiresAt: integer('expires_at').notNull(),
  revokedAt: integer('revoked_at'),
  revokedReason: text('revoked_reason'),
  /** May admit a refused ticket with a reason. */
  supervisor: integer('supervisor', { mode: 'boolean' }).notNull().default(false),
})
export type DeviceRow = typeof devices.$inferSelect

export const invites = sqliteTable('invites', {
  /** SHA-256 of the code: a stolen ledger enrols nobody. */
  codeHash: blob('code_hash', { mode: 'buffer' }).primaryKey(),
  name: text('name'),
  checkpoints: text('checkpoints', { mode: 'json' }).$type<string[]>().notNull(),
  expiresAt: integer('expires_at').notNull(),
  usedAt: integer('used_at'),
  /** The device that comes in on it may admit refused tickets. */
  supervisor: integer('supervisor', { mode: 'boolean' }).notNull().default(false),
})

/** Cases for the control room. */
export const flags = sqliteTable(
  'flags',
  {
    id: text('id').primaryKey(),
    kind: text('kind').$type<FlagKind>().notNull(),
    ticketRef: text('ticket_ref'),
    device: text('device'),
    occurrence: integer('occurrence'),
    detectedAt: integer('detected_at').notNull(),
    scanIds: text('scan_ids', { mode: 'json' }).$type<string[]>().notNull(),
    /** What somebody found out; null while the case is open, and again when it gains a record. */
    resolution: text('resolution').$type<FlagResolution>(),
    /** Free text may name people: the journal has a salted hash of it, and it can be erased. */
    resolutionNote: text('resolution_note'),
    resolutionSalt: blob('resolution_salt', { mode: 'buffer' }),
    resolvedBy: text('resolved_by'),
    resolvedAt: integer('resolved_at'),
    /** Its place among all boxes' resolutions: the last one counts. */
    resolutionHlc: text('resolution_hlc'),
    resolutionBox: text('resolution_box'),
    /** When it was last changed. */
    entry: integer('entry').notNull(),
  },
  (table) => [index('flags_detected').on(table.detectedAt, table.id)],
)
export type FlagResolution = 'same_person' | 'two_people' | 'staff_error' | 'fraud'
export type FlagKind = 'double_use' | 'revoked_admission' | 'refused_admission' | 'unknown_admission' | 'clock_skew'
export type FlagRow = typeof flags.$inferSelect

/** What the organiser has told everybody, signed. */
export const announcements = sqliteTable('announcements', {
  id: text('id').primaryKey(),
  severity: text('severity').$type<'info' | 'warning' | 'emergency'>().notNull(),
  text: text('text').notNull(),
  lang: text('lang').notNull(),
  zones: text('zones', { mode: 'json' }).$type<string[] | null>(),
  issuedAt: integer('issued_at').notNull(),
  expiresAt: integer('expires_at'),
  hlc: text('hlc').notNull(),
  signature: blob('signature', { mode: 'buffer' }).notNull(),
  entry: integer('entry').notNull(),
})

/** What scanners have reported, as it stands after the last action. */
export const incidents = sqliteTable('incidents', {
  /** Made by the device that reports it. */
  id: text('id').primaryKey(),
  /** SHA-256 over what was sent: the same id with another body is an error. */
  digest: blob('digest', { mode: 'buffer' }).notNull(),
  kind: text('kind').$type<IncidentKind>().notNull(),
  state: text('state').$type<IncidentState>().notNull(),
  checkpoint: text('checkpoint').notNull(),
  gate: text('gate').notNull(),
  zone: text('zone'),
  queueRatePerMin: real('queue_rate_per_min').notNull(),
  /** People waiting at the gate, as somebody had last said. */
  queue: integer('queue'),
  /** People in `zone` when it was reported. */
  occupancy: integer('occupancy'),
  /** Free text may name a person or an illness: the journal has a salted hash of it, and it can be erased. */
  note: text('note'),
  noteSalt: blob('note_salt', { mode: 'buffer' }),
  reportedBy: text('reported_by').notNull(),
  /** When it was seen, as the device says, and when the box learned of it. */
  observedAt: integer('observed_at').notNull(),
  reportedAt: integer('reported_at').notNull(),
  hlc: text('hlc').notNull(),
  assignee: text('assignee'),
  /** Grows with every action: whoever acts on an older one is told. */
  version: integer('version').notNull(),
  entry: integer('entry').notNull(),
})
export type IncidentKind =
  | 'crush'
  | 'medical'
  | 'need_staff'
  | 'fire'
  | 'security'
  | 'lost_child'
  | 'access'
  | 'equipment'
export type IncidentState = 'open' | 'acknowledged' | 'assigned' | 'resolved' | 'cancelled'
export type IncidentRow = typeof incidents.$inferSelect

/** Who did what about an incident, in order. */
export const incidentActions = sqliteTable(
  'incident_actions',
  {
    incident: text('incident').notNull(),
    /** The incident's version after it. */
    version: integer('version').notNull(),
    action: text('action').$type<'acknowledge' | 'assign' | 'resolve' | 'cancel'>().notNull(),
    actor: text('actor').notNull(),
    assignee: text('assignee'),
    reason: text('reason'),
    at: integer('at').notNull(),
    hlc: text('hlc').notNull(),
    entry: integer('entry').notNull(),
  },
  (table) => [primaryKey({ columns: [table.incident, table.version] })],
)

/** "Stop admitting": nobody enters through this gate from `placedAt` until it is released or has expired. */
export const holds = sqliteTable('holds', {
  id: text('id').primaryKey(),
  gate: text('gate').notNull(),
  reason: text('reason').notNull(),
  actor: text('actor').notNull(),
  placedAt: integer('placed_at').notNull(),
  expiresAt: integer('expires_at'),
  releasedAt: integer('released_at'),
  releasedBy: text('released_by'),
  entry: integer('entry').notNull(),
})
export type HoldRow = typeof holds.$inferSelect

/** Refused tickets that a supervisor let in, and admissions that were taken back: by the scan that they are about. */
export const overrides = sqliteTable(
  'overrides',
  {
    scanId: text('scan_id').notNull(),
    kind: text('kind').$type<'supervisor_admit' | 'undo'>().notNull(),
    device: text('device').notNull(),
    actor: text('actor').notNull(),
    reason: text('reason').notNull(),
    at: integer('at').notNull(),
    /** The verdict as it was sent, JSON: a resend gets it again. */
    response: text('response').notNull(),
    entry: integer('entry').notNull(),
  },
  (table) => [primaryKey({ columns: [table.scanId, table.kind] })],
)

/** The log's signed checkpoints, each consistent with the one before. */
export const seals = sqliteTable('seals', {
  /** Entries that it covers. */
  size: integer('size').primaryKey(),
  root: blob('root', { mode: 'buffer' }).notNull(),
  /** C2SP checkpoint in a signed note. */
  note: text('note').notNull(),
  at: integer('at').notNull(),
})

/** Roots of full subtrees of 16, 256, 4,096, ... entries: what a proof needs of a long log, in a few rows. */
export const subtrees = sqliteTable(
  'subtrees',
  {
    /** 1 for 16 entries, 2 for 256, ... */
    level: integer('level').notNull(),
    index: integer('idx').notNull(),
    hash: blob('hash', { mode: 'buffer' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.level, table.index] })],
)

/** What is counted from the journal, as of an entry: a restart counts on from there. Never part of the record. */
export const tallies = sqliteTable('tallies', {
  name: text('name').primaryKey(),
  /** Entries counted. */
  size: integer('size').notNull(),
  value: text('value').notNull(),
})

/**
 * Tickets that let somebody in, by tier: `valid` in the shop, and not revoked here. Triggers keep it within the transaction
 * of every change, whoever makes it (migration `sold`), so that nobody ever counts a million rows while people queue.
 */
export const sold = sqliteTable('sold', {
  tier: text('tier').primaryKey(),
  tickets: integer('tickets').notNull(),
})

/** Who may deliver a shop's changes: certificates of the box's own authority, each for one source. */
export const shopCertificates = sqliteTable('shop_certificates', {
  /** SHA-256 of the certificate, hex. */
  fingerprint: text('fingerprint').primaryKey(),
  /** What its changes are kept under: another certificate of the same source goes on where this one was. */
  source: text('source').notNull(),
  issuedAt: integer('issued_at').notNull(),
  expiresAt: integer('expires_at').notNull(),
  revokedAt: integer('revoked_at'),
  revokedReason: text('revoked_reason'),
})
export type ShopCertificate = typeof shopCertificates.$inferSelect

/** How far each source's changes are applied, and what became of them. Not part of the record. */
export const shopSources = sqliteTable('shop_sources', {
  source: text('source').primaryKey(),
  /** The last event that is applied: its commit LSN, and its index in the transaction. Null before the first one. */
  commitLsn: text('commit_lsn'),
  eventIndex: integer('event_index'),
  /** Of every commit that was applied, the latest: an older position with a later time is another database's. */
  committedAt: real('committed_at'),
  /** When the last batch was applied, and how long after its commit. */
  appliedAt: integer('applied_at'),
  lagMs: integer('lag_ms'),
  events: integer('events').notNull().default(0),
  added: integer('added').notNull().default(0),
  changed: integer('changed').notNull().default(0),
  /** Counts the initial loads; rows of an earlier one that the last has not seen are gone. */
  load: integer('load').notNull().default(0),
  /** When the load that is under way was last heard of. */
  loadingAt: integer('loading_at'),
  /** The mapping that every row was last read by. */
  mapping: text('mapping'),
})
export type ShopSource = typeof shopSources.$inferSelect

/**
 * Each row of the shop as it was last heard of, as far as the mapping reads it: a change names only what it changes, and an
 * order that is paid has to reach its tickets. Holds codes and names; never published, and no part of the record.
 */
export const shopRows = sqliteTable(
  'shop_rows',
  {
    id: integer('id').primaryKey(),
    source: text('source').notNull(),
    /** `schema.table` */
    table: text('tbl').notNull(),
    key: text('key').notNull(),
    /** JSON object of column to text or null. */
    image: text('image').notNull(),
    /** The same of the columns that name people; null once names are forgotten. */
    personal: text('personal'),
    gone: integer('gone').notNull().default(0),
    /** The ticket that this row is. */
    ticket: integer('ticket'),
    /** Why it is not applied: a word for the log, and a sentence for the organiser. */
    problem: text('problem'),
    reason: text('reason'),
    problemAt: integer('problem_at'),
    load: integer('load').notNull(),
  },
  (table) => [
    uniqueIndex('shop_rows_key').on(table.source, table.table, table.key),
    index('shop_rows_ticket').on(table.ticket).where(sql`ticket IS NOT NULL`),
    index('shop_rows_problem').on(table.problem).where(sql`problem IS NOT NULL`),
  ],
)
export type ShopRow = typeof shopRows.$inferSelect

/** Which rows look something up in which other row: `row` is read anew when that one changes. */
export const shopLookups = sqliteTable(
  'shop_lookups',
  {
    source: text('source').notNull(),
    table: text('tbl').notNull(),
    key: text('key').notNull(),
    row: integer('row').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.source, table.table, table.key, table.row] }),
    index('shop_lookups_row').on(table.row),
  ],
)

/**
 * The boxes of the event, this one among them: as the topology last said, and how far each one's journal is here. A box alone
 * has no row. One that has left keeps its row, and what it did stays.
 */
export const boxes = sqliteTable('boxes', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  /** C2SP verifier key of its sealed log. */
  logKey: text('log_key').notNull(),
  /** Entries of its journal that are here from the first one on, without a hole. */
  heard: integer('heard').notNull().default(0),
  leftAt: integer('left_at'),
})
export type BoxRow = typeof boxes.$inferSelect

/**
 * What other boxes have written in their journals, byte for byte. `entry` is the entry of kind `heard` in this box's own
 * journal that says so: what follows the journal finds it there, in the order in which this box heard it.
 */
export const peerJournal = sqliteTable(
  'peer_journal',
  {
    box: text('box').notNull(),
    index: integer('idx').notNull(),
    hlc: text('hlc').notNull(),
    kind: text('kind').notNull(),
    bytes: blob('bytes', { mode: 'buffer' }).notNull(),
    entry: integer('entry').notNull(),
  },
  (table) => [primaryKey({ columns: [table.box, table.index] })],
)

/** Seals of other boxes' journals, each held against the entries that are here before it is kept. */
export const peerSeals = sqliteTable(
  'peer_seals',
  {
    box: text('box').notNull(),
    /** Entries that it covers. */
    size: integer('size').notNull(),
    root: blob('root', { mode: 'buffer' }).notNull(),
    /** C2SP checkpoint in a signed note. */
    note: text('note').notNull(),
    at: integer('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.box, table.size] })],
)

/** What boxes have signed of each other's seals (C2SP cosignature/v1): who signed has held it against its own copy. */
export const cosignatures = sqliteTable(
  'cosignatures',
  {
    box: text('box').notNull(),
    size: integer('size').notNull(),
    witness: text('witness').notNull(),
    /** The signature line of the signed note. */
    line: text('line').notNull(),
    at: integer('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.box, table.size, table.witness] })],
)

/** What a box has signed that is not of what it told: the first of each kind, with the seal that shows it. */
export const contradictions = sqliteTable(
  'contradictions',
  {
    box: text('box').notNull(),
    why: text('why').$type<Contradiction['why']>().notNull(),
    /** Entries that the seal says it covers. */
    size: integer('size').notNull(),
    /** As it came. */
    note: text('note').notNull(),
    at: integer('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.box, table.why] })],
)

/**
 * Which change of a ticket came last, where more than one box may change it: `grp` is what was changed (`shop`, `revoked`,
 * `claim`), and the order is by clock, then box. A ticket without a row was never changed by anybody but the box that made it.
 * With a row `codes`, this box knows codes of it that another may not have heard of.
 */
export const ticketVersions = sqliteTable(
  'ticket_versions',
  {
    ticket: integer('ticket').notNull(),
    group: text('grp').$type<'shop' | 'revoked' | 'claim' | 'codes'>().notNull(),
    /** The change's place in time. This box's own: what it came after, because its place is that of `entry`; null for nothing. */
    hlc: text('hlc'),
    /** Whose change it is; null for this box. */
    box: text('box'),
    /** The entry that explains it here. */
    entry: integer('entry').notNull(),
  },
  (table) => [primaryKey({ columns: [table.ticket, table.group] })],
)

/**
 * Passages that were heard of before their tickets: a third box's import, that is still to come. Taken out when the ticket
 * comes, which passes through there with its row.
 */
export const waitingPassages = sqliteTable(
  'waiting_passages',
  {
    ticketRef: text('ticket_ref').notNull(),
    scanId: text('scan_id').notNull(),
    hlc: text('hlc').notNull(),
    /** The passage without its ticket, JSON. */
    passage: text('passage').notNull(),
  },
  (table) => [primaryKey({ columns: [table.ticketRef, table.scanId] })],
)

/**
 * Rights that the other boxes are still to be told about: those of provisional admissions, to be claimed, and those that
 * were claimed and then not used, or given back, to be released. Which of the two, the ledger says when it is read. Put in
 * with what it is about, taken out when it is answered. Not part of the record.
 */
export const claimQueue = sqliteTable(
  'claim_queue',
  {
    scanId: text('scan_id').notNull(),
    ticketRef: text('ticket_ref').notNull(),
    slot: text('slot').notNull(),
    entry: integer('entry').notNull(),
  },
  (table) => [primaryKey({ columns: [table.scanId, table.slot] })],
)
