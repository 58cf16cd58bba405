/**
 * Boxes that share nothing but their reservations: each is a desk with a ledger of its own and a nats-server of its own in one
 * core. No journal is replicated, so what a box knows of another's admissions it knows from the reservation stream.
 */
import { createPublicKey, randomBytes } from 'node:crypto'
import type { EventFile } from '../../src/event/event.ts'
import type { Engine } from '../../src/mesh/engine/engine.ts'
import { ReservationQueue } from '../../src/mesh/reservation/queue.ts'
import { MeshReservations } from '../../src/mesh/reservation/reservations.ts'
import type { Mode } from '../../src/rights/mode.ts'
import { Desk } from '../world/desk.ts'
import { TEST_EVENT } from '../world/event.ts'
import { until } from '../world/until.ts'
import { logKeyOf, MeshEngines } from './engines.ts'

/** Tickets that may come back may also go on to the lounge. */
const EVENT = {
  ...TEST_EVENT,
  checkpoints: TEST_EVENT.checkpoints.map((checkpoint) =>
    checkpoint.id === 'v-in' ? { ...checkpoint, tiers: [...checkpoint.tiers, 'reentry'] } : checkpoint,
  ),
} as EventFile
const NOON = Date.parse('2026-07-04T12:00:00+01:00')

/** As `newBox` names them. */
const IS_BOX = /^box-[0-9][0-9a-f]{6}$/

/** One box: what its reservations know of the mesh is set by the test, and what they report is kept. */
export interface ReservingBox {
  readonly desk: Desk
  engine: Engine
  reservations: MeshReservations
  queue: ReservationQueue
  mode: Mode
  reachable: boolean
  /** Reports of reservations and probes about the voters, in order. */
  readonly reported: ('answered' | 'unanswered' | 'timed out')[]
  /** The records that were refused: who delivered each, and why. */
  readonly refused: string[]
}

export class ReservationWorld implements AsyncDisposable {
  readonly boxes: readonly ReservingBox[]
  readonly #stack: AsyncDisposableStack

  private constructor(boxes: readonly ReservingBox[], stack: AsyncDisposableStack) {
    this.boxes = boxes
    this.#stack = stack
  }

  /** @param rows tickets, as `Desk.import` takes them */
  static async open(count: number, rows: readonly string[]): Promise<ReservationWorld> {
    await using opened = new AsyncDisposableStack()
    const engines = opened.use(await MeshEngines.open(count))
    await engines.startAll()
    const shared = { signing_seed: randomBytes(32), ref_key: randomBytes(32), manifest_salt: randomBytes(16) }
    const boxes = await Promise.all(
      engines.topology.boxes.map(async ({ id }, i): Promise<ReservingBox> => {
        const identity = { ...shared, box_id: Buffer.from(id) }
        const desk = opened.use(await Desk.open({ event: EVENT, now: NOON, identity }))
        await desk.import(rows)
        const box: Omit<ReservingBox, 'reservations' | 'queue'> = {
          desk,
          engine: engines.at(i),
          mode: 'STRICT',
          reachable: true,
          reported: [],
          refused: [],
        }
        return Object.assign(box, reservationsOf(box))
      }),
    )
    for (const box of boxes) box.desk.deps.reservations = box.reservations
    const world = new ReservationWorld(boxes, opened.move())
    // After the elections the stream needs a moment until it has all its replicas.
    for (const box of boxes) await world.answers(box)
    return world
  }

  /** Resolves when the voters answer this box, and its queue is empty. */
  async answers({ reservations, queue, reported }: ReservingBox): Promise<void> {
    await until(
      async () => {
        reported.length = 0
        await reservations.probe()
        reservations.catchUp()
        await reservations.settled()
        return reported.at(-1) === 'answered' && reservations.isBackfilled() && queue.length === 0
      },
      'the voters answer',
      2,
    )
    reported.length = 0
  }

  /** Ends the box's process and starts it again: what is on disk stays, and what it was about to do is lost. */
  restart(box: ReservingBox): void {
    box.desk.restart()
    this.reopen(box)
  }

  /** Reopens its reservations, over the ledger and the engine that it has. */
  reopen(box: ReservingBox): void {
    Object.assign(box, reservationsOf(box))
    box.desk.deps.reservations = box.reservations
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { engine } of this.boxes) if (engine.pid !== undefined) process.kill(engine.pid, 'SIGCONT')
    for (const { reservations } of this.boxes) await reservations.settled()
    await this.#stack.disposeAsync()
  }
}

function reservationsOf(
  box: Omit<ReservingBox, 'reservations' | 'queue'>,
): Pick<ReservingBox, 'reservations' | 'queue'> {
  const { desk, engine, reported, refused } = box
  const queue = new ReservationQueue(desk.deps.ledger)
  const reservations = new MeshReservations({
    queue,
    boxId: desk.id,
    event: desk.event,
    eventTag: Buffer.from(desk.tag).toString('hex'),
    ledger: desk.deps.ledger,
    tickets: desk.deps.tickets,
    engine: () => engine,
    records: {
      ...{ event: desk.event.id, by: desk.id, key: logKeyOf(desk.id) },
      keyOf: (id) => (IS_BOX.test(id) ? createPublicKey(logKeyOf(id)) : undefined),
    },
    onRefused: (deliveredBy, why) => void refused.push(`${deliveredBy} ${why}`),
    mode: () => box.mode,
    isReachable: () => box.reachable,
    whyProvisional: () => 'Gate South unheard for 3 minutes',
    monotonic: () => performance.now(),
    observer: {
      answered: () => void reported.push('answered'),
      unanswered: () => void reported.push('unanswered'),
      timedOut: () => void reported.push('timed out'),
    },
  })
  return { reservations, queue }
}
