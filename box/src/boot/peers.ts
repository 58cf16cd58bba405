/**
 * The third stage: the other boxes of the event, and HQ. A single box has these objects too, but they do nothing. The sealer is
 * here because other boxes cosign its seals.
 */
import { randomBytes } from 'node:crypto'
import { hqIdentityPath } from '../feed/of-the-box.ts'
import { readableByFeed } from '../feed/shared-ledger.ts'
import { keepUplinkIdentity } from '../hq/uplink/identity.ts'
import { openBoxKey } from '../mesh/encryption/box-key.ts'
import { type OwnLinkKeys, openLinkKeys } from '../mesh/engine/link-keys.ts'
import { routeSecret } from '../mesh/engine/route-secret.ts'
import { Membership } from '../mesh/membership/membership.ts'
import { openMesh } from '../mesh/mesh.ts'
import { tagSecret } from '../mesh/replication/member-tag.ts'
import { Witness } from '../seal/cosign/witness.ts'
import { Sealer } from '../seal/sealer.ts'
import type { Domain } from './domain.ts'
import type { Start, Storage } from './storage.ts'

export type Peers = Awaited<ReturnType<typeof openPeers>>

export async function openPeers(given: Start & Storage & Domain) {
  const { config, logger, now, lifetime, event, ledger, clock, identity, boxId, authority, meshAuthority, tag } = given
  const { codes, flags, scans, overrides } = given
  const { origin, logKey, logVerifierKey, eventKey } = given.keys
  const keyHolder = { id: boxId, key: await openBoxKey(config.dataDir, randomBytes), random: randomBytes, logKey }
  const membership = lifetime.use(new Membership({ ledger, eventId: event.id, eventKey, keyHolder, now }))
  const log = { ledger, origin, signingKey: logKey, logger, now }
  const witness = new Witness(log)
  const sealer = new Sealer(log)
  // Made when the event gets a second box.
  let opened: Promise<OwnLinkKeys> | undefined
  const linkKeys = () => (opened ??= openLinkKeys(config.dataDir))
  const secretOf = (epoch: number) => routeSecret(identity.signingSeed, event.id, epoch)
  const mesh = lifetime.use(
    openMesh({
      ...given,
      eventTag: Buffer.from(tag).toString('hex'),
      membership,
      engine: { dataDir: config.dataDir, authority: meshAuthority, routeSecret: secretOf, linkKeys, config },
      replication: {
        clock,
        codes,
        flags,
        scans,
        overrides,
        newestSeal: () => sealer.lastSeal()?.note,
        witness,
        logKey,
        tagSecret: tagSecret(identity.signingSeed, event.id),
        keyHolder,
      },
    }),
  )
  // After the mesh, and so disposed before it: the last seal is made while the other boxes can still be reached.
  lifetime.use(sealer)
  sealer.start()
  if (config.hq !== undefined) {
    const name = { event: event.id, box: boxId, verifierKey: logVerifierKey }
    const access = readableByFeed(config.feedGroup)
    lifetime.use(await keepUplinkIdentity(hqIdentityPath(config.dataDir), name, { authority, logger, now, access }))
  }
  return { membership, witness, mesh, sealer, linkKeys, routeSecret: secretOf }
}
