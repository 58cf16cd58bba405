/** The session of whoever sends a request in person. */
import type { FastifyRequest } from 'fastify'
import type { Principal } from '../ca/actor.ts'
import { GatehouseError } from '../errors.ts'

export function isPerson(staff: Principal | undefined): boolean {
  return staff?.way === 'session' || staff?.way === 'tablet'
}

/** @throws GatehouseError `conflict` for the admin token and for an API token, which have none */
export function ownSession({ staff }: Pick<FastifyRequest, 'staff'>): string {
  if (isPerson(staff) && staff?.via !== undefined) return staff.via
  throw new GatehouseError('conflict', 'Nobody is signed in with a name here: sign in with name and PIN first.', {
    reason: 'own_name_needed',
  })
}
