/** A mesh of two boxes or more, composed for as long as this box is part of it. */
import type { KeyObject } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { MeshStanding } from '@gatehouse/proto/wire/mesh.ts'
import { eq, sql } from '../drizzle/core.ts'
import type { Event } from '../event/event.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { boxes } from '../ledger/schema.ts'
import type { Logger } from '../log.ts'
import type { ModeSwitch } from '../rights/mode.ts'
import type { Tickets } from '../tickets/tickets.ts'
import { type ConnectionDeps, MeshConnection } from './connection.ts'
import type { Engine } from './engine/engine.ts'
import type { Membership } from './membership/membership.ts'
import type { Conditions, Obstacle } from './mode/mode.ts'
import { gateClause, modeReason } from './mode/reasons.ts'
import { ModeTracker } from './mode/tracker.ts'
import { ModeWatch } from './mode/watch.ts'
import type { Mesh } from './model.ts'
import { Peers } from './peers.ts'
import { RefusalCounts } from './replication/refused-messages.ts'
import type { ReplicationDeps } from './replication/replication.ts'
import { ReservationQueue } from './reservation/queue.ts'
import { MeshReservations } from './reservation/reservations.ts'
import { VerifierKeys } from './statement.ts'

export interface MeshDeps {
  boxId: string
  event: Event
  /** Hex. */
  eventTag: string
  ledger: Ledger
  tickets: Tickets
  membership: Membership
  modeSwitch: ModeSwitch
  engine: ConnectionDeps['engine']
  replication: Omit<
    ReplicationDeps,
    'ledger' | 'tickets' | 'event' | 'logger' | 'now' | 'monotonic' | 'self' | 'transport' | 'membership' | 'refusals'
  >
  logger: Logger
  /** Unix ms. */
  now: () => number
  /** Milliseconds that never jump. */
  monotonic: () => number
}

export interface RunningMesh extends AsyncDisposable, Pick<Mesh, 'reservations' | 'mode' | 'unreachable' | 'lease'> {
  status(): MeshStanding
  /** Goes by the topology that the membership has now. */
  apply(): Promise<void>
}

/** Interval at which the voters are asked whether they write to disk before they answer: soon while they have not said so. */
const SYNCED_MS = 30_000
const UNSYNCED_MS = 1_000
/** Before anything is known of the voters. */
const AT_START = { epochKnown: true, synced: false, backfilled: false, caughtUp: false }

/** @param onChange called when the mode or the set of reachable boxes has changed */
export function startMesh(deps: MeshDeps, onChange: () => void): RunningMesh {
  const { boxId, event, eventTag, ledger, tickets, membership, modeSwitch, logger, now, monotonic } = deps
  modeSwitch.setAutomatic(true)
  const closing = new AbortController()
  const isListed = (box: string) => membership.topology?.boxes.some(({ id }) => id === box) ?? false
  const refusals = new RefusalCounts({ logger, now, isListed })
  const shared = { ledger, tickets, event, logger, now, monotonic }
  const connection = new MeshConnection({
    boxId,
    eventTag,
    engine: deps.engine,
    replication: { ...deps.replication, ...shared, self: boxId, membership, refusals },
    refusals,
    membership,
    logger,
    now,
    monotonic,
    signal: closing.signal,
  })
  const peers = new Peers({ boxId, membership, connection, onChange, now })
  const queue = new ReservationQueue(ledger)

  const peerProblems = () => ({ unreachable: peers.unreachable(), refused: peers.refused() })
  const reason = (obstacle: Obstacle | null) => {
    if (connection.problem !== undefined && obstacle !== 'forced') return connection.problem
    return modeReason(obstacle, { unconfirmed: queue.length, ...peerProblems() })
  }
  const tracker = new ModeTracker({
    switch: modeSwitch,
    conditions: { ...AT_START, forced: modeSwitch.forced, unconfirmed: queue.length },
    reason: ({ obstacle }) => reason(obstacle).text,
    logger,
    now,
    monotonic,
  })
  tracker.onChange(onChange)

  const reservations = new MeshReservations({
    boxId,
    event,
    eventTag,
    ledger,
    tickets,
    queue,
    engine: () => connection.engine,
    records: { event: event.id, by: boxId, key: deps.replication.logKey, keyOf: logKeysOf(deps) },
    onRefused: (deliveredBy, why) => refusals.count(deliveredBy, why, 'reservation'),
    mode: () => tracker.state.mode,
    isReachable: () => tracker.state.reachable,
    whyProvisional: () => gateClause(tracker.state.obstacle, peerProblems()),
    observer: tracker,
    monotonic,
  })
  const unsubscribe = ledger.subscribe('later', (entries) => reservations.replicated(entries))

  let synced = false
  const watchSynced = async (engine: Engine) => {
    const { signal } = closing
    while (!signal.aborted) {
      synced = await engine.syncAlways().catch(() => synced && tracker.state.reachable)
      await sleep(synced ? SYNCED_MS : UNSYNCED_MS, undefined, { signal, ref: false }).catch(() => {})
    }
  }
  const watch = new ModeWatch({
    tracker,
    conditions: (): Conditions => ({
      forced: modeSwitch.forced,
      epochKnown: peers.isEpochKnown(),
      synced,
      backfilled: reservations.isBackfilled(),
      unconfirmed: queue.length,
      caughtUp: connection.replication?.caughtUp() ?? false,
    }),
    probe: () => reservations.probe(),
    onReachable: () => reservations.catchUp(),
    boxes: () => peers.boxes.length,
    monotonic,
  })
  void connection.opened.then((engine) => {
    if (!engine) return
    void reportLostLink(engine, tracker)
    void watchSynced(engine)
  })

  return {
    reservations,
    get mode() {
      return tracker.state.mode
    },
    unreachable: () => peers.unreachable(),
    lease: (name) => reservations.lease(name),
    status: () => {
      const { text, coded } = reason(tracker.state.obstacle)
      return {
        mode: tracker.state.mode,
        since: new Date(tracker.since).toISOString(),
        reason: text,
        reason_coded: [...coded],
        forced: modeSwitch.forced,
        epoch: membership.topology?.epoch ?? 0,
        unconfirmed: queue.length,
        boxes: peers.statuses(),
        refused: peers.refusedMessages(),
      }
    },
    apply: () => connection.apply(),
    async [Symbol.asyncDispose]() {
      closing.abort()
      await connection.opened
      // Before the connection goes: that would look like a cut cable.
      await Promise.all([tracker[Symbol.asyncDispose](), watch[Symbol.asyncDispose]()])
      await connection[Symbol.asyncDispose]()
      peers[Symbol.dispose]()
      unsubscribe()
      await reservations.settled()
    },
  }
}

/**
 * Finds the public key of a box's log: of everybody who is listed with a journal, and of whoever was. A box that died and was
 * removed may have admitted somebody whom only its reservation tells of.
 */
function logKeysOf({ ledger }: Pick<MeshDeps, 'ledger'>): (box: string) => KeyObject | undefined {
  const keys = new VerifierKeys()
  const find = ledger.db.drizzle
    .select({ logKey: boxes.logKey })
    .from(boxes)
    .where(eq(boxes.id, sql.placeholder('id')))
    .prepare()
  return (id) => keys.of(find.get({ id })?.logKey)
}

/** Without its own server a box reaches nobody. That is known at once; there is no need to wait for an answer that times out. */
async function reportLostLink(engine: Engine, tracker: ModeTracker): Promise<void> {
  for await (const { type } of engine.bulk.status()) if (type === 'disconnect') tracker.timedOut()
}
