/** Names the person behind an admin action and where they acted from, for the journal entry of every such action. */
import type { KeyObject } from 'node:crypto'
import type { StaffRole } from '@gatehouse/proto/operations.ts'
import type { FastifyRequest } from 'fastify'

/** A type and not an interface: it goes into journal entries as it is. */
export type By = {
  /** The name of the person who is signed in, or of the API token; with the admin token, the name that the request gives. */
  readonly actor: string
  /** IP address of the peer, or the origin of an action without one, such as `command line` or `event folder`. */
  readonly address: string
  /** Id of the person who is signed in. */
  readonly person?: string
  /** Id of the session, of the paired tablet, or of the API token. */
  readonly via?: string
}

/** The proven sender of a request to the control room. */
export interface Principal {
  readonly way: 'admin_token' | 'session' | 'tablet' | 'api_token'
  readonly role: StaffRole
  /** Name for the journal; undefined for the admin token, which is anybody's who has it. */
  readonly name?: string
  readonly person?: string
  /** Id of the session, of the tablet, or of the API token. */
  readonly via?: string
  /** Of a tablet: without a signature by this key, its token is worth nothing. */
  readonly key?: KeyObject
  /** Of an API token: the operations to which it is limited. */
  readonly only?: ReadonlySet<string>
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every route of the control room before its handler runs. */
    staff?: Principal
  }
}

/**
 * @param actor the name in the request, which counts with the admin token and nowhere else: somebody who has signed in acts in their
 *   own name, whatever a field says. `admin` if there is none
 */
export function by({ ip, staff }: Pick<FastifyRequest, 'ip' | 'staff'>, actor = 'admin'): By {
  const { name, person, via } = staff ?? {}
  return {
    actor: name ?? actor,
    address: addressOf(ip),
    ...(person !== undefined && { person }),
    ...(via !== undefined && { via }),
  }
}

/** The fields of an entry that say who acted, out of a request that has more. */
export function whoOf({ actor, address, person, via }: By): By {
  return { actor, address, ...(person !== undefined && { person }), ...(via !== undefined && { via }) }
}

/** An address as journals and lists show it. */
export function addressOf(ip: string | undefined): string {
  // A socket that listens on IPv6 shows IPv4 peers in its own form (RFC 4291, 2.5.5.2): one peer, one spelling.
  const [, v4] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip ?? '') ?? []
  // A peer that has already disconnected has no address.
  return v4 ?? ip ?? 'unknown'
}

/** A person who is signed on at a scanner. */
export interface SignedOnBy {
  readonly name: string
  readonly person: string
  /** Id of the session. */
  readonly via: string
}

/** The fields of a scanner's entry that say who held it: none where nobody is signed on. */
export function signedOn({ by }: { readonly by?: SignedOnBy }): { person?: string; via?: string } {
  return by ? { person: by.person, via: by.via } : {}
}

export const COMMAND_LINE: By = { actor: 'admin', address: 'command line' }
