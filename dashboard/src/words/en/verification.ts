/** Problems that the verification of the record finds, in English. */
import type { Found, Place, Thing } from '@gatehouse/proto/record-problems.ts'

interface Words {
  /** Between a thing and what was found of it. */
  between: string
  things: Record<Thing, string>
  found: Record<Found, string>
  places: Record<Place, string>
}

export const verificationWords: Words = {
  between: ': ',
  things: {
    scan: 'Scan',
    movement: 'Passage',
    override: 'Decision of a supervisor',
    flag: 'Case',
    incident: 'Incident',
    incident_action: 'Step of an incident',
    incident_note: 'Note of an incident',
    hold: 'Gate on hold',
    device: 'Scanner',
    invite: 'Invite',
    sale: 'Sale',
    shop_certificate: 'Certificate of the shop',
    ticket: 'Ticket',
    tickets: 'All tickets',
    credential: 'Code of a ticket',
    person: 'Person',
    api_token: 'API token',
    admin_token: 'Admin token',
    passkey: 'Passkey',
    announcement: 'Announcement',
    mode: 'Mode of the box',
    heard: 'Entries of another box',
  },
  found: {
    missing: 'recorded, but not there',
    differs: 'differs from the record',
    unexplained: 'no entry explains it',
    unknown: 'an entry is about one that never was',
    unreadable: 'a row cannot be read',
  },
  places: {
    gap: 'An entry is missing',
    not_canonical: 'An entry is not written as entries are',
    column_differs: 'An entry is not in its place',
    clock_order: 'Times run backwards',
    subtree_differs: 'A stored sum does not fit its entries',
    subtree_unexplained: 'A stored sum is of more entries than there are',
    seal_differs: 'A seal is wrong',
    seal_missing: 'A seal is missing',
    seal_root: 'Sealed entries were changed, or are missing',
    seal_beyond: 'More entries were sealed than there are',
    another_key: 'The record is signed with another key',
    unreadable: 'An entry does not say what it should',
  },
}
