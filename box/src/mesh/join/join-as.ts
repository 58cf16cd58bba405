/** Joins as this machine's settings say: for the command, and for a box whose settings have an invite in them. */
import { randomBytes } from 'node:crypto'
import type { Config } from '../../config.ts'
import { COMMAND_LINE } from '../../http/actor.ts'
import { find, urlsOf } from '../discovery.ts'
import { freePort, ownAddress, ownName } from './address.ts'
import type { MeshInvite } from './invite.ts'
import { type Joined, joinMesh } from './join.ts'

/** @throws as `joinMesh` */
export async function joinAs(config: Config, invite: MeshInvite, name = ownName()): Promise<Joined> {
  const picked = async (port: number) => port || freePort(config.host)
  const ports = { https: await picked(config.httpsPort), device: await picked(config.devicePort) }
  return joinMesh(invite, {
    ...{ dataDir: config.dataDir, eventDir: config.eventDir, now: Date.now, random: randomBytes, by: COMMAND_LINE },
    box: { name, ...(await ownAddress(config, ports)) },
    elsewhere: elsewhere(config),
  })
}

/** Where else a box of this authority may be. Whoever shares the air can announce anything: it is where to knock, and no more. */
export function elsewhere({ mdns }: Pick<Config, 'mdns'>): (fingerprint: string) => Promise<string[]> {
  return async (fingerprint) => {
    const found = mdns ? await find({ timeoutMs: 2_000 }).catch(() => []) : []
    return found.filter(({ caFingerprint }) => caFingerprint === fingerprint).flatMap(urlsOf)
  }
}
