/** Everything of a paired scanner that talks to a box, in the order in which one part needs another. */
import type { GatehouseClient } from '@gatehouse/proto/client.ts'
import { eventTag } from '@gatehouse/proto/code.ts'
import type { Closing } from '@gatehouse/proto/ui/closing.ts'
import { computed, type ReadonlySignal, signal } from '@preact/signals'
import { type BoxClient, boxClient, openClient } from '../box/client.ts'
import { Failover } from '../box/failover.ts'
import { Heartbeat } from '../box/heartbeat.ts'
import { Link } from '../box/link.ts'
import { accepts, probe } from '../box/probe.ts'
import { Refresher } from '../mirror/refresher.ts'
import { StreamFollower } from '../mirror/stream.ts'
import { Announcements } from './announcements.ts'
import type { Details } from './details.ts'
import { Incidents } from './incidents.ts'
import { laterDetails } from './later.ts'
import { Queue } from './queue.ts'
import { Scanning } from './scanning.ts'
import { SignOn } from './sign-on.ts'
import type { PairedState } from './state.ts'
import { Uploads } from './uploads.ts'

export interface Network {
  /** A client of the open tier of the box at this origin. */
  openAt: (origin: string) => GatehouseClient
  box: BoxClient
  link: Link
  failover: Failover
  /** Name of the active box; null at home. */
  away: ReadonlySignal<string | null>
  incidents: Incidents
  announcements: Announcements
  /** True while the event stream is open. */
  connected: ReadonlySignal<boolean>
  refresher: Refresher
  stream: StreamFollower
  queue: Queue
  scanning: Scanning
  /** Its code is fetched when it is first wanted. */
  details: () => Promise<Details>
  heartbeat: Heartbeat
  signOn: SignOn
}

/** Nothing is sent before `start`, except for a mirror that has to be fetched as a whole. @param opened closes it all */
export async function openNetwork(state: PairedState, opened: Closing): Promise<Network> {
  const { deps, db, identity, ed25519, clock, active, directory, records, placement } = state
  const { random, sleep, uuid, monotonic } = deps
  const now = () => clock.now()
  const timing = { now, random, sleep }

  const closing = new AbortController()
  const openAt = (origin: string) => openClient(origin, deps.fetch, closing.signal)
  const link = opened.use(new Link({ ...timing, probe: (stopping) => probe({ ...state, openAt }, stopping) }))
  const box = boxClient(identity, { ...state, link, fetch: deps.fetch, now, uuid, closing: closing.signal })
  const failover = opened.use(
    new Failover({
      ...timing,
      active,
      link,
      monotonic,
      others: directory.open,
      ask: (origin, mayMeasure, stopping) => accepts(origin, mayMeasure, { box, clock, openAt }, stopping),
    }),
  )
  const away = computed(() => (active.isAway.value ? directory.nameOf(active.origin.value) : null))

  const incidents = opened.use(await Incidents.open({ ...timing, db, box, checkpoint: placement.checkpoint }))
  const announcements = await Announcements.open({ db, box, now, ed25519, verifierKey: identity.verifierKey })

  const signOn = await SignOn.open({ ...state, box, link, now })

  const connected = signal(false)
  opened.use(state.mirrors)
  const refresher = opened.use(new Refresher({ ...state, ...timing, box, link, connected }))
  const stream = opened.use(
    new StreamFollower({ ...state, ...timing, box, link, refresher, incidents, announcements, signOn, connected }),
  )

  const uploads = new Uploads({ ...state, box, link, refresher })
  const queue = opened.use(await Queue.open({ db, monotonic, random, sleep, upload: uploads }))
  const tag = await eventTag(identity.eventId)
  const scanning = new Scanning({
    ...state,
    box,
    link,
    queue,
    refresher,
    signOn,
    away,
    eventTag: tag,
    uuid,
    monotonic,
    sleep,
  })

  const details = laterDetails({ ...state, box, away, scanning, uuid })

  const heartbeat = opened.use(
    new Heartbeat({
      ...timing,
      db,
      box,
      clock,
      battery: deps.battery,
      version: deps.version,
      unsent: computed(() => queue.unsent.value + records.aside.value.length),
      checkpoint: computed(() => placement.checkpoint.value?.id),
      rehearse: (told) => state.rehearsal.heard(told),
    }),
  )
  // Closed first, so that nothing waits for a box that may be gone.
  opened.defer(() => closing.abort())
  return {
    openAt,
    box,
    link,
    failover,
    away,
    incidents,
    announcements,
    connected,
    refresher,
    stream,
    queue,
    scanning,
    details,
    heartbeat,
    signOn,
  }
}
