/**
 * A discrete-event model of reservations and replication among more boxes than could be measured. It takes the measured cost of
 * a write, a message and a replicated entry, and gives the time that is spent in queues.
 *
 * The model: a scan that would admit sends a reservation from its box to a core box (or from a core box to the leader), which
 * writes reservations to its disk one after the other. Two other core boxes do the same at the same time, and the reservation is
 * answered when two of the three have written it. Every journal entry goes to every other box through the core, and is applied
 * there in batches.
 */

export interface ManyBoxes {
  boxes: number
  /** Over all boxes; arrivals are a Poisson process. */
  scansPerSecond: number
  /** The share of scans that would admit, and so make a reservation. */
  admitting: number
  /** A durable write of a core box: median in milliseconds, and spread (sigma of a log-normal distribution). */
  writeMs: number
  writeSpread: number
  /** A message from one box to another, likewise. */
  wayMs: number
  waySpread: number
  /** Bytes of a reservation, and of a journal entry with its rows. */
  claimBytes: number
  entryBytes: number
  /** Milliseconds that a box needs to apply a replicated entry, and for each transaction. */
  applyMs: number
  batchMs: number
  /** Entries that arrive within this time after a transaction wait for the next one, milliseconds. */
  momentMs: number
  /** Simulated time, seconds. */
  seconds: number
  random: () => number
}

export interface ManyBoxesResult {
  /** From a gate's reservation to its answer, milliseconds. */
  claim: Quantiles
  /** From a commit at one box until every other box has applied it, milliseconds. */
  known: Quantiles
  /** Shares of the time, 0 to 1: the leader's disk is writing, and the busiest box is applying entries. */
  leaderBusy: number
  applyBusy: number
  /** Bytes a second: sent by the busiest core box, and received by each box. */
  coreSends: number
  boxReceives: number
}

export interface Quantiles {
  p50: number
  p99: number
  max: number
}

const VOTERS = 3

/** @throws RangeError for fewer boxes than there are voters */
export function simulate(model: ManyBoxes): ManyBoxesResult {
  if (model.boxes < VOTERS)
    throw new RangeError(`There are ${VOTERS} voters: with fewer boxes there is nothing to model.`)
  const { random, boxes } = model
  const draws = {
    write: logNormal(model.writeMs, model.writeSpread, random),
    way: logNormal(model.wayMs, model.waySpread, random),
  }
  const disks = Array.from({ length: VOTERS }, () => new Server())
  const appliers = Array.from({ length: boxes }, () => new BatchServer(model))
  const claims: number[] = []
  const entries: { at: number; from: number }[] = []
  let claimed = 0
  const end = model.seconds * 1000
  for (let at = gap(model); at < end; at += gap(model)) {
    const from = Math.floor(random() * boxes)
    let committed = at
    if (random() < model.admitting) {
      claimed++
      committed = at + claim(at, { from, disks, ...draws })
      claims.push(committed - at)
    }
    entries.push({ at: committed, from })
  }

  // Each box applies entries in the order in which they arrive.
  const known = entries.map(({ at }) => ({ at, last: at }))
  for (const [box, applier] of appliers.entries()) {
    const arriving = entries.flatMap(({ at, from }, entry) =>
      from === box ? [] : [{ entry, at: at + 2 * draws.way() }],
    )
    for (const { entry, doneAt } of applier.run(arriving.sort((a, b) => a.at - b.at))) {
      const one = known[entry]
      if (one) one.last = Math.max(one.last, doneAt)
    }
  }
  const busy = (ms: number) => ms / end
  const perSecond = (count: number) => count / model.seconds
  return {
    claim: quantiles(claims),
    known: quantiles(known.map(({ at, last }) => last - at)),
    leaderBusy: busy(disks[0]?.busyMs ?? 0),
    applyBusy: busy(Math.max(...appliers.map(({ busyMs }) => busyMs))),
    // Each core box serves a third of the leaves and sends to the two other core boxes; the leader copies reservations to both.
    coreSends:
      perSecond(entries.length) * model.entryBytes * (boxes / VOTERS + 2) + perSecond(claimed) * model.claimBytes * 3,
    boxReceives: perSecond(entries.length) * model.entryBytes * (1 - 1 / boxes),
  }
}

function claim(
  at: number,
  { from, disks, write, way }: { from: number; disks: readonly Server[]; write: () => number; way: () => number },
): number {
  // A leaf asks its core box, which in two of three cases is not the leader; a core box asks the leader; the leader asks nobody.
  const hops = from === 0 ? 0 : from < VOTERS ? 1 : 1 + (from % VOTERS === 0 ? 0 : 1)
  const travel = (count: number) => Array.from({ length: count }, way).reduce((sum, ms) => sum + ms, 0)
  const arrived = at + travel(hops)
  const [leader, ...others] = disks
  const own = leader?.serve(arrived, write()) ?? arrived
  const copies = others.map((disk) => disk.serve(arrived + way(), write()) + way())
  // Two of three: the leader and the faster of the others.
  const agreed = Math.max(own, Math.min(...copies))
  return agreed + travel(hops) - at
}

/** A disk, which writes one thing after the other. */
class Server {
  #freeAt = 0
  busyMs = 0

  /** @returns when a write is finished that arrives at `at` and takes `takes` */
  serve(at: number, takes: number): number {
    this.#freeAt = Math.max(this.#freeAt, at) + takes
    this.busyMs += takes
    return this.#freeAt
  }
}

/** A box that applies entries. The next batch is what has arrived while the last one was applied, and shortly after it began. */
class BatchServer {
  readonly #cost: Pick<ManyBoxes, 'applyMs' | 'batchMs' | 'momentMs'>
  busyMs = 0

  constructor(cost: Pick<ManyBoxes, 'applyMs' | 'batchMs' | 'momentMs'>) {
    this.#cost = cost
  }

  *run(arriving: readonly { entry: number; at: number }[]): Generator<{ entry: number; doneAt: number }> {
    let freeAt = 0
    let began = Number.NEGATIVE_INFINITY
    for (let next = 0; next < arriving.length; ) {
      const begin = Math.max(freeAt, arriving[next]?.at ?? 0, began + this.#cost.momentMs)
      began = begin
      let size = 1
      while ((arriving[next + size]?.at ?? Number.POSITIVE_INFINITY) <= begin) size++
      const takes = this.#cost.batchMs + size * this.#cost.applyMs
      freeAt = begin + takes
      this.busyMs += takes
      for (const { entry } of arriving.slice(next, next + size)) yield { entry, doneAt: freeAt }
      next += size
    }
  }
}

/** Counts the admissions that boxes reserve afterwards when they were cut off for a while, and the time that it takes. */
export function healing(model: {
  boxesAlone: number
  scansPerSecondEach: number
  admitting: number
  minutesAlone: number
  /** Reservations a second that a core answers, when many are made at once. */
  claimsPerSecond: number
}): { unconfirmed: number; seconds: number } {
  const { boxesAlone, scansPerSecondEach, admitting, minutesAlone, claimsPerSecond } = model
  const unconfirmed = Math.round(boxesAlone * scansPerSecondEach * admitting * minutesAlone * 60)
  return { unconfirmed, seconds: unconfirmed / claimsPerSecond }
}

function gap({ scansPerSecond, random }: ManyBoxes): number {
  return (-Math.log(1 - random()) / scansPerSecond) * 1000
}

function logNormal(median: number, sigma: number, random: () => number): () => number {
  return () => {
    // Box-Muller transform: from two uniform draws to a normal one.
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
    return median * Math.exp(sigma * normal)
  }
}

function quantiles(values: readonly number[]): Quantiles {
  const sorted = Float64Array.from(values).sort()
  const at = (q: number) => sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * q) - 1)] ?? 0
  return { p50: at(0.5), p99: at(0.99), max: at(1) }
}
