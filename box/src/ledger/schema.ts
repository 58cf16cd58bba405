/**
 * The ledger's tables. `journal` is the truth and only ever appended to; everything else is state that the journal and the
 * imports explain, changed in the same transaction. Times are unix ms; `entry` columns hold places in the journal.
 */
import type { FLAG_KINDS, RESOLUTIONS, ShopWords } from '@gatehouse/proto/wire/admin.ts'
import type { SEVERITIES } from '@gatehouse/proto/wire/attendee.ts'
import type { INCIDENT_ACTIONS, INCIDENT_KINDS, INCIDENT_STATES } from '@gatehouse/proto/wire/incidents.ts'
import type { Paid } from '@gatehouse/proto/wire/sales.ts'
import type { Contradiction } from '@gatehouse/proto/wire/stats.ts'
import { sql } from '../drizzle/core.ts'
import {
  blob,
  customType,
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
  uniqueIndex,
} from '../drizzle/sqlite.ts'
import { packId, unpackId } from './packed-id.ts'

/**
 * An id that a device has made up. A UUID is stored as its 16 bytes: an index of them has half as many pages, and every scan writes
 * one of these.
 */
const packedId = customType<{ data: string; driverData: string | Buffer }>({
  dataType: () => 'blob',
  toDriver: packId,
  fromDriver: unpackId,
})

/** One row an entry: canonical bytes (RFC 8785), never updated, without any name, code or ticket id. */
export const journal = sqliteTable('journal', {
  /** 0, 1, 2, ... without a hole: the leaf's index in the sealed log. */
  index: integer('idx').primaryKey(),
  hlc: text('hlc').notNull(),
  kind: text('kind').notNull(),
  bytes: blob('bytes', { mode: 'buffer' }).notNull(),
})

/** Small values by name: what this ledger belongs to, and the secrets that only it knows. */
export const identity = sqliteTable('identity', {
  name: text('name').primaryKey(),
  value: blob('value', { mode: 'buffer' }).notNull(),
})

/** A shop's details of a ticket beyond what a gate needs; null where it gives none. Read by `tickets/details.ts`. */
function detailColumns() {
  return {
    /** Key of a row in `products`. */
    product: text('product'),
    /** The order's code in the shop. Tickets with the same code are one order. */
    orderCode: text('order_code'),
    /** Number of the ticket in its order. */
    position: integer('position'),
    /** Number of the position in the same order that it is an add-on to. */
    addonTo: integer('addon_to'),
    /** As the shop writes it, with the currency where that is known: `23.00 EUR`. */
    price: text('price'),
    /** 1 where the order or the position asks for attention at the gate, else null. A product's own mark is in `products`. */
    attention: integer('attention'),
    /** `TicketPersonal` as canonical JSON. Erased with the names; in no journal, feed, log or manifest. */
    personal: text('personal'),
    /** `TicketExtra[]` as canonical JSON: add-ons of this position that are no tickets. */
    extras: text('extras'),
  }
}

export const tickets = sqliteTable(
  'tickets',
  {
    id: integer('id').primaryKey(),
    /** The name of this ticket in journal, feed and control room: a keyed hash of `capability`, hex. */
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
    /** As the shop says it. */
    status: text('status').$type<TicketStatus>().notNull(),
    statusDetail: text('status_detail'),
    /** Revoked at this box, whatever a later import says. */
    revokedAt: integer('revoked_at'),
    revokedReason: text('revoked_reason'),
    /**
     * Ed25519 seed of the rotating code; empty once the ticket is claimed, when only the phone has a key. Shown to the ticket's holder
     * (`attendee/view.ts`), replicated to the event's other boxes and backed up; in no manifest, feed or export.
     */
    seed: blob('seed', { mode: 'buffer' }).notNull(),
    publicKey: blob('public_key', { mode: 'buffer' }).notNull(),
    /** When a phone claimed the ticket. */
    claimedAt: integer('claimed_at'),
    ...detailColumns(),
    /** When its holder was erased (`tickets/erasure.ts`): from then on no name, address or personal detail is stored again. */
    forgottenAt: integer('forgotten_at'),
    /** The entry that last changed it. */
    entry: integer('entry').notNull(),
    /** Written by the desk (`desk/`): no import changes it. Code and link in place of the shop's, since a re-issue. */
    deskCode: text('desk_code'),
    deskLink: text('desk_link'),
    /** In place of the shop's name. With its salt: the journal has a salted hash of it, and both can be erased. */
    deskHolder: text('desk_holder', { mode: 'json' }).$type<SaltedText>(),
    /** For the staff. */
    deskNote: text('desk_note', { mode: 'json' }).$type<SaltedText>(),
  },
  (table) => [
    uniqueIndex('tickets_ref').on(table.ref),
    index('tickets_entry').on(table.entry),
    index('tickets_order').on(table.orderCode).where(sql`order_code IS NOT NULL`),
    uniqueIndex('tickets_desk_link').on(table.deskLink).where(sql`desk_link IS NOT NULL`),
  ],
)
/** A note that somebody has typed about a person, and the salt of its hash in the journal, hex. */
export interface SaltedText {
  text: string
  salt: string
}
export const TICKET_STATUSES = ['valid', 'pending', 'blocked', 'revoked'] as const
export type TicketStatus = (typeof TICKET_STATUSES)[number]
export type Ticket = typeof tickets.$inferSelect

/**
 * Products of the shop, by the key that `tickets.product` names. A product that changes is one row, and its tickets stay as they are.
 * Boxes agree on the version that changed it last: `hlc`, then `box`.
 */
export const products = sqliteTable(
  'products',
  {
    /** `item:12/34` or `item:12` of pretix; a product's name of other shops. */
    key: text('key').primaryKey(),
    /** `Product` of `proto/wire/ticket-details.ts` as canonical JSON. It names nobody. */
    product: text('product').notNull(),
    hlc: text('hlc').notNull(),
    /** The box that changed it; null for this one. */
    box: text('box'),
    /** The entry that last changed it here. */
    entry: integer('entry').notNull(),
  },
  (table) => [index('products_entry').on(table.entry)],
)
export type ProductRow = typeof products.$inferSelect

/**
 * The codes of a ticket: the code hash of its printed code, and of its public key. A key that a claim or a release has replaced
 * stays as `retired`, and a printed code that the shop has replaced as `replaced`: a scan of one is refused for that reason, and
 * manifests list it.
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
 * Imports whose rows are not in `tickets` yet (`tickets/staging/`). Without `entry` it is still being written, and nobody sees it. With
 * its entry in the journal it counts, and its rows move to `tickets` piece by piece. Not part of the record.
 */
export const stagedImports = sqliteTable('staged_imports', {
  /** Never used again: a writer whose import was removed must not write to another one. */
  id: integer('id').primaryKey({ autoIncrement: true }),
  /** The process that writes it. */
  pid: integer('pid').notNull(),
  entry: integer('entry'),
  /** New tickets get the ids after this one, in the order of the file. */
  lastId: integer('last_id'),
  /** Progress of its rows: `tickets/staging/progress.ts`. */
  done: blob('done', { mode: 'buffer' }),
})

/** The rows of staged imports. */
export const stagedTickets = sqliteTable('staged_tickets', {
  /** The import's id times 2^32, and the number of the row in it. */
  key: integer('key').primaryKey(),
  /** The ticket that it changes; null for a new one. */
  ticket: integer('ticket'),
  tier: text('tier').notNull(),
  seat: text('seat'),
  holderName: text('holder_name'),
  email: text('email'),
  validFrom: integer('valid_from'),
  validUntil: integer('valid_until'),
  status: text('status').$type<TicketStatus>().notNull(),
  statusDetail: text('status_detail'),
  ...detailColumns(),
  // The rest is null for a change.
  ref: text('ref'),
  sharedRef: text('shared_ref'),
  capability: text('capability'),
  code: text('code'),
  codeHash: blob('code_hash', { mode: 'buffer' }),
  keyHash: blob('key_hash', { mode: 'buffer' }),
  seed: blob('seed', { mode: 'buffer' }),
  publicKey: blob('public_key', { mode: 'buffer' }),
})

/**
 * By which names a staged row is found: sorted runs of them, which are written one after the other. An index would be written at
 * random places, many times as many bytes.
 */
export const stagedNames = sqliteTable('staged_names', {
  /** The first name of the run. */
  first: blob('first', { mode: 'buffer' }).primaryKey(),
  /** Names in order, each with the number of its row, and the place of its ticket among the new ones. */
  names: blob('names', { mode: 'buffer' }).notNull(),
})

/**
 * Every passage of a ticket through a checkpoint, in the order in which the box learned of them. The primary key makes a second admission impossible: `slot` names the right
 * that is used up; `surplus` is 0 for the passage that used it, and counts up for those whom a scanner had let in alone.
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
    /** Number of admissions that the ticket then had. */
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

/**
 * The first answer to every scan id, so that a resend gets it again: `rights/scans.ts` puts it together. In the order of its ids (WITHOUT
 * ROWID): those that our scanners make grow with time, so a scan writes to the last page alone.
 */
export const scans = sqliteTable('scans', {
  scanId: packedId('scan_id').primaryKey(),
  /** SHA-256 over device, code, checkpoint and time: tells the same scan from another one under its id. */
  digest: blob('digest', { mode: 'buffer' }).notNull(),
  /** True if a person went in or out on it. */
  passed: integer('passed', { mode: 'boolean' }).notNull(),
  /** Row of `verdict_texts`. */
  text: integer('text').notNull(),
  /** Text for the gaps of that text, see `rights/verdict-text.ts`; null for a text without gaps. */
  own: text('own'),
  entry: integer('entry').notNull(),
})

/** Verdicts as they were sent, JSON: a text that many scans share is stored once, with gaps for what is different in each. */
export const verdictTexts = sqliteTable('verdict_texts', {
  id: integer('id').primaryKey(),
  text: text('text').notNull(),
})

/**
 * Answers given at the gates to the questions of a ticket's shop: one row for each scan that brought answers. Personal: erased
 * with the names, and published only where the operator's feed names the table.
 */
export const answers = sqliteTable(
  'answers',
  {
    scanId: text('scan_id').primaryKey(),
    ticketRef: text('ticket_ref').notNull(),
    device: text('device').notNull(),
    /** By question id: the answer as text, in the form of `proto/questions.ts`. */
    answers: text('answers', { mode: 'json' }).$type<Record<string, string>>().notNull(),
    at: integer('at').notNull(),
    /** Orders the answers of a ticket among those of all boxes: of two to one question, the later one counts. */
    hlc: text('hlc').notNull(),
    /** The entry that says that they were given. */
    entry: integer('entry').notNull(),
  },
  (table) => [index('answers_ticket').on(table.ticketRef)],
)
export type AnswersRow = typeof answers.$inferSelect

export const devices = sqliteTable('devices', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  /** SHA-256 of the certificate, hex. */
  fingerprint: text('fingerprint').notNull(),
  /** SHA-256 of the bearer token. */
  tokenHash: blob('token_hash', { mode: 'buffer' }).notNull(),
  /** SubjectPublicKeyInfo, DER: signed requests are checked with it. */
  publicKey: blob('public_key', { mode: 'buffer' }).notNull(),
  checkpoints: text('checkpoints', { mode: 'json' }).$type<string[]>().notNull(),
  enrolledAt: integer('enrolled_at').notNull(),
  expiresAt: integer('expires_at').notNull(),
  revokedAt: integer('revoked_at'),
  revokedReason: text('revoked_reason'),
  /** May admit a refused ticket with a reason. */
  supervisor: integer('supervisor', { mode: 'boolean' }).notNull().default(false),
  /** Of pretixSCAN: the app and its version at pairing. It proves a token alone; nobody has the key of its certificate. */
  app: text('app'),
})
export type DeviceRow = typeof devices.$inferSelect

/** `proxy`: the app asks the box about each code; `plain`: it speaks the ticket shop's own API. */
export type PretixScanMode = 'proxy' | 'plain'

export const invites = sqliteTable('invites', {
  /** SHA-256 of the code: a stolen ledger enrols nobody. */
  codeHash: blob('code_hash', { mode: 'buffer' }).primaryKey(),
  name: text('name'),
  checkpoints: text('checkpoints', { mode: 'json' }).$type<string[]>().notNull(),
  expiresAt: integer('expires_at').notNull(),
  usedAt: integer('used_at'),
  /** The device that comes in on it may admit refused tickets. */
  supervisor: integer('supervisor', { mode: 'boolean' }).notNull().default(false),
  /** For pretixSCAN, and in which mode the app is to work; null for a scanner of ours. */
  app: text('app').$type<PretixScanMode>(),
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
    /** The first records of the case, for the feed: the row is not to grow with every scan. `flag_scans` has all. */
    scanIds: text('scan_ids', { mode: 'json' }).$type<string[]>().notNull(),
    /** Null while the case is open, and again when it gains a record. */
    resolution: text('resolution').$type<FlagResolution>(),
    /** Free text may name people: the journal has a salted hash of it, and it can be erased. */
    resolutionNote: text('resolution_note'),
    resolutionSalt: blob('resolution_salt', { mode: 'buffer' }),
    resolvedBy: text('resolved_by'),
    resolvedAt: integer('resolved_at'),
    /** Orders it among the resolutions of all boxes, of which the last one counts. */
    resolutionHlc: text('resolution_hlc'),
    resolutionBox: text('resolution_box'),
    /** The words of the organiser's shop, and what was done about it: of kind `shop_conflict` alone. */
    shop: text('shop', { mode: 'json' }).$type<ShopWords>(),
    /** The entry that last changed it. */
    entry: integer('entry').notNull(),
  },
  (table) => [index('flags_detected').on(table.detectedAt, table.id)],
)

/** Every record of a case, in the order in which this box learned of them. */
export const flagScans = sqliteTable(
  'flag_scans',
  {
    id: integer('id').primaryKey(),
    flag: text('flag').notNull(),
    scanId: text('scan_id').notNull(),
  },
  (table) => [uniqueIndex('flag_scans_key').on(table.flag, table.scanId)],
)
export type FlagResolution = (typeof RESOLUTIONS)[number]
export type FlagKind = (typeof FLAG_KINDS)[number]
export type FlagRow = typeof flags.$inferSelect

/** Announcements of the organiser, signed. */
export const announcements = sqliteTable('announcements', {
  id: text('id').primaryKey(),
  severity: text('severity').$type<(typeof SEVERITIES)[number]>().notNull(),
  text: text('text').notNull(),
  lang: text('lang').notNull(),
  zones: text('zones', { mode: 'json' }).$type<string[] | null>(),
  issuedAt: integer('issued_at').notNull(),
  expiresAt: integer('expires_at'),
  /** Earlier announcements in whose place it stands: the one that it corrects or withdraws, and those before that one. */
  replaces: text('replaces', { mode: 'json' }).$type<string[] | null>(),
  /** It says nothing but that those are no longer so. */
  withdrawn: integer('withdrawn', { mode: 'boolean' }),
  hlc: text('hlc').notNull(),
  signature: blob('signature', { mode: 'buffer' }).notNull(),
  entry: integer('entry').notNull(),
})

/** Incidents that scanners have reported, in their state after the last action. */
export const incidents = sqliteTable('incidents', {
  /** Made by the device that reports it. */
  id: text('id').primaryKey(),
  /** SHA-256 over what was sent, by which boxes of version 0.1 tell it from another report under its id. */
  digest: blob('digest', { mode: 'buffer' }).notNull(),
  kind: text('kind').$type<IncidentKind>().notNull(),
  state: text('state').$type<IncidentState>().notNull(),
  checkpoint: text('checkpoint').notNull(),
  gate: text('gate').notNull(),
  zone: text('zone'),
  queueRatePerMin: real('queue_rate_per_min').notNull(),
  /** People waiting at the gate, as last reported. */
  queue: integer('queue'),
  /** Scans at the gate in the five minutes before it was reported, and those of them that let nobody pass; null by version 0.1. */
  scans: integer('scans'),
  refusals: integer('refusals'),
  /** From the last passage at the gate to the report; null where this box knows of none since its start. */
  idleSeconds: integer('idle_seconds'),
  /** People in `zone` when it was reported. */
  occupancy: integer('occupancy'),
  /** Free text may name a person or an illness: the journal has a salted hash of it, and it can be erased. */
  note: text('note'),
  noteSalt: blob('note_salt', { mode: 'buffer' }),
  reportedBy: text('reported_by').notNull(),
  /** When it was seen, as the device says; and when the report arrived. */
  observedAt: integer('observed_at').notNull(),
  reportedAt: integer('reported_at').notNull(),
  hlc: text('hlc').notNull(),
  assignee: text('assignee'),
  /** Grows with every action: an action on an older version is refused. */
  version: integer('version').notNull(),
  entry: integer('entry').notNull(),
})
export type IncidentKind = (typeof INCIDENT_KINDS)[number]
export type IncidentState = (typeof INCIDENT_STATES)[number]
export type IncidentRow = typeof incidents.$inferSelect

/** The actions on incidents, in order, with their actors. */
export const incidentActions = sqliteTable(
  'incident_actions',
  {
    incident: text('incident').notNull(),
    /** The incident's version after it. */
    version: integer('version').notNull(),
    action: text('action').$type<(typeof INCIDENT_ACTIONS)[number]>().notNull(),
    actor: text('actor').notNull(),
    assignee: text('assignee'),
    reason: text('reason'),
    at: integer('at').notNull(),
    hlc: text('hlc').notNull(),
    entry: integer('entry').notNull(),
  },
  (table) => [primaryKey({ columns: [table.incident, table.version] })],
)

/** Notes that the scanner which reported an incident added to it afterwards. */
export const incidentNotes = sqliteTable(
  'incident_notes',
  {
    /** Made by the device. */
    id: text('id').primaryKey(),
    incident: text('incident').notNull(),
    /** As with the report, the journal has a salted hash of it, and it can be erased. */
    note: text('note'),
    noteSalt: blob('note_salt', { mode: 'buffer' }),
    device: text('device').notNull(),
    at: integer('at').notNull(),
    hlc: text('hlc').notNull(),
    entry: integer('entry').notNull(),
  },
  (table) => [index('incident_notes_incident').on(table.incident)],
)
export type IncidentNoteRow = typeof incidentNotes.$inferSelect

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

/** Refused tickets that a supervisor admitted, and admissions that were undone; by the scan that they are about. */
export const overrides = sqliteTable(
  'overrides',
  {
    scanId: text('scan_id').notNull(),
    kind: text('kind').$type<'supervisor_admit' | 'undo'>().notNull(),
    device: text('device').notNull(),
    actor: text('actor').notNull(),
    reason: text('reason').notNull(),
    at: integer('at').notNull(),
    /** The answer as it was sent, JSON: a resend gets it again. */
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

/** Roots of full subtrees of 16, 256, 4,096, ... entries: a proof from a long log then reads few rows. */
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

/** Snapshots of what is counted from the journal: a restart counts on from there. Not part of the record. */
export const tallies = sqliteTable('tallies', {
  name: text('name').primaryKey(),
  /** Entries counted. */
  size: integer('size').notNull(),
  value: text('value').notNull(),
})

/**
 * Number of tickets that admit somebody, by tier: `valid` in the shop, and not revoked here. Triggers (migration `sold`) keep it in
 * the transaction of every change, so that a million rows are never counted while people queue.
 */
export const sold = sqliteTable('sold', {
  tier: text('tier').primaryKey(),
  tickets: integer('tickets').notNull(),
})

/**
 * Tickets that the desk made, sold or for guests: one row a receipt. The entries of kind `sale` have the same fields, so that every
 * box has every sale. A name or a note is with the ticket, and not here.
 */
export const sales = sqliteTable(
  'sales',
  {
    /** Made by the client. A client that asks two boxes, because the first did not answer, has made two sales. */
    id: text('id').notNull(),
    /** The box that made it, and the number of the sale there: 1, 2, 3, ... without a gap. */
    homeBox: text('home_box').notNull(),
    receipt: integer('receipt').notNull(),
    tier: text('tier').notNull(),
    /** References of its tickets. */
    tickets: text('tickets', { mode: 'json' }).$type<string[]>().notNull(),
    paid: text('paid').$type<Paid>().notNull(),
    /** For one ticket, in the smallest unit of the currency. */
    price: integer('price').notNull(),
    currency: text('currency').notNull(),
    soldBy: text('sold_by').notNull(),
    soldAt: integer('sold_at').notNull(),
    /** Reason why it was made although a tier or a zone was full. */
    overrideReason: text('override_reason'),
    voidedAt: integer('voided_at'),
    voidedBy: text('voided_by'),
    voidReason: text('void_reason'),
    entry: integer('entry').notNull(),
  },
  (table) => [primaryKey({ columns: [table.id, table.homeBox] }), index('sales_sold').on(table.soldAt)],
)
export type SaleRow = typeof sales.$inferSelect

/**
 * Ticked paper lists that are being written into the journal, each from the transaction of its `paper` entry until every ticket of it
 * is admitted: a start goes on with what a power cut has interrupted. Not part of the record.
 */
export const paperQueue = sqliteTable('paper_queue', {
  /** Made by the client. */
  id: text('id').primaryKey(),
  sheet: text('sheet').notNull(),
  checkpoint: text('checkpoint').notNull(),
  /** Between which times the people came in, unix ms. */
  from: integer('from_at').notNull(),
  until: integer('until_at').notNull(),
  /** References of the tickets, in the order in which they were typed. */
  tickets: text('tickets', { mode: 'json' }).$type<string[]>().notNull(),
  entry: integer('entry').notNull(),
})
export type PaperQueueRow = typeof paperQueue.$inferSelect

/** Certificates that may deliver a shop's changes: of the box's own authority, each for one source. */
export const shopCertificates = sqliteTable('shop_certificates', {
  /** SHA-256 of the certificate, hex. */
  fingerprint: text('fingerprint').primaryKey(),
  /** The name of the shop's feed: another certificate of the same source goes on where this one ended. */
  source: text('source').notNull(),
  issuedAt: integer('issued_at').notNull(),
  expiresAt: integer('expires_at').notNull(),
  revokedAt: integer('revoked_at'),
  revokedReason: text('revoked_reason'),
})
export type ShopCertificate = typeof shopCertificates.$inferSelect

/** Position up to which each source's changes are applied, and counts of them. Not part of the record. */
export const shopSources = sqliteTable('shop_sources', {
  source: text('source').primaryKey(),
  /** The last event that was applied: its commit LSN, and its index in the transaction. Null before the first one. */
  commitLsn: text('commit_lsn'),
  eventIndex: integer('event_index'),
  /** The latest time of all commits that were applied: an older position with a later time is of another database. */
  committedAt: real('committed_at'),
  /** When the last batch was applied, and how long after its commit. */
  appliedAt: integer('applied_at'),
  lagMs: integer('lag_ms'),
  events: integer('events').notNull().default(0),
  added: integer('added').notNull().default(0),
  changed: integer('changed').notNull().default(0),
  /** Number of the initial load; rows of an earlier load that the last one did not bring are gone. */
  load: integer('load').notNull().default(0),
  /** When the load that is under way last brought something. */
  loadingAt: integer('loading_at'),
  /** The mapping that every row was last read with. */
  mapping: text('mapping'),
})
export type ShopSource = typeof shopSources.$inferSelect

/**
 * Each row of the shop as it last arrived, as far as the mapping reads it: a change names only what it changes, and an order
 * that is paid has to change its tickets. Holds codes and names; never published, and not part of the record.
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
    /** The same for the columns that name people; null once names were erased. */
    personal: text('personal'),
    gone: integer('gone').notNull().default(0),
    /** The ticket that was made from this row. */
    ticket: integer('ticket'),
    /** The reason why it was not applied: a word for the log, and a sentence for the organiser. */
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

/** Rows whose ticket depends on another row of the shop: `row` is read again when that one changes. */
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
 * Progress in telling a shop what happened at the gates: the entries of each box's journal before `place` have reached it, or have a row
 * in `shop_push_waiting`. A scan writes nothing here. Not part of the record.
 */
export const shopPush = sqliteTable(
  'shop_push',
  {
    /** The shop and its event. */
    target: text('target').notNull(),
    /** The box that the journal belongs to. */
    box: text('box').notNull(),
    place: integer('place').notNull(),
  },
  (table) => [primaryKey({ columns: [table.target, table.box] })],
)

/** Entries that have not reached a shop yet although later ones have; most of the time there is none. Not part of the record. */
export const shopPushWaiting = sqliteTable(
  'shop_push_waiting',
  {
    target: text('target').notNull(),
    box: text('box').notNull(),
    place: integer('place').notNull(),
    /** The entry's time: entries of a ticket go in this order. */
    hlc: text('hlc').notNull(),
    /** Reference of the ticket, whose later entries wait for this one; null for an unknown code. */
    ticket: text('ticket'),
    /** `Step` of `shop/pretix/up/next-step.ts` as JSON: how it is sent next. */
    step: text('step').notNull(),
    /** It was sent before in this way, and may have been carried out. */
    again: integer('again', { mode: 'boolean' }).notNull(),
    /** Times that it was put off. */
    attempts: integer('attempts').notNull(),
    /** Unix ms, the same for all entries of a ticket; null until a person has it tried again, or the ticket's code has changed. */
    nextAt: integer('next_at'),
    /** `Refusal` as JSON: what the shop said; null where it has said nothing. */
    refusal: text('refusal'),
    /** SHA-256 of the code that it was last sent with, hex. */
    triedCode: text('tried_code'),
  },
  (table) => [
    primaryKey({ columns: [table.target, table.box, table.place] }),
    index('shop_push_waiting_next').on(table.target, table.nextAt, table.hlc),
    index('shop_push_waiting_ticket').on(table.target, table.ticket),
  ],
)
export type ShopPushRow = typeof shopPushWaiting.$inferSelect

/**
 * The boxes of the event, this one among them, as the topology last listed them, and how much of each one's journal is here. A
 * single box has no row. A box that has left keeps its row, and what it did stays.
 */
export const boxes = sqliteTable('boxes', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  /** C2SP verifier key of its sealed log. */
  logKey: text('log_key').notNull(),
  /** Entries of its journal that were replicated here, from the first one on without a gap. */
  heard: integer('heard').notNull().default(0),
  leftAt: integer('left_at'),
})
export type BoxRow = typeof boxes.$inferSelect

/**
 * The journals of other boxes as far as they were replicated, byte for byte. `entry` is the entry of kind `heard` in this box's
 * own journal that brought them, and so their place among this box's entries.
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

/** Seals of other boxes' journals, each verified with the entries that are here before it is stored. */
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

/** Cosignatures of boxes on each other's seals (C2SP cosignature/v1): the witness has verified the seal with its own copy. */
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

/** Seals of a box that contradict the entries it sent: the first of each kind. */
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
 * The last change of a ticket, where more than one box may change it: `grp` is what was changed (`shop`, `revoked`, `claim`, ...),
 * and the order is by clock, then box. A ticket without a row was changed only by the box that made it. With a row `codes`, this
 * box knows codes of it that another box may not know yet.
 */
export const ticketVersions = sqliteTable(
  'ticket_versions',
  {
    ticket: integer('ticket').notNull(),
    group: text('grp')
      .$type<'shop' | 'revoked' | 'claim' | 'reissue' | 'holder' | 'note' | 'details' | 'codes'>()
      .notNull(),
    /** Time of the change. For this box's own, whose time is that of `entry`: of the change before it, null for none. */
    hlc: text('hlc'),
    /** The box that made the change; null for this one. */
    box: text('box'),
    /** The entry that explains it here. */
    entry: integer('entry').notNull(),
  },
  (table) => [primaryKey({ columns: [table.ticket, table.group] })],
)

/**
 * Passages that were replicated before their tickets: the import of a third box that is still to come. They are moved into
 * `movements` when the ticket arrives.
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
 * Rights whose reservation is to be caught up with: of provisional admissions, to be reserved; and reserved but not used, or
 * used by an admission that was undone, to be released. Which of the two follows from the ledger when a row is read. Written in
 * the transaction that it follows from, deleted when it is answered. Not part of the record.
 */
export const reservationQueue = sqliteTable(
  'claim_queue',
  {
    scanId: text('scan_id').notNull(),
    ticketRef: text('ticket_ref').notNull(),
    slot: text('slot').notNull(),
    entry: integer('entry').notNull(),
  },
  (table) => [primaryKey({ columns: [table.scanId, table.slot] })],
)
