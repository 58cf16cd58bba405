/** This box's address as the other boxes reach it, which it announces when it joins and whenever the address has changed. */
import { hostname } from 'node:os'
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import type { By } from '../../ca/actor.ts'
import type { Config } from '../../config.ts'
import { freePort } from '../../free-port.ts'
import { reachableHost } from '../../http/machine.ts'
import { type TopologyBox, withAddress } from '../topology.ts'
import type { Membership } from './membership.ts'

export type Address = Pick<TopologyBox, 'host' | 'ports' | 'https' | 'device' | 'link_keys'>
type Settings = Pick<Config, 'publicHost' | 'meshHost' | 'meshRoutePort' | 'meshLeafPort' | 'host'>

/**
 * @param ports of the HTTPS listener and the device tier
 * @param known this box in the list: a port that was picked before stays
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

/** The default name of a box: that of its machine. */
export function ownName(): string {
  return hostname().split('.')[0] || 'box'
}

export const MESH_ACTOR: By = { actor: 'mesh', address: 'this box' }

/**
 * Updates this box's address, and the keys that it connects with, in the list where they have changed: the network may assign another
 * address at any time.
 */
export async function updateOwnAddress(membership: Membership, boxId: string, address: Address): Promise<void> {
  const listed = membership.topology?.boxes.find(({ id }) => id === boxId)
  if (!listed || isSameAddress(listed, address)) return
  // No network yet: nobody could reach this box at that address.
  if (address.host === 'localhost' && listed.host !== 'localhost') return
  await membership.change(
    (topology) =>
      topology?.boxes.some((box) => box.id === boxId && !isSameAddress(box, address))
        ? withAddress(topology, boxId, address)
        : undefined,
    { ...MESH_ACTOR, action: 'moved', box: boxId },
  )
}

/** Puts this box's key into the list, and makes a group key where one is missing: every change of the list does so. */
export async function completeKeys(membership: Membership, boxId: string): Promise<void> {
  if (!membership.isIncomplete) return
  await membership.change((topology) => (membership.isIncomplete ? topology : undefined), {
    ...MESH_ACTOR,
    action: 'keys',
    box: boxId,
  })
}

/** @param other the present one; the keys are no part of it before they are known */
function isSameAddress(one: Address, other: Address): boolean {
  const { host, https, device, ports } = one
  return (
    host === other.host &&
    https === other.https &&
    device === other.device &&
    ports.route === other.ports.route &&
    ports.leaf === other.ports.leaf &&
    (other.link_keys === undefined || canonicalJson(one.link_keys ?? {}) === canonicalJson(other.link_keys))
  )
}
