/** A scanner that is paired, composed: everything that lives as long as the pairing does. Reads top to bottom. */
import { eventTag } from '@gatehouse/proto/code.ts'
import type { Checkpoint } from '@gatehouse/proto/wire/terms.ts'
import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { Hold, KnownBox, MirrorState, Pairing } from '../model.ts'
import { gateWords as words } from '../words/en-gate.ts'
import { Announcements } from './announcements.ts'
import { isEnd } from './answers.ts'
import { boxClient, openClient } from './box-client.ts'
import { Boxes } from './boxes.ts'
import { DeviceClock } from './clock.ts'
import { Closing } from './closing.ts'
import { type Database, keep, readKept, write } from './database.ts'
import type { Deps } from './deps.ts'
import { Directory } from './directory.ts'
import { Follower } from './follower.ts'
import { Heartbeat } from './heartbeat.ts'
import type { Identity } from './identity.ts'
import { Incidents } from './incidents.ts'
import { Link } from './link.ts'
import type { Mirror } from './mirror.ts'
import { OwnPassages } from './own-passages.ts'
import { fetchPlaces, type Place } from './places.ts'
import { Queue } from './queue.ts'
import type { Records } from './records.ts'
import { Scanning } from './scanning.ts'
import { measureTime } from './time.ts'

/** A list that is older says little of who came in since. */
const STALE_MS = 10 * 60_000
/** A list is no newer than what this device did itself: soon after, not after each scan. */
const OWN_SCANS_MS = 10_000
const PROBE_PATIENCE_MS = 3_000

export interface PairedScanner {
  readonly identity: Identity
  readonly clock: DeviceClock
  readonly link: Link
  readonly boxes: Boxes
  /** The event's other boxes, and whether this page may ask them. */
  readonly known: ReadonlySignal<readonly KnownBox[]>
  readonly queue: Queue
  readonly scanning: Scanning
  readonly incidents: Incidents
  readonly announcements: Announcements
  readonly pairing: Signal<Pairing>
  readonly checkpoint: Signal<Checkpoint | null>
  readonly mirror: Signal<MirrorState | null>
  readonly hold: Signal<Hold | null>
  choose(checkpoint: string): void
  close(): Promise<void>
}

interface PairedDeps {
  db: Database
  deps: Deps
  records: Records
  ended: Signal<string | null>
  /** Origins that this page may ask beside its own; undefined where there is no telling. */
  others: Promise<readonly string[] | undefined>
}

/** Nothing stays open where it throws. */
export async function openPaired(identity: Identity, deps: PairedDeps): Promise<PairedScanner> {
  const opened = new Closing()
  try {
    return await compose(identity, deps, opened)
  } catch (error) {
    await opened.close()
    throw error
  }
}

async function compose(
  identity: Identity,
  { db, deps, records, ended, others }: PairedDeps,
  opened: Closing,
): Promise<PairedScanner> {
  const { random, sleep, uuid } = deps
  const ed25519 = await deps.ed25519()
  const [offset, lastReading, keptCheckpoint, keptPlaces] = await Promise.all([
    ...([readKept(db, 'clock'), readKept(db, 'hlc')] as const),
    ...([readKept(db, 'checkpoint'), readKept(db, 'places')] as const),
  ] as const)
  const clock = new DeviceClock(deps, { ...(offset && { offset }), ...(lastReading && { hlc: lastReading }) })
  const now = () => clock.now()
  const end = (code: string | undefined) => {
    ended.value = code === 'device_revoked' ? words.ended.device_revoked : words.ended.other
    void write(db, [keep('ended', ended.value)]).catch(() => {})
  }

  const closing = new AbortController()
  const at = () => boxes.at
  const openAt = (origin: string) => openClient(origin, deps.fetch, closing.signal)
  const open = () => openAt(at())
  const link = new Link({
    ...{ now, random, sleep },
    async probe(stopping) {
      const asked = at()
      const patience = AbortSignal.any([stopping, AbortSignal.timeout(PROBE_PATIENCE_MS)])
      const taken = await measureTime(open(), { ...deps, clock }, patience)
      if (taken) void write(db, [keep('clock', taken)]).catch(() => {})
      // The scanner may have moved on meanwhile: this says nothing of the box that is asked now.
      if (!stopping.aborted && asked === at()) link.heard()
    },
  })
  opened.use(link)
  const box = boxClient(identity, {
    ...{ at, fetch: deps.fetch, now, uuid, closing: closing.signal },
    // Where it has only gone to, it may be that its pairing has not got there: at home it is known.
    async isNoAnswer(response) {
      if (!boxes.isAway || response.status !== 401) return false
      const code = await codeOf(response)
      if (code === 'device_revoked' || !isEnd(code)) return false
      boxes.notKnownHere()
      return true
    },
    answered(response) {
      link.heard()
      if (response.status === 401 || response.status === 403) void lookForEnd(response, end)
    },
    unanswered: () => link.lost(),
  })

  const directory = await Directory.open({ db, home: identity.baseUrl, page: deps.origin, mayAsk: others })
  const boxes = new Boxes({
    ...{ home: identity.baseUrl, link, monotonic: deps.monotonic, random, sleep, others: directory.open },
    nameOf: (origin) => directory.nameOf(origin),
    ask: (origin, lost, signal) => isWelcome(origin, lost, AbortSignal.any([signal, closing.signal])),
    onMoved() {
      link.moved()
      follower.moved()
      void queue.drain()
      void incidents.send()
      heartbeat.soon()
    },
  })
  opened.use(boxes)
  /** Whether the box there answers a signed request: that it answers at all is not enough. */
  const isWelcome = async (origin: string, lost: boolean, stopping: AbortSignal): Promise<boolean> => {
    const patience = AbortSignal.any([stopping, AbortSignal.timeout(PROBE_PATIENCE_MS)])
    const ask = () => box.of(origin).GET('/v1/incidents', { signal: patience })
    const compareClocks = () => measureTime(openAt(origin), { ...deps, clock }, patience)
    try {
      if (lost && clock.offsetMs.value === null) await compareClocks()
      const { response, error } = await ask()
      if (response.ok || !lost || error?.code !== 'bad_signature') return response.ok
      // This phone's clock went off while no box could say so.
      await compareClocks()
      return (await ask()).response.ok
    } catch {
      return false
    }
  }

  const places: Signal<{ etag: string; places: Record<string, Place> } | undefined> = signal(keptPlaces)
  const placeOf = (id: string): Place | undefined => {
    const own = pairing.value.checkpoints.find((checkpoint) => checkpoint.id === id)
    return own ? { name: own.name, gateName: own.gate_name } : places.value?.places[id]
  }
  const refreshPlaces = async (etag: string) => {
    if (places.value?.etag === etag) return
    const fetched = await fetchPlaces(open()).catch(() => undefined)
    if (!fetched) return
    places.value = { etag, places: fetched }
    await write(db, [keep('places', places.value)]).catch(() => {})
  }

  const pairing = signal(pairingOf(identity))
  const checkpoint = signal<Checkpoint | null>(
    identity.checkpoints.find(({ id }) => id === keptCheckpoint) ??
      (identity.checkpoints.length === 1 ? (identity.checkpoints[0] ?? null) : null),
  )
  const incidents = opened.use(await Incidents.open({ db, box, now, random, sleep }))
  const announcements = await Announcements.open({ db, box, now, ed25519, verifierKey: identity.verifierKey })
  const own = new OwnPassages()
  for (const passage of await db.getAll('own')) own.put(passage)

  /** The event as the newest mirror has it: its checkpoints may be other ones than when the scanner was paired. */
  const adopt = (mirror: Mirror) => {
    news.value++
    directory.learn(mirror)
    const forgotten = own.forgetUpTo(mirror)
    void write(
      db,
      forgotten.map((key) => ({ store: 'own', key, value: undefined })),
    ).catch(() => {})
    if (!sameCheckpoints(mirror.checkpoints, pairing.value.checkpoints)) {
      pairing.value = { ...pairing.value, checkpoints: mirror.checkpoints }
      const id = checkpoint.value?.id ?? keptCheckpoint
      checkpoint.value = mirror.checkpoints.find((each) => each.id === id) ?? null
    }
    if (link.isReachable) void refreshPlaces(mirror.venueEtag)
  }
  /** Moves on when the mirror has, which is no signal inside. */
  const news = signal(0)
  let ownScansTimer: ReturnType<typeof setTimeout> | undefined
  opened.defer(() => clearTimeout(ownScansTimer))
  const follower = await Follower.open({
    ...{ db, box, identity, at, ed25519, now, random, sleep, onEnd: end },
    onIncident: (incident) => incidents.take(incident),
    onAnnouncement: (announcement) => void announcements.take(announcement),
    onMirror: (mirror) => adopt(mirror),
    onConnected() {
      void incidents.catchUp().catch(() => {})
      void announcements.catchUp().catch(() => {})
    },
    onBroken: () => void link.check(),
    onRefused: (refused) => console.warn('A manifest was refused:', refused.message),
  })
  opened.use(follower)
  if (follower.mirror.value) adopt(follower.mirror.value)

  const tag = await eventTag(identity.eventId)
  const scanning = new Scanning({
    ...{ db, deps, box, clock, link, at, records, own, follower, placeOf, eventTag: tag, ed25519, ended },
    boxes: () => ({ away: boxes.away.value, unheard: follower.mirror.value?.unheard ?? [] }),
    supervisorName: () => records.shift.value.operator,
    onOwnScan() {
      ownScansTimer ??= setTimeout(() => {
        ownScansTimer = undefined
        if (link.isReachable) void follower.refresh()
      }, OWN_SCANS_MS)
    },
  })
  const queue = opened.use(await Queue.open({ db, random, sleep, ...scanning.uploading }))
  scanning.queue = queue
  await scanning.restore()

  const heartbeat = new Heartbeat({
    ...{ box, clock, sleep, random, battery: deps.battery, version: deps.version, monotonic: deps.monotonic },
    now: deps.now,
    status: () => ({ unsent: queue.unsent.value + records.aside.value.length, checkpoint: checkpoint.value?.id }),
    onAnswer(taken) {
      follower.confirm()
      if (taken) void write(db, [keep('clock', taken)]).catch(() => {})
    },
    onBeat() {
      news.value++
      announcements.look()
      if (now() >= identity.certificateExpiresAt) ended.value = words.ended.certificate
      // A browser may have put the page to sleep, and never said that the network was gone.
      if (!link.isReachable) link.look()
    },
  })
  opened.use(heartbeat)
  link.onBack(() => {
    void queue.drain()
    void incidents.send()
    heartbeat.soon()
  })
  opened.defer(
    effect(() => {
      void queue.unsent.value
      void checkpoint.value
      heartbeat.soon()
    }),
  )
  opened.defer(deps.onNetwork((online) => (online ? link.look() : link.lost())))

  const mirror = computed<MirrorState | null>(() => {
    void news.value
    const { value } = follower.mirror
    const asOf = follower.asOf.value
    if (!value || asOf === null) return null
    return { version: value.version, asOf, tickets: value.tickets, stale: now() - asOf > STALE_MS }
  })
  const hold = computed<Hold | null>(() => {
    void news.value
    const gate = checkpoint.value?.gate
    const held = gate === undefined ? undefined : follower.mirror.value?.holdOn(gate, now())
    if (!held) return null
    const { expires_at } = held
    return { gate: held.gate, reason: held.reason, expiresAt: expires_at === null ? null : Date.parse(expires_at) }
  })

  // Closed first: nothing waits for a box that may not be there.
  opened.defer(() => closing.abort())

  // The first request: whether the box is there, and what time it is.
  link.lost()
  boxes.start()
  follower.start()
  heartbeat.start()
  void incidents.send()

  return {
    ...{
      identity,
      clock,
      link,
      boxes,
      known: directory.known,
      queue,
      scanning,
      incidents,
      announcements,
      pairing,
      checkpoint,
    },
    ...{ mirror: mirror as Signal<MirrorState | null>, hold: hold as Signal<Hold | null> },
    choose(id) {
      const chosen = pairing.value.checkpoints.find((each) => each.id === id)
      if (!chosen) return
      checkpoint.value = chosen
      void write(db, [keep('checkpoint', id)]).catch(() => {})
    },
    close: () => opened.close(),
  }
}

async function lookForEnd(response: Response, end: (code: string | undefined) => void): Promise<void> {
  const code = await codeOf(response)
  if (isEnd(code)) end(code)
}

async function codeOf(response: Response): Promise<string | undefined> {
  const body = (await response
    .clone()
    .json()
    .catch(() => undefined)) as { code?: string } | undefined
  return body?.code
}

function pairingOf(identity: Identity): Pairing {
  const { deviceId, deviceName, baseUrl, eventName, checkpoints, supervisor, certificateExpiresAt } = identity
  return { deviceId, deviceName, baseUrl, eventName, checkpoints, supervisor, certificateExpiresAt }
}

function sameCheckpoints(a: readonly Checkpoint[], b: readonly Checkpoint[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
