/**
 * A ticket's fields in groups: what the shop says, the revocation, and the key. Each group changes as a whole and has a version
 * of its own (`tickets/versions.ts`). Pure.
 */
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import type { Ticket } from '../../../ledger/schema.ts'
import { DETAIL_COLUMNS } from '../../../tickets/statements.ts'
import { compareVersions, NEVER_CHANGED, type TicketGroup, type Version } from '../../../tickets/versions.ts'

const FIELDS = {
  shop: ['code', 'tier', 'seat', 'holderName', 'email', 'validFrom', 'validUntil', 'status', 'statusDetail'],
  revoked: ['revokedAt', 'revokedReason'],
  reissue: ['deskCode', 'deskLink'],
  claim: ['seed', 'publicKey', 'claimedAt'],
  holder: ['deskHolder'],
  note: ['deskNote'],
  // Not with the shop's fields: a box of version 0.1 has none of them, and would remove them with every change of those.
  details: DETAIL_COLUMNS,
} as const satisfies Record<TicketGroup, readonly (keyof Ticket)[]>

export const GROUPS = Object.keys(FIELDS) as TicketGroup[]

/** The fields that are the event's; the others are this box's own. */
export type TicketFields = Pick<Ticket, (typeof FIELDS)[TicketGroup][number]>

export interface VersionedFields {
  fields: TicketFields
  version: (group: TicketGroup) => Version | undefined
}

/**
 * Merges two states of one ticket, each group from its later version.
 * @returns the fields after it, and the groups that were taken from `theirs`
 */
export function mergeGroups(
  ours: VersionedFields,
  theirs: VersionedFields,
): { fields: TicketFields; taken: [TicketGroup, Version][] } {
  const fields: TicketFields = { ...ours.fields }
  const taken: [TicketGroup, Version][] = []
  const compare = (group: TicketGroup) =>
    compareVersions(theirs.version(group) ?? NEVER_CHANGED, ours.version(group) ?? NEVER_CHANGED)
  for (const group of GROUPS) {
    const version = theirs.version(group) ?? NEVER_CHANGED
    // A claim by a link from before the last re-issue counts for nothing, however late it was made at a box that was alone.
    const order = (group === 'claim' && compare('reissue')) || compare(group)
    // Unversioned on both sides and yet different: two boxes have imported the same ticket, and every box takes the same state.
    const isTied = order === 0 && version.hlc === ''
    if (order < 0 || (order === 0 && !isTied)) continue
    const [own, other] = [groupOf(group, ours.fields), groupOf(group, theirs.fields)]
    if (isTied && textOf(other) <= textOf(own)) continue
    Object.assign(fields, other)
    taken.push([group, version])
  }
  return { fields, taken }
}

/** These fields alone, of a row that may have more. */
export function fieldsOf(ticket: TicketFields): TicketFields {
  return Object.assign({}, ...GROUPS.map((group) => groupOf(group, ticket)))
}

function groupOf(group: TicketGroup, fields: TicketFields): Partial<TicketFields> {
  return Object.fromEntries(FIELDS[group].map((name) => [name, fields[name]]))
}

function textOf(fields: Partial<TicketFields>): string {
  const { seed, publicKey, ...plain } = fields
  return canonicalJson({ ...plain, key: publicKey?.toString('hex') ?? null, seed: seed?.toString('hex') ?? null })
}
