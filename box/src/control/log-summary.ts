/** An entry of the journal in one sentence, for readers of the log. */
import type { EntryFields, EntryKind } from '../ledger/entries.ts'

/** The parsed bytes of an entry, with no field guaranteed: they may be of another version, or damaged. */
export type RawFields = { readonly [name: string]: unknown }

export interface Names {
  /** Its name, or the id of one that the event no longer has. */
  checkpoint: (id: string) => string
  gate: (id: string) => string
  device: (id: string) => string
}

/** @param text a field as text; empty where the entry does not have it */
type Sentence<K extends EntryKind> = (
  text: (name: keyof EntryFields<K>) => string,
  fields: Partial<EntryFields<K>>,
  names: Names,
) => string

const SENTENCES: { [K in EntryKind]: Sentence<K> } = {
  admin_token: (text, { action }) =>
    action === 'rotated'
      ? `${text('actor')} replaced the admin token.`
      : action === 'seen'
        ? `${text('actor')} has seen that the admin token was used.`
        : `The admin token was used (${text('actor')}, ${text('address')}).`,
  announcement: (text) => `${text('actor')} announced (${text('severity')}): ${text('text')}`,
  answers: (text, { count }, names) =>
    `${count === 1 ? 'A question' : `${count} questions`} of a ticket answered at ${names.device(text('device'))}.`,
  api_token: (text, { action }) =>
    `${text('actor')} ${action === 'revoked' ? 'revoked' : 'made'} the API token ${text('name')} (${text('role')}).`,
  backup: (text, { to, encrypted }) => {
    const kind = encrypted === true ? 'an encrypted backup' : 'a backup'
    return to === 'network'
      ? `${text('actor')} downloaded ${kind}, with the keys of the box.`
      : `${text('actor')} had ${kind} written to a USB stick.`
  },
  claim: () => 'A phone claimed a ticket.',
  clock_fence: () => "The box's clock was moved past what it had shown before.",
  clock_set: (text) => `${text('actor')} had the box's clock set to ${text('to')}; it showed ${text('from')}.`,
  cosign: (text, { size }) => `This box signed the seal of ${text('box')} over ${size} entries.`,
  device_revoked: (text, _, names) =>
    `${text('actor')} took ${names.device(text('device'))} out of service: ${text('reason')}`,
  enrolment: (text, { supervisor, app }, names) =>
    `${names.device(text('device'))} was enrolled${supervisor === true ? ' as a supervisor’s' : ''}${app ? ', with pretixSCAN' : ''}.`,
  erasure: (text) => `${text('actor')} had names and notes forgotten.`,
  event: () => 'The event file was read.',
  event_edited: (text, { changes }) =>
    `${text('actor')} changed the event file${changes === 0 ? '' : `, with ${changes} ${changes === 1 ? 'consequence' : 'consequences'} for what existed`}.`,
  export: (text) => `${text('actor')} exported the report.`,
  flag: (text, { reopened }) =>
    `A case was ${reopened === true ? 'opened again' : 'opened'}: ${words(text('flag_kind'))}.`,
  flag_resolved: (text) =>
    `${text('actor')} resolved a case (${words(text('flag_kind'))}): ${words(text('resolution'))}.`,
  heard: (text, { from, to }) => `Heard from ${text('box')}: entries ${from} to ${Number(to) - 1} of its journal.`,
  hold: (text, _, names) => `${text('actor')} held ${names.gate(text('gate'))}: ${text('reason')}`,
  hold_released: (text, _, names) => `${text('actor')} released ${names.gate(text('gate'))}.`,
  import: (text) => `${text('actor')} imported tickets: ${text('added')} added, ${text('changed')} changed.`,
  incident: (text, _, names) =>
    `${names.device(text('device'))} reported ${words(text('incident_kind'))} at ${names.checkpoint(text('checkpoint'))}.`,
  incident_note: (text, _, names) => `${names.device(text('device'))} added a note to an incident.`,
  incident_action: (text) =>
    `${text('actor')}: an incident went from ${text('from')} to ${text('to')}${tail(text('assignee'))}${tail(text('reason'))}.`,
  invite: (text, { supervisor, app }) =>
    `${text('actor')} made an invite for a ${supervisor === true ? 'supervisor’s ' : ''}${app ? 'pretixSCAN' : 'scanner'}.`,
  look_up: (text, { what }, names) => {
    const who = text('device') === '' ? text('actor') : `${text('actor')} (${names.device(text('device'))})`
    return `${who} ${LOOK_UPS[what ?? 'search']}.`
  },
  mesh: (text) =>
    `${text('actor')} ${MESH_ACTS[text('action')] ?? 'changed the list of boxes'} (${text('box')})${tail(text('reason'))}.`,
  mode: (text, { forced }) =>
    forced === false
      ? `${text('actor')} no longer forces DEGRADED: ${text('reason')}`
      : `${text('actor')} set the mode to ${text('mode')}: ${text('reason')}`,
  paper: (text, { action, tickets }, names) =>
    action === 'printed'
      ? `${text('actor')} printed a paper list for ${names.gate(text('place'))}: sheet ${text('sheet')}, ${tickets} tickets.`
      : `${text('actor')} typed in ${tickets} ticked tickets of sheet ${text('sheet')}, let in on paper at ${names.checkpoint(text('place'))}.`,
  passkey: (text, { action }) =>
    action === 'refused'
      ? `A passkey of ${text('actor')} was refused (${text('address')}): its count of uses went back, and there may be a copy of it.`
      : `${text('actor')} ${action === 'removed' ? 'removed' : 'added'} a passkey for ${text('site')}.`,
  rehearsal: (text, { action, scans, devices }) =>
    action === 'started'
      ? `${text('actor')} started a rehearsal, until ${text('until')}: nothing scanned in it is recorded.`
      : `${text('actor')} ended a rehearsal: ${scans} codes tried with ${devices} scanners, nobody admitted.`,
  release: (text) => `${text('actor')} took a phone's claim back: ${text('reason')}`,
  restart: (text) => `${text('actor')} restarted the machine.`,
  restore: (text) =>
    `${text('actor')} put this box back from the backup of ${text('backup_made_at')}, ${text('backup_entries')} entries long.`,
  rollback: (text) => `${text('actor')} went back to the software of slot ${text('slot')}.`,
  session: (text, { action, device, session, passkey }, names) => {
    if (device && device !== session)
      return `${text('actor')} ${action === 'ended' ? 'ended the sign-on' : 'signed on'} at ${names.device(device)}.`
    if (action === 'ended') return `${text('actor')} ended a session.`
    const where = device ? names.device(device) : ''
    if (action === 'invited') return `${text('actor')} made an invite for ${where}.`
    return `${text('actor')} ${device ? `paired ${where}` : `signed in${passkey ? ' with a passkey' : ''}`}.`
  },
  staff: (text, { action }) =>
    `${text('actor')} ${action ?? 'changed'} ${text('name')} (${text('role')}) ${action === 'removed' ? 'from' : 'in'} the list of staff.`,
  sale: (text, { action, tickets = [], paid }) =>
    action === 'voided'
      ? `${text('actor')} voided sale ${text('receipt')} (${countOf(tickets.length)}): ${text('reason')}`
      : `${text('actor')} ${paid === 'free' ? 'gave away' : 'sold'} ${countOf(tickets.length)} at the desk, receipt ${text('receipt')}.`,
  scan: (text, { offline_admitted, verdict }, names) =>
    `${text('verdict')} at ${names.checkpoint(text('checkpoint'))}${
      offline_admitted === true && verdict !== 'EXIT' ? ', let in by the scanner alone' : ''
    }.`,
  seal: () => 'The journal was sealed.',
  shop: (text) => `The shop's changes: ${text('added')} tickets added, ${text('changed')} changed.`,
  shop_certificate: (text) => `${text('actor')} made a certificate for the shop's feed (${text('source')}).`,
  shop_certificate_revoked: (text) => `${text('actor')} took a certificate of the shop's feed back: ${text('reason')}`,
  supervisor_admit: (text, _, names) =>
    `${text('actor')} let a refused ticket (${text('verdict')}) in at ${names.checkpoint(text('checkpoint'))}: ${text('reason')}`,
  ticket_edited: (text, { what, text_hash }) =>
    `${text('actor')} ${text_hash === null ? 'removed' : 'wrote'} a ticket’s ${what === 'note' ? 'note' : 'name'}: ${text('reason')}`,
  ticket_forgotten: (text) => `${text('actor')} erased what names the holder of a ticket.`,
  ticket_reinstated: (text) => `${text('actor')} took a revocation back: ${text('reason')}`,
  ticket_reissued: (text) => `${text('actor')} issued a ticket again: ${text('reason')}`,
  ticket_revoked: (text) => `${text('actor')} revoked a ticket: ${text('reason')}`,
  undo: (text, _, names) =>
    `${text('actor')} took an admission at ${names.checkpoint(text('checkpoint'))} back: ${text('reason')}`,
  update: (text, { source, older }) =>
    `${text('actor')} had an update installed ${source === 'usb' ? `from a USB stick: ${text('name')}` : 'from a file that was sent to the box'}${older === undefined ? '' : `, although version ${text('older')} is older than the one that ran`}.`,
}

export function summaryOf<K extends EntryKind>(kind: K, fields: RawFields, names: Names): string {
  const text = (name: keyof EntryFields<K>) => {
    const value = fields[name as string]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  }
  // Of another version, or no longer what the box has written: the record is for reading all the same.
  if (!Object.hasOwn(SENTENCES, kind) || fields.kind !== kind)
    return 'This entry cannot be read: run "gatehouse verify".'
  return SENTENCES[kind](text, fields as Partial<EntryFields<K>>, names)
}

const LOOK_UPS: Readonly<Record<EntryFields<'look_up'>['what'], string>> = {
  search: 'looked for tickets',
  ticket: 'opened a ticket at the desk',
  link: "had a ticket's link shown",
}

/** The change to the list of boxes, by the action in the entry. */
const MESH_ACTS: Readonly<Record<string, string>> = {
  began: 'made this the first of several boxes',
  invited: 'made an invite for another box',
  bundle: 'sent the event to a box that joins',
  joined: 'had a box join',
  restored: 'put a box back under a new id',
  left: 'had a box leave',
  removed: 'removed a box',
  promoted: 'gave a box a vote',
  moved: 'changed where a box is reached',
  keys: 'renewed the keys between the boxes',
  heard: 'heard of another list of boxes',
} satisfies Record<EntryFields<'mesh'>['action'], string>

function countOf(tickets: number): string {
  return tickets === 1 ? 'one ticket' : `${tickets} tickets`
}

function words(id: string): string {
  return id.replaceAll('_', ' ')
}

function tail(text: string): string {
  return text === '' ? '' : `, ${text}`
}
