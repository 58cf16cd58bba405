/** Who did what an admin may do, and from where: in the journal entry of every such action. */
import type { FastifyRequest } from 'fastify'

/** A type and not an interface: it goes into journal entries as it is. */
export type By = {
  /** As they called themselves: the admin token is one for everybody. */
  readonly actor: string
  /** IP address of the peer; or the box's own keyboard, or its folder. */
  readonly address: string
}

/** @param actor `admin` where the request need not say */
export function by(request: Pick<FastifyRequest, 'ip'>, actor = 'admin'): By {
  // A socket that listens on IPv6 shows IPv4 peers in its own form (RFC 4291, 2.5.5.2): one peer, one spelling.
  const [, v4] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(request.ip ?? '') ?? []
  // A peer that has hung up already has no address any more.
  return { actor, address: v4 ?? request.ip ?? 'unknown' }
}

export const COMMAND_LINE: By = { actor: 'admin', address: 'command line' }
