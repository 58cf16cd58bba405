/** Where the other boxes reach this one: what it says of itself when it joins, and again when that has changed. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { hostname } from 'node:os'
import type { Config } from '../../config.ts'
import type { By } from '../../http/actor.ts'
import { reachableHost } from '../../http/machine.ts'
import type { Membership } from '../membership.ts'
import { type TopologyBox, withAddress } from '../topology.ts'

export type Address = Pick<TopologyBox, 'host' | 'ports' | 'https' | 'device'>
type Settings = Pick<Config, 'publicHost' | 'meshHost' | 'meshRoutePort' | 'meshLeafPort' | 'host'>

/**
 * @param ports of the HTTPS listener and the device tier
 * @param known what the list says of this box: a port that was picked stays
 */
export async function ownAddress(
  config: Settings,
  ports: { https: number; device: number },
  known?: Pick<Address, 'ports'>,
): Promise<Address> {
  const host = config.meshHost ?? reachableHost(undefined)
  const url = (port: number) => `https://${reachableHost(config.publicHost)}:${port}`
  const route = config.meshRoutePort || (known?.ports.route ?? (await freePort(config.host)))
  const leaf = config.meshLeafPort || (known?.ports.leaf ?? (await freePort(config.host)))
  return { host, ports: { route, leaf }, https: url(ports.https), device: url(ports.device) }
}

/** What a box is called where nobody has said: as its machine is. */
export function ownName(): string {
  return hostname().split('.')[0] || 'box'
}

/** A port that nobody has at this moment. */
export async function freePort(host: string): Promise<number> {
  const server = createServer().listen(0, host)
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

export const BY: By = { actor: 'mesh', address: 'this box' }

/** Says so where this box is reached otherwise than the list has it: an address that the network gave may be another today. */
export async function keepAddress(membership: Membership, boxId: string, address: Address): Promise<void> {
  const listed = membership.topology?.boxes.find(({ id }) => id === boxId)
  if (!listed || isSame(listed, address)) return
  // No network yet: nobody would find this box there.
  if (address.host === 'localhost' && listed.host !== 'localhost') return
  await membership.change(
    (topology) =>
      topology?.boxes.some((box) => box.id === boxId && !isSame(box, address))
        ? withAddress(topology, boxId, address)
        : undefined,
    { ...BY, action: 'moved', box: boxId },
  )
}

function isSame(one: Address, other: Address): boolean {
  const { host, https, device, ports } = one
  return (
    host === other.host &&
    https === other.https &&
    device === other.device &&
    ports.route === other.ports.route &&
    ports.leaf === other.ports.leaf
  )
}
