/** Joins with this machine's settings: for the command, and for a box whose settings contain an invite. */
import { randomBytes } from 'node:crypto'
import { COMMAND_LINE } from '../../ca/actor.ts'
import type { MeshInvite } from '../../ca/box-invite.ts'
import type { Config } from '../../config.ts'
import { freePort } from '../../free-port.ts'
import { urlsOf } from '../discovery/announcement.ts'
import { find } from '../discovery/discovery.ts'
import { ownAddress, ownName } from './address.ts'
import { type Joined, joinMesh } from './join.ts'

/** @throws as `joinMesh` */
export async function joinFromSettings(config: Config, invite: MeshInvite, name = ownName()): Promise<Joined> {
  const picked = async (port: number) => port || freePort(config.host)
  const ports = { https: await picked(config.httpsPort), device: await picked(config.devicePort) }
  return joinMesh(invite, {
    dataDir: config.dataDir,
    eventDir: config.eventDir,
    now: Date.now,
    random: randomBytes,
    by: COMMAND_LINE,
    box: { name, ...(await ownAddress(config, ports)) },
    otherAddresses: discoverAddresses(config),
  })
}

/** Finds further addresses of boxes of an authority. Anybody on the network can announce anything: these are only addresses to try. */
export function discoverAddresses({ mdns }: Pick<Config, 'mdns'>): (fingerprint: string) => Promise<string[]> {
  return async (fingerprint) => {
    const found = mdns ? await find({ timeoutMs: 2_000 }).catch(() => []) : []
    return found.filter(({ caFingerprint }) => caFingerprint === fingerprint).flatMap(urlsOf)
  }
}
