/** The fifth stage: the listeners with their routes. From then on people are admitted. */
import { coded } from '@gatehouse/proto/said.ts'
import { readProblems } from '../appliance/machine-state.ts'
import { FEED_EVENTS } from '../http/feed-events.ts'
import { Listeners } from '../http/listeners.ts'
import { reachableHost } from '../http/machine.ts'
import { OpenApi } from '../http/openapi.ts'
import { originsOf } from '../http/other-boxes.ts'
import type { FoundBox } from '../mesh/discovery/announcement.ts'
import { ownAddress, ownName } from '../mesh/membership/address.ts'
import { TopologyExchange } from '../mesh/membership/topology-exchange.ts'
import type { Domain } from './domain.ts'
import type { Peers } from './peers.ts'
import type { PretixScan } from './pretixscan.ts'
import { tiersOf } from './routes.ts'
import type { Shop } from './shop.ts'
import type { Start, Storage } from './storage.ts'
import type { Views } from './views.ts'

export interface HttpDeps extends Start, Storage, Domain, Peers, Views {
  shop: Shop
  pretixScan: PretixScan
  find: (() => Promise<readonly FoundBox[]>) | undefined
  reopen: (() => void) | undefined
  /** Milliseconds since the box started. */
  uptime: () => number
}

/** @throws GatehouseError when a port or the organiser's certificate cannot be used */
export async function openHttp(deps: HttpDeps) {
  const { config, lifetime, boxId, authority, appliance, keys, membership, mesh, linkKeys } = deps
  const openapi = new OpenApi()
  openapi.addBeside('feedEvents', FEED_EVENTS)
  const listeners = lifetime.use(await Listeners.prepare({ ...deps, openapi, others: () => originsOf(mesh.status()) }))
  // Computed for each request: a box may start before its network, and get its address later.
  // Phones are led to the public name only while they accept its certificate.
  const publicName = () => {
    const { public: named } = listeners.certificates
    return named?.current && named.name
  }
  // The device port shows the certificate of the box's own authority, which need not contain the public name.
  const urlOf = (port: number) => `https://${reachableHost(config.publicHost)}:${port}`
  const plainUrl = () => `http://${reachableHost(config.publicHost)}:${listeners.ports.http}`
  // To trust the event's authority helps only where its certificate is shown.
  const untrustedPlainUrl = () => {
    const { own, https } = listeners.certificates
    return publicName() === undefined && https === own ? plainUrl() : undefined
  }
  const baseUrl = () => `https://${publicName() ?? reachableHost(config.publicHost)}:${listeners.ports.https}`

  const self = async () => {
    const known = membership.topology?.boxes.find(({ id }) => id === boxId)
    const address = await ownAddress(config, listeners.ports, known)
    const { listed: link_keys } = await linkKeys()
    return { id: boxId, name: known?.name ?? ownName(), log_key: keys.logVerifierKey, ...address, link_keys }
  }

  const settingsProblems = async () => {
    if (!appliance) return []
    const { certificateProblem } = listeners
    const problems = await readProblems(appliance.folder)
    if (certificateProblem === undefined) return problems
    const { message, why } = certificateProblem
    return [...problems, { where: 'tls', message, coded: [why, coded('shows_own_certificate')] }]
  }

  const { certificate: ca, fingerprint: caFingerprint } = authority
  const exchange = lifetime.use(new TopologyExchange({ ...deps, self, ca, caFingerprint }))
  await listeners.open(
    tiersOf({
      ...deps,
      listeners,
      exchange,
      self,
      settingsProblems,
      publicName,
      urlOf,
      baseUrl,
      untrustedPlainUrl,
    }),
  )
  return { listeners, openapi, baseUrl, untrustedPlainUrl, exchange }
}
