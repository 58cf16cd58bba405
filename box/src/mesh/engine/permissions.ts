/**
 * The subjects that a member may publish and subscribe to on a connection to this machine: those that its role needs, and no others. The server
 * that accepts the connection holds it to that, whatever program is at the other end. Pure.
 *
 * Between the servers of the voters (routes) NATS knows no such rule for a single one: there, signatures and seals hold.
 */
import { shortHash } from '../reservation/subjects.ts'
import type { TopologyBox } from '../topology.ts'
import { type Account, DOMAIN } from './accounts.ts'
import { VOTER_STATUS_SUBJECT } from './voter-status.ts'

export interface Permissions {
  /** Empty: none at all. */
  publish: readonly string[]
  subscribe: readonly string[]
}

/** The prefix under which a box is answered: nobody else may listen there. */
export function inboxPrefix(boxId: string): string {
  return `_INBOX.${boxId}`
}

const NOTHING: Permissions = { publish: [], subscribe: [] }
/** Answers go back to whoever asked, and each asker has a prefix of its own. */
const ANSWERS = '_INBOX.>'
const API = `$JS.${DOMAIN}.API`
/** Of JetStream: what finding, making and reading the reservation stream takes. Nothing that deletes, purges or moves. */
const STREAM_API = [
  ...['INFO', 'STREAM.LIST', 'STREAM.NAMES', 'STREAM.INFO.*', 'STREAM.CREATE.*', 'STREAM.MSG.GET.*'],
  ...['CONSUMER.CREATE.>', 'CONSUMER.INFO.>', 'CONSUMER.MSG.NEXT.>', 'CONSUMER.DELETE.>'],
].map((name) => `${API}.${name}`)

/** A member that connects to a voter: a box without a vote, or a voter that recovers. */
export function memberPermissions(account: Account, { id, role }: Pick<TopologyBox, 'id' | 'role'>): Permissions {
  const own = `${inboxPrefix(id)}.>`
  if (role === 'voter') {
    if (account === 'URGENT') return NOTHING
    return { publish: [VOTER_STATUS_SUBJECT, `${API}.STREAM.LIST`, ANSWERS], subscribe: [own] }
  }
  if (account === 'URGENT') return { publish: [`gh.*.urgent.${id}`], subscribe: ['gh.*.urgent.*'] }
  return {
    publish: [
      ...[`gh.*.new.${id}`, 'gh.*.journal.*', VOTER_STATUS_SUBJECT, ANSWERS],
      ...['gh.*.rights.*.*', `gh.*.probes.*.${shortHash(id)}`, ...STREAM_API],
    ],
    subscribe: ['gh.*.new.*', `gh.*.journal.${id}`, own],
  }
}

/** A voter that connects to a box in a data centre: the venue behind it speaks and listens through it. */
export function relayPermissions(account: Account): Permissions {
  if (account === 'URGENT') return { publish: ['gh.*.urgent.*'], subscribe: ['gh.*.urgent.*'] }
  const journals = ['gh.*.new.*', 'gh.*.journal.*', ANSWERS]
  return {
    publish: [...journals, VOTER_STATUS_SUBJECT],
    subscribe: [...journals, VOTER_STATUS_SUBJECT, 'gh.*.rights.*.*', 'gh.*.probes.*.*', `${API}.>`],
  }
}
