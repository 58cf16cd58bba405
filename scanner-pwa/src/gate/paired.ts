/**
 * A paired scanner, composed in stages: the state that was stored, the network, what follows from a change, and what the screens
 * see. Lives as long as the pairing.
 */
import type { CodeKind } from '@gatehouse/proto/code-kinds.ts'
import { Closing } from '@gatehouse/proto/ui/closing.ts'
import { onChange } from '@gatehouse/proto/ui/on-change.ts'
import { computed, type ReadonlySignal } from '@preact/signals'
import type { Identity } from '../pairing/identity.ts'
import { write } from '../store/database.ts'
import type { Hold, MirrorState } from './model.ts'
import { type Network, openNetwork } from './network.ts'
import { adoptMirror, openState, type PairedState, type ScannerState } from './state.ts'

/** An older list says little about who has come in since. */
const STALE_MS = 10 * 60_000

export interface PairedScanner extends PairedState, Network {
  readonly mirrorState: ReadonlySignal<MirrorState | null>
  readonly hold: ReadonlySignal<Hold | null>
  readonly codes: ReadonlySignal<readonly CodeKind[]>
  close(): Promise<void>
}

/** Nothing stays open where it throws. */
export async function openPaired(identity: Identity, scanner: ScannerState): Promise<PairedScanner> {
  const opened = new Closing()
  try {
    const state = await openState(identity, scanner)
    await restoreRecords(state)
    const network = await openNetwork(state, opened)
    followChanges(state, network, opened)
    start(network)
    return { ...state, ...network, ...openViews(state, network), close: () => opened.close() }
  } catch (error) {
    await opened.close()
    throw error
  }
}

/** Offline admissions whose record was not stored before the page went away. */
async function restoreRecords({ db, records }: PairedState): Promise<void> {
  // The list has fifty, the queue may have thousands: only what is newer than all of the list can be missing from it.
  const newest = records.recent.peek()[0]?.at ?? 0
  const missing = (await db.getAll('queue')).filter(({ record }) => record.at > newest)
  for (const { record } of missing) await write(db, records.put(record))
}

function followChanges(state: PairedState, network: Network, opened: Closing): void {
  const { deps, active, clock, ended, identity, mirrors, places, rehearsal, tray } = state
  const { announcements, connected, heartbeat, incidents, link, openAt, queue, refresher, signOn } = network
  const sendAll = () => {
    void queue.drain()
    void incidents.send()
    heartbeat.soon()
  }
  const adopt = () => {
    const mirror = mirrors.mirror.peek()
    if (!mirror) return
    adoptMirror(mirror, state)
    signOn.adopt(mirror.signOn)
    if (link.isReachable) void places.refresh(mirror.venueEtag, openAt(active.origin.peek()))
  }
  adopt()
  const following = [
    onChange(mirrors.revision, adopt),
    onChange(active.origin, () => {
      link.moved()
      sendAll()
    }),
    onChange(link.reachable, (isReachable) => isReachable && sendAll()),
    onChange(connected, (isConnected) => {
      if (!isConnected) return
      void incidents.catchUp().catch(() => {})
      void announcements.catchUp().catch(() => {})
    }),
    onChange(ended.reason, (reason) => reason !== null && tray.clear()),
    // A question of a rehearsal is not asked at the gate, nor the other way round.
    onChange(rehearsal.running, () => tray.clear()),
    onChange(heartbeat.answers, () => refresher.confirm()),
    onChange(heartbeat.beats, () => {
      announcements.dropExpired()
      signOn.lockIfIdle()
      rehearsal.expire()
      if (clock.now() >= identity.certificateExpiresAt) ended.expired()
      // A browser may have put the page to sleep without reporting that the network was gone.
      if (!link.isReachable) link.look()
    }),
    deps.onNetwork((online) => (online ? link.returned() : link.lost())),
  ]
  for (const stop of following) opened.defer(stop)
}

/** The first request shows whether the box is there, and what time it is. */
function start({ failover, heartbeat, incidents, link, stream }: Network): void {
  link.lost()
  failover.start()
  stream.start()
  heartbeat.start()
  void incidents.send()
}

function openViews({ clock, mirrors, placement }: PairedState, { heartbeat }: Network) {
  /** Read in a view, has it computed again when the mirror has changed inside, and at each heartbeat, because time passes. */
  const currentMirror = () => {
    void mirrors.revision.value
    void heartbeat.beats.value
    return mirrors.mirror.value
  }
  const mirrorState = computed<MirrorState | null>(() => {
    const mirror = currentMirror()
    const asOf = mirrors.asOf.value
    if (!mirror || asOf === null) return null
    return { version: mirror.version, asOf, tickets: mirror.tickets, stale: clock.now() - asOf > STALE_MS }
  })
  const hold = computed<Hold | null>(() => {
    const mirror = currentMirror()
    const gate = placement.checkpoint.value?.gate
    const held = gate === undefined ? undefined : mirror?.holdOn(gate, clock.now())
    if (!held) return null
    const { expires_at } = held
    return { gate: held.gate, reason: held.reason, expiresAt: expires_at === null ? null : Date.parse(expires_at) }
  })
  const codes = computed(() => currentMirror()?.codes ?? [])
  return { mirrorState, hold, codes }
}
