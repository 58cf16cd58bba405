/** The fourth stage: the views of devices, attendees and the control room, their streams, and the threads that make large answers. */
import { join } from 'node:path'
import { format } from '@gatehouse/proto/hlc.ts'
import type { EvacuationSheet } from '@gatehouse/proto/wire/evacuation.ts'
import type { Incident } from '@gatehouse/proto/wire/incidents.ts'
import { AdminStream } from '../control/admin-stream.ts'
import { admittedWithin } from '../control/minutes.ts'
import { occupancyOf } from '../control/occupancy.ts'
import { statsOf } from '../control/stats.ts'
import { SearchThread } from '../desk/search-thread.ts'
import { holdOf } from '../gates/holds.ts'
import { WrongTokens } from '../http/wrong-tokens.ts'
import { Alerts } from '../incidents/alerts.ts'
import { findIncident } from '../incidents/board.ts'
import { otherBoxes } from '../mesh/peer-status.ts'
import { PaperAdmissions } from '../paper/admit.ts'
import { evacuationOf } from '../paper/evacuation.ts'
import { EvacuationKeeper } from '../paper/evacuation-keeper.ts'
import { shortCodeKey } from '../paper/short-code.ts'
import { PaperThreads } from '../paper/thread.ts'
import { Rehearsals } from '../rehearsal/rehearsals.ts'
import { PhoneClocks } from '../scan/phone-clocks.ts'
import { DeviceStreams } from '../scan/stream.ts'
import { ExportThreads } from '../seal/export/thread.ts'
import { Inspections } from '../seal/inspections.ts'
import { CodeListThreads } from '../tickets/code-lists-thread.ts'
import { namesErased } from '../tickets/erasure.ts'
import { Manifests } from '../tickets/manifest.ts'
import { Redeemed } from '../tickets/redeemed.ts'
import type { Domain } from './domain.ts'
import type { Peers } from './peers.ts'
import type { Shop } from './shop.ts'
import type { Start, Storage } from './storage.ts'

/** Minutes. */
const HALF_AN_HOUR = 30

export type Views = ReturnType<typeof openViews>

/** `openBox` disposes streams and threads, before the listeners, which wait for every answer. */
export function openViews(given: Start & Storage & Domain & Peers & { shop: Shop }) {
  const { config, logger, now, lifetime, event, ledger, clock, identity, mesh, sealer, witness, shop } = given
  const { roster, holds, counts, sold, venue, keys } = given
  const holdAt = (gate: string) => {
    const hold = holds.on(gate)
    return hold ? holdOf(hold) : null
  }
  const wrongTokens = new WrongTokens(given)
  const path = join(config.dataDir, 'ledger.db')
  const admissions = () => ({ all: counts.tally.admissions, recent: admittedWithin(HALF_AN_HOUR, counts.tally, now()) })
  const rehearsals = lifetime.use(new Rehearsals(path, { ...given, refKey: identity.refKey, admissions }))
  const stats = () =>
    statsOf({
      ...given,
      mode: mesh.mode,
      tally: counts.tally,
      sold: sold.byTier(),
      devices: roster.list(),
      hlc: format(clock.now()),
      now: now(),
      holdAt,
      seal: { newest: sealer.lastSeal(), refusal: sealer.refusal },
      shop: shop.stats(),
      mesh: mesh.status(),
      wrongTokens: wrongTokens.seen(),
      failedSignIns: given.staff.attempts.seen(),
      adminTokenUsed: given.staff.adminToken.unseen(),
      contradicted: witness.contradictions(),
      rehearsal: rehearsals.running,
    })
  const occupancy = () => occupancyOf(counts.tally, event, now())
  const exports = new ExportThreads(path)
  const inspections = new Inspections(path)
  const searchThread = new SearchThread({ ...given, path })
  const paperThreads = new PaperThreads({ path, event, key: shortCodeKey(identity.refKey) })
  const evacuationNames = (): EvacuationSheet['names'] => {
    if (event.evacuation_names !== true) return 'not_allowed'
    return namesErased(ledger.db) ? 'erased' : 'listed'
  }
  const evacuationFigures = async () => {
    await counts.ready()
    return evacuationOf(stats(), event, evacuationNames())
  }
  const evacuationKeeper = new EvacuationKeeper({
    ...given,
    dataDir: config.dataDir,
    figures: evacuationFigures,
    threads: paperThreads,
  })
  const phoneClocks = new PhoneClocks()
  const paperAdmissions = new PaperAdmissions({ ...given, phoneClocks, reservations: mesh.reservations })
  const lists = lifetime.use(
    new CodeListThreads({ path: join(config.dataDir, 'ledger.db'), event, salt: identity.manifestSalt }),
  )
  const redeemed = new Redeemed({ ...given, read: (day) => lists.readUsed(day) })
  const manifests = new Manifests({
    ...given,
    redeemed,
    mode: () => mesh.mode,
    build: (capacity) => lists.build(capacity),
    signingKey: keys.eventKey,
    salt: identity.manifestSalt,
    incarnation: identity.incarnationNumber,
    venueEtag: venue.plan.etag,
    mesh: () => otherBoxes(mesh.status(), now()),
  })
  lifetime.defer(manifests.keepReady((problem) => logger.warn({ event: 'manifest', problem: problem.message })))
  const { incarnation } = identity
  const { sessions, signOns } = given.staff
  const streams = new DeviceStreams({ ...given, signOns, redeemed, incarnation, unreachable: () => mesh.unreachable() })
  lifetime.defer(
    mesh.onChange(() => {
      const status = mesh.status()
      if (status) streams.sendMode({ ...status, hlc: format(clock.now()) })
    }),
  )
  roster.onRevoked((device) => streams.close(device.id))
  sessions.onScanner((device) => streams.sendSignOn(device))
  const adminStream = new AdminStream({
    ...given,
    stats,
    findIncident: (id) => findIncident(id, { event, ledger }),
    isOpen: (key) => given.staff.signIn.isOpen(key),
  })
  const send = (incident: Incident) => {
    streams.sendIncident(incident)
    adminStream.sendIncident(incident)
  }
  lifetime.use(new Alerts({ ...given, send }))
  return {
    ...{ rehearsals, wrongTokens, stats, occupancy, exports, inspections, searchThread },
    ...{ manifests, streams, adminStream },
    ...{ paperThreads, evacuationFigures, evacuationKeeper, paperAdmissions },
  }
}
