/** What an entry of the journal says, in one sentence: for whoever reads the log, who has not read the source. */
import type { EntryKind } from '../ledger/ledger.ts'

/** An entry's fields; what they are depends on its kind, and on the version that wrote it. */
export type EntryFields = { readonly [name: string]: unknown }

export interface Names {
  /** Its name, or the id of one that the event no longer has. */
  checkpoint: (id: string) => string
  gate: (id: string) => string
  device: (id: string) => string
}

type Sentence = (text: (name: string) => string, fields: EntryFields, names: Names) => string

const SENTENCES: Record<EntryKind, Sentence> = {
  announcement: (text) => `${text('actor')} announced (${text('severity')}): ${text('text')}`,
  backup: (text, { to }) =>
    to === 'network'
      ? `${text('actor')} downloaded a backup, with the keys of the box.`
      : `${text('actor')} had a backup written to a USB stick.`,
  claim: () => 'A phone claimed a ticket.',
  clock_fence: () => "The box's clock was moved past what it had shown before.",
  clock_set: (text) => `${text('actor')} had the box's clock set to ${text('to')}; it showed ${text('from')}.`,
  cosign: (text, { size }) => `This box signed the seal of ${text('box')} over ${size} entries.`,
  device_revoked: (text, _, names) =>
    `${text('actor')} took ${names.device(text('device'))} out of service: ${text('reason')}`,
  enrolment: (text, { supervisor }, names) =>
    `${names.device(text('device'))} was enrolled${supervisor === true ? ' as a supervisor’s' : ''}.`,
  erasure: (text) => `${text('actor')} had names and notes forgotten.`,
  event: () => 'The event file was read.',
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
  incident_action: (text) =>
    `${text('actor')}: an incident went from ${text('from')} to ${text('to')}${tail(text('assignee'))}${tail(text('reason'))}.`,
  invite: (text, { supervisor }) =>
    `${text('actor')} made an invite for a ${supervisor === true ? 'supervisor’s ' : ''}scanner.`,
  mesh: (text) =>
    `${text('actor')} ${MESH_ACTS[text('action')] ?? 'changed the list of boxes'} (${text('box')})${tail(text('reason'))}.`,
  mode: (text, { forced }) =>
    forced === false
      ? `${text('actor')} no longer forces DEGRADED: ${text('reason')}`
      : `${text('actor')} set the mode to ${text('mode')}: ${text('reason')}`,
  release: (text) => `${text('actor')} took a phone's claim back: ${text('reason')}`,
  restart: (text) => `${text('actor')} restarted the machine.`,
  restore: (text) =>
    `${text('actor')} put this box back from the backup of ${text('backup_made_at')}, ${text('backup_entries')} entries long.`,
  rollback: (text) => `${text('actor')} went back to the software of slot ${text('slot')}.`,
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
  ticket_reinstated: (text) => `${text('actor')} took a revocation back: ${text('reason')}`,
  ticket_revoked: (text) => `${text('actor')} revoked a ticket: ${text('reason')}`,
  undo: (text, _, names) =>
    `${text('actor')} took an admission at ${names.checkpoint(text('checkpoint'))} back: ${text('reason')}`,
  update: (text, { source }) =>
    `${text('actor')} had an update installed ${source === 'usb' ? `from a USB stick: ${text('name')}` : 'from a file that was sent to the box'}.`,
}

export function summaryOf(kind: EntryKind, fields: EntryFields, names: Names): string {
  const text = (name: string) => {
    const value = fields[name]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  }
  // Of another version, or no longer what the box has written: the record is for reading all the same.
  if (!Object.hasOwn(SENTENCES, kind) || fields.kind !== kind)
    return 'This entry cannot be read: run "gatehouse verify".'
  return SENTENCES[kind](text, fields, names)
}

/** What was done about the boxes of the event, by the action that the entry names. */
const MESH_ACTS: Record<string, string> = {
  began: 'made this the first of several boxes',
  invited: 'made an invite for another box',
  bundle: 'sent the event to a box that joins',
  joined: 'had a box join',
  restored: 'put a box back under a new id',
  left: 'had a box leave',
  removed: 'removed a box',
  promoted: 'gave a box a vote',
  moved: 'changed where a box is reached',
  heard: 'heard of another list of boxes',
}

function words(id: string): string {
  return id.replaceAll('_', ' ')
}

function tail(text: string): string {
  return text === '' ? '' : `, ${text}`
}
