/**
 * Every kind of journal entry, in the one place that lists them. The ledger appends and reads entries by these types, the
 * control room's log offers these kinds, and a new kind is one more property here. The compiler then names each reader that has
 * an answer for every kind; CONTRIBUTING.md lists these, and the readers of some kinds alone, which it cannot name.
 *
 * An entry is kept for ever, and it is published: none contains a holder's name, a code or a ticket id. A ticket is named by its
 * reference, a free text by a salted hash. Times are ISO 8601 in UTC unless a field says otherwise.
 */
import { type Static, type TObject, type TSchema, Type } from 'typebox'
import { STAFF_ROLES } from '../operations.ts'
import { FLAG_KINDS, RESOLUTIONS, SHOP_FORMATS, ShopWords } from './admin.ts'
import { Announcement } from './attendee.ts'
import { INCIDENT_ACTIONS, INCIDENT_KINDS, INCIDENT_STATES } from './incidents.ts'
import { PAID } from './sales.ts'
import { VERDICTS } from './scan.ts'
import { Count, Direction, Mode, Nullable } from './terms.ts'

/** One kind of entry: the fields that are its own, beside `hlc`, `index` and `kind`, which every entry has. */
export interface EntrySchema<P extends Record<string, TSchema>, Later extends keyof P> {
  /** The fields that this version writes, and no others. */
  readonly written: TObject<P>
  /** Fields that were added later: entries of earlier versions lack them, and readers have to cope. */
  readonly later: readonly Later[]
}

function Kind<P extends Record<string, TSchema>, const Later extends keyof P = never>(
  fields: P,
  later: readonly Later[] = [],
): EntrySchema<P, Later> {
  return { written: Type.Object(fields, { additionalProperties: false }), later }
}

const text = (description: string) => Type.String({ description })
const many = (description: string) => Type.Unsafe<number>({ ...Count, description })

const at = text('When the box learned of it')
const checkpoint = text('Id of the checkpoint')
const device = text('Id of the device')
const gate = text('Id of the gate')
const reason = text('Why, in the words of whoever did it')
const ticket = text("The ticket's reference: a keyed hash of its id, hex")
const certificate = text('SHA-256 of the certificate, hex')
const confidence = Type.Enum(['confirmed', 'provisional'], {
  description: 'confirmed: no other box can have admitted by this right',
})
const app = Type.Optional(
  Type.Literal('pretixscan', { description: 'pretixSCAN, which proves a token alone; absent for a scanner of ours' }),
)
const verdict = Type.Enum([...VERDICTS], { description: 'Answer to the scan' })
const note_hash = Nullable(
  text('SHA-256 over salt and note, hex: whoever has both can prove what was written; null for no note'),
)
const tickets_digest = text('Over all tickets, as this has left them')
const digest = text('Keyed digest of the rows that were added and changed')
const scans = Type.Array(Type.String(), {
  description: 'Ids of scans of the case: those that this entry adds; in a resolution, every one that was known',
})

/** Author of an admin's action, and the address that it came from. */
const by = {
  actor: text('The person or the API token that was signed in; with the admin token, as they called themselves'),
  address: text('IP address of the peer; or the command line, or the folder of the event'),
  person: Type.Optional(text('Id of the person who was signed in')),
  via: Type.Optional(text('Id of the session, of the paired tablet, or of the API token')),
}

const role = Type.Enum([...STAFF_ROLES])

/** The person who held the scanner, by the login there. */
const signedOn = {
  person: Type.Optional(text('Id of the person who was signed on at the device; absent where nobody was')),
  via: Type.Optional(text('Id of the session')),
}

/** The right that a passage used, and the ticket that has it. */
const passage = {
  at,
  checkpoint,
  device: text('Id of the device that did it'),
  scan_id: text('The scan that it is about'),
}

const flagged = {
  flag: text('Id of the case: the same at every box'),
  flag_kind: Type.Enum([...FLAG_KINDS]),
  scans,
  ticket: Nullable(ticket),
}

const hold = {
  ...by,
  at,
  gate,
  hold: text('Id of the hold'),
}

export const ENTRIES = {
  /** The admin token was used where persons sign in, a person has seen that it was, or it was replaced. */
  admin_token: Kind({
    ...by,
    action: Type.Enum(['used', 'seen', 'rotated']),
    hash: Nullable(text('Of the new token: SHA-256, hex; null where it was used or seen')),
  }),
  /** The organiser told everybody something. */
  announcement: Kind({
    ...by,
    id: text('UUID'),
    severity: Announcement.properties.severity,
    text: text('What everybody is told'),
    lang: text('BCP 47'),
    zones: Type.Optional(Type.Array(Type.String(), { description: 'Whom it concerns; everybody where absent' })),
    issued_at: text('When it was made'),
    expires_at: Type.Optional(text('Until when it is shown; always where absent')),
    replaces: Type.Optional(
      Type.Array(Type.String(), { description: 'Ids of earlier ones in whose place it stands; absent for a new one' }),
    ),
    withdrawn: Type.Optional(Type.Literal(true, { description: 'It only takes those back' })),
  }),
  /** Somebody answered questions of the ticket's shop. What was answered is in no entry. */
  answers: Kind({
    at,
    count: many('Questions that were answered'),
    device: text('Id of the device that asked'),
    ...signedOn,
    scan_id: text('The scan that brought the answers, or after which they were given'),
    ticket,
  }),
  /** A token for another program was made, or revoked. */
  api_token: Kind({
    ...by,
    action: Type.Enum(['made', 'revoked']),
    token: text('Its id'),
    name: text('What the program is called'),
    role,
    operations: Nullable(
      Type.Array(Type.String(), { description: 'To which it is limited; null for all of its role' }),
    ),
    expires_at: text('Until when it works'),
  }),
  /** A backup was taken, with the keys of the box. */
  backup: Kind({
    ...by,
    to: Type.Enum(['network', 'usb']),
    encrypted: Type.Optional(Type.Literal(true, { description: 'Absent where it was not; never says with what' })),
  }),
  /** A phone took a ticket for its own. */
  claim: Kind({ code: text("Code hash of the phone's public key, hex"), ticket }),
  /** The box started with a wall clock behind a time that it had lived through. */
  clock_fence: Kind({
    fence: text('Where its clock began instead: a reading'),
    wall: text('What the wall clock showed'),
  }),
  /** Somebody set the box's wall clock. */
  clock_set: Kind({ ...by, from: text('What it showed'), to: text('What it was set to') }),
  /** This box signed another box's seal, which it had held against its own copy of that journal. */
  cosign: Kind({
    box: text('Whose log it is'),
    size: many('Entries that the seal covers'),
    root: text('Base64'),
    line: text('The signature line'),
  }),
  /** A device may scan no more. */
  device_revoked: Kind({ ...by, device, reason }),
  /** A device came in on an invite. */
  enrolment: Kind({
    certificate,
    checkpoints: Type.Array(Type.String(), { description: 'Checkpoints at which it may scan' }),
    device,
    supervisor: Type.Boolean({ description: 'May admit refused tickets' }),
    app,
  }),
  /** Names and notes were forgotten. */
  erasure: Kind({
    ...by,
    at,
    names: many('Tickets that lost the name of their holder'),
    emails: many('Tickets that lost an e-mail address'),
    incident_notes: many('Notes of incidents that were lost'),
    flag_notes: many('Cases that lost the note of their resolution'),
  }),
  /** Content of the event file: the first entry of a journal, and again whenever the file has changed. */
  event: Kind({
    box: text('Whose journal it is'),
    event: Type.Unsafe<object | null>({
      type: ['object', 'null'],
      description: 'The event file with its defaults; null where a journal was copied that had not told its event',
    }),
  }),
  /** Somebody changed the event file, or the map beside it, at this box; it counts from the next start on, whose `event` entry has its content. */
  event_edited: Kind({
    ...by,
    digest: text('SHA-256 of the file as it was written, hex'),
    changes: many('What it changes for tickets, scanners and people that existed, as whoever wrote it was told'),
  }),
  /** The record was exported. */
  export: Kind(by),
  /** A case was opened, or gained a record. */
  flag: Kind(
    {
      ...flagged,
      device: Nullable(device),
      occurrence: Nullable(many('How many admissions the ticket then had')),
      reopened: Type.Boolean({ description: 'It was resolved, and is open again' }),
      since: text("The clock's reading at the record that made it a case"),
      shop: Type.Optional(ShopWords),
    },
    ['occurrence', 'since'],
  ),
  /** Somebody found out about a case. It counts for the scans that it names, and no more. */
  flag_resolved: Kind({ ...by, ...flagged, at, note_hash, resolution: Type.Enum([...RESOLUTIONS]) }, [
    'scans',
    'ticket',
  ]),
  /** Entries of another box were replicated here. */
  heard: Kind({
    box: text('Whose journal'),
    from: many('The first of them, by its place in that journal'),
    to: many('The one after the last; entries in between that an earlier entry names already are left out'),
    digest: text('SHA-256 over the leaf hashes of these entries, hex: the seals of this box hold them, too'),
    again: Type.Array(Count, {
      description: 'Places of admissions and undos whose ticket has another admission here: the turnout stays as it is',
    }),
    known: Type.Array(Count, {
      description: 'Places of passages and undos that this box knew already: they move nobody once more',
    }),
    tickets_digest: Type.Optional(text('Over all tickets, as this has left them; absent where it has changed none')),
  }),
  /** Nobody enters through the gate any more. A hold that was not released before, expired or not, ends with it. */
  hold: Kind({
    ...hold,
    expires_at: Nullable(text('null: until it is released')),
    reason: text('What the gate is told'),
    replaces: Nullable(text('Id of the hold that ends with it')),
  }),
  /** People enter through the gate again. */
  hold_released: Kind({ ...hold, reason: Nullable(reason) }),
  /** Tickets were imported from a file. */
  import: Kind({
    ...by,
    added: many('Tickets that were new'),
    changed: many('Tickets that were brought up to date'),
    digest,
    format: Type.Enum([...SHOP_FORMATS]),
    tickets_digest,
  }),
  /** A device reported what goes wrong at a gate. */
  incident: Kind({
    at,
    checkpoint,
    device,
    ...signedOn,
    gate,
    incident: text('Made by the device'),
    incident_kind: Type.Enum([...INCIDENT_KINDS]),
    note_hash,
    observed_at: text('When it was seen, as the device says'),
    occupancy: Nullable(Type.Integer({ description: 'People in the zone; null where nobody can say' })),
    idle_seconds: Type.Optional(
      Nullable(many('Since somebody last passed the gate; null where nobody has since the box started')),
    ),
    queue: Nullable(many('People waiting at the gate; null where nobody has said')),
    queue_rate_per_min: Type.Number({ description: 'People admitted a minute at the gate' }),
    refusals: Type.Optional(many('Of `scans`, those that let nobody pass')),
    scans: Type.Optional(many('At the gate in the five minutes before')),
    zone: Nullable(text('On the inner side of the checkpoint')),
  }),
  /** Somebody in the control room acted on an incident. */
  incident_action: Kind({
    ...by,
    action: Type.Enum([...INCIDENT_ACTIONS]),
    assignee: Nullable(text('Who goes')),
    at,
    from: Type.Enum([...INCIDENT_STATES]),
    incident: text('Id of the incident'),
    reason: Nullable(reason),
    to: Type.Enum([...INCIDENT_STATES]),
    version: many("The incident's version after it; 1 is the report"),
  }),
  /** The scanner that reported an incident added something to it. */
  incident_note: Kind({
    at,
    device,
    ...signedOn,
    incident: text('Id of the incident'),
    note: text('Id of the note, made by the device'),
    note_hash: text('SHA-256 over salt and note, hex'),
  }),
  /** An invite for a scanner was made. Its code is in no entry: it would be as good as the invite. */
  invite: Kind({
    ...by,
    checkpoints: Type.Array(Type.String(), { description: 'Checkpoints at which the device may scan' }),
    expires_at: text('Until when it works'),
    supervisor: Type.Boolean({ description: 'The device may admit refused tickets' }),
    app,
  }),
  /** Somebody looked tickets up, or opened one: who and how, never what they typed. */
  look_up: Kind({
    ...by,
    device: Nullable(device),
    what: Type.Enum(['search', 'ticket', 'link'], { description: 'link: it was shown, to be taken over by a phone' }),
    found_by: Type.Array(Type.Enum(['name', 'order_code', 'seat']), {
      description: 'Of a search: what the results have in common with what was typed; empty where it found none',
    }),
    ticket: Nullable(ticket),
  }),
  /** Somebody changed which boxes the event has, or this box learned of it. */
  mesh: Kind({
    ...by,
    action: Type.Enum([
      ...([
        'began',
        'invited',
        'bundle',
        'joined',
        'restored',
        'left',
        'removed',
        'promoted',
        'moved',
        'keys',
        'heard',
      ] as const),
    ]),
    box: text('Id of the box that it is about; for `heard`, the address of the box that said so'),
    reason: Type.Optional(reason),
    epoch: Type.Optional(many('Of the list of boxes after it')),
    version: Type.Optional(many('Of the list of boxes after it')),
    as: Type.Optional(
      Type.Enum(['box', 'data-centre', 'voter'], { description: 'For `invited`: what may come in on it' }),
    ),
    expires_at: Type.Optional(text('For `invited`: until when it works')),
    from: Type.Optional(text('Of the first entries of a new box: id of the box whose ledger it began with')),
    entries: Type.Optional(many('With `from`: entries that the journal of that box had')),
  }),
  /** The mode changed: somebody forced it, or the box found out by itself. */
  mode: Kind({
    actor: text('Whoever did it; `mesh` where the box found out by itself'),
    address: Type.Optional(by.address),
    person: by.person,
    via: by.via,
    forced: Type.Optional(
      Type.Boolean({ description: 'True if DEGRADED is forced from now on; where the event has several boxes' }),
    ),
    mode: Mode,
    reason,
  }),
  /** A paper list was printed for a gate, or what was ticked on it was typed in. */
  paper: Kind({
    ...by,
    at,
    action: Type.Enum(['printed', 'admitted']),
    sheet: text('Number of the list, as it is printed'),
    place: text('Id of the gate; of the checkpoint where people were admitted'),
    tickets: many('Rows of the list; or tickets that were ticked'),
    from: Nullable(text('When the people came in: not before; null for a list that was printed')),
    until: Nullable(text('Not after')),
  }),
  /** A passkey of a person was added or removed; or one was refused whose count of uses went back, so that there may be a copy of it. */
  passkey: Kind({
    ...by,
    action: Type.Enum(['added', 'removed', 'refused']),
    passkey: text('Its id'),
    of: text('Id of the person whose it is'),
    site: text('Public name of the box for which it was made'),
    credential: text('SHA-256 over its credential id and its public key, hex'),
  }),
  /** A rehearsal began or ended: what was scanned in it is recorded nowhere. One that has no end was ended by a stop of the box. */
  rehearsal: Kind({
    ...by,
    at,
    action: Type.Enum(['started', 'ended']),
    rehearsal: text('Id of the rehearsal'),
    until: text('When it was to end by itself'),
    anyway: Type.Optional(
      Type.Literal(true, { description: 'It was started although the event was on, or people came' }),
    ),
    scans: many('Codes that were tried in it'),
    devices: many('Scanners that took part'),
  }),
  /** The organiser took a phone's ticket back: the link shows it again, with a new key. */
  release: Kind({ ...by, code: text('Code hash of the new public key, hex'), reason, ticket }),
  /** The machine was restarted. */
  restart: Kind(by),
  /** The box was put back from a backup. */
  restore: Kind({
    ...by,
    backup_made_at: text('When the backup was made'),
    backup_entries: many('Entries that its journal had'),
  }),
  /** The machine went back to the software of its other slot. */
  rollback: Kind({ ...by, slot: Type.Enum(['A', 'B']) }),
  /** The desk made tickets, sold or for guests; or a sale was voided, and its tickets revoked. */
  sale: Kind({
    ...by,
    action: Type.Enum(['made', 'voided']),
    at,
    sale: text('Id of the sale'),
    box: text('The box that made it'),
    receipt: many('Its number among the sales of that box, from 1 without a gap'),
    tier: text('Id of the tier'),
    tickets: Type.Array(ticket),
    paid: Type.Enum([...PAID]),
    price: many('For one ticket, in the smallest unit of the currency'),
    currency: text('ISO 4217'),
    sold_by: text('The actor of the sale, also where somebody else voids it'),
    sold_at: text('When it was made'),
    reason: Nullable(text('Why over a capacity; or why it is void')),
    tickets_digest: Nullable(text('Over all tickets, as this has left them; null where it is void')),
  }),
  /** A scan, and what it was answered. */
  scan: Kind({
    ...passage,
    ...signedOn,
    code: Nullable(
      text('Code hash of the credential, hex; null for a forged code, and for a ticket that came in with another one'),
    ),
    confidence,
    device_hlc: text("The device's clock when it scanned: a reading"),
    direction: Direction,
    observed_at: text('When the person stood there, as the device says'),
    occurrence: Nullable(many('How many admissions the ticket then had; null where that is not said')),
    offline_admitted: Type.Boolean({ description: 'The scanner had let this person in, alone' }),
    slot: Nullable(text('The right that the passage used up; null when nobody passed')),
    surplus: Nullable(many('Its place among those that used the right: 0 for the first; null when nobody passed')),
    ticket: Nullable(ticket),
    tier: Nullable(text("The ticket's tier, as it then was")),
    verdict,
    with: Type.Optional(text('The scan of another ticket of its order, whose code was shown for both')),
  }),
  /** Somebody had the journal sealed. */
  seal: Kind(by),
  /** A person signed in at this box or on at a scanner, a tablet was invited for one, or a session ended before its time. */
  session: Kind({
    ...by,
    action: Type.Enum(['opened', 'ended', 'invited']),
    session: text('Its id'),
    of: text('Id of the person whose it is'),
    device: Nullable(
      text(
        'Id of the paired tablet, which is that of its session, or of the scanner; null for a browser that is not paired',
      ),
    ),
    issuer: Type.Optional(
      text("The OpenID provider that vouched for the person, where they signed in with the organiser's"),
    ),
    passkey: Type.Optional(text('Id of the passkey with which they signed in')),
  }),
  /** The shop's feed changed tickets. */
  shop: Kind({
    source: text('Whose feed'),
    position: Nullable(text('How far the feed was read; null where the changes have no position')),
    added: many('Tickets that were new'),
    changed: many('Tickets that were brought up to date'),
    digest,
    tickets_digest,
  }),
  /** A certificate for a shop's feed was made. */
  shop_certificate: Kind({ ...by, certificate, source: text('Whose feed it may deliver') }),
  /** Nothing is taken from this certificate any more. */
  shop_certificate_revoked: Kind({ ...by, certificate, reason }),
  /** A person of the staff was added, changed or removed. */
  staff: Kind({
    ...by,
    action: Type.Enum(['added', 'changed', 'removed']),
    about: text('Id of the person that it is about'),
    name: text('What they are called from now on'),
    role,
    secret: Nullable(
      text(
        'SHA-256 of the stored form of PIN or password, hex: nobody without the keys of the event can test a guess by it; null for none',
      ),
    ),
  }),
  /** A supervisor admitted a refused ticket. */
  supervisor_admit: Kind({
    ...passage,
    ...signedOn,
    actor: text('The supervisor'),
    code: Nullable(text('Code hash of the credential that was scanned, hex')),
    confidence,
    direction: Type.Literal('in'),
    occurrence: many('How many admissions the ticket then had'),
    reason,
    slot: text('The right that the passage used up'),
    surplus: many('Its place among those that used the right: 0 for the first'),
    ticket,
    tier: text("The ticket's tier, as it then was"),
    verdict,
  }),
  /** The desk wrote something about a ticket, or removed it. */
  ticket_edited: Kind({
    ...by,
    reason,
    ticket,
    what: Type.Enum(['holder', 'note']),
    text_hash: Nullable(text('SHA-256 over salt and text, hex; null where it was removed')),
  }),
  /** The holder of one ticket was erased: name, e-mail, notes and answers, for good. */
  ticket_forgotten: Kind({ ...by, at, ticket }),
  /** A revocation was taken back. */
  ticket_reinstated: Kind({ ...by, reason, ticket }),
  /** The desk gave a ticket a new code, a new link and a new key: the old ones open nothing any more. */
  ticket_reissued: Kind({
    ...by,
    reason,
    ticket,
    code: text('Code hash of the new printed code, hex'),
    key: text('Code hash of the new public key, hex'),
  }),
  /** A ticket was revoked at this box. */
  ticket_revoked: Kind({ ...by, reason, ticket }),
  /** An admission was taken back: the right is the ticket's again. */
  undo: Kind({
    ...passage,
    ...signedOn,
    actor: text('Whoever took it back'),
    direction: Type.Literal('in'),
    occurrence: many('Admissions that the ticket has left'),
    reason,
    slot: text('The right that is given back'),
    surplus: many('The place that it had among those that used the right'),
    supervised: Type.Boolean({ description: "True for a supervisor's admission" }),
    ticket,
    tier: text("The ticket's tier, as it was when it was admitted"),
    undone: many('The entry that it takes back'),
  }),
  /** An update was handed to the machine, to be installed beside the version that runs. */
  update: Kind({
    ...by,
    source: Type.Enum(['upload', 'usb']),
    bytes: Type.Optional(many('Of an upload: its length')),
    sha256: Type.Optional(text('Of an upload: its SHA-256, hex')),
    name: Type.Optional(text('Of a USB stick: the file')),
    older: Type.Optional(text('The version that an admin wanted although it was older than the one that ran')),
  }),
} as const

export type EntryKind = keyof typeof ENTRIES
/** In alphabetical order, as the API's description lists them. */
export const ENTRY_KINDS = Object.keys(ENTRIES) as readonly EntryKind[]

type Written = { [K in EntryKind]: Static<(typeof ENTRIES)[K]['written']> }
type Later = { [K in EntryKind]: (typeof ENTRIES)[K]['later'][number] }

/** Input for an entry of this kind: everything but its place in the journal. */
export type NewEntry<K extends EntryKind> = Written[K]

/** The fields of an entry of this kind as it is read; an entry of an earlier version may have fewer of them. */
export type EntryFields<K extends EntryKind> = K extends EntryKind
  ? Plain<Omit<Written[K], Later[K]> & Partial<Pick<Written[K], Later[K] & keyof Written[K]>> & Place<K>>
  : never

interface Place<K> {
  /** Its box's clock when it was written: a reading. */
  hlc: string
  /** Its place in the journal of the box that wrote it. */
  index: number
  kind: K
}

/** The same type with its properties written out, for readable messages of the compiler. */
type Plain<T> = { readonly [P in keyof T]: T[P] }
