/**
 * How claims and journals behave with more boxes than anybody here has: a discrete-event model, not a measurement. What one
 * write, one message and one heard entry cost are put in as they were measured; queues and their waiting come out.
 *
 * The model: a scan that would admit sends a claim from its box to a core box (or from one core to its leader), which writes it
 * to its disk, one after the other; two others do the same beside it, and the claim is answered when the second of the three
 * has it. Every entry of a journal goes to every other box through the core, and is applied there in batches.
 */

export interface ManyBoxes {
  boxes: number
  /** Over all boxes; arrivals are a Poisson process. */
  scansPerSecond: number
  /** Of all scans: those that would admit, and so make a claim. */
  admitting: number
  /** One durable write of a core box: median, and how far it spreads (sigma of a log-normal). Milliseconds. */
  writeMs: number
  writeSpread: number
  /** One way between two boxes, milliseconds, likewise. */
  wayMs: number
  waySpread: number
  /** Bytes of one claim, and of one journal entry with what travels along. */
  claimBytes: number
  entryBytes: number
  /** What a box needs to apply one heard entry, and for a transaction of them, milliseconds. */
  applyMs: number
  batchMs: number
  /** What comes so soon after a transaction waits for the next, milliseconds. */
  momentMs: number
  /** How long is looked at, seconds. */
  seconds: number
  random: () => number
}

export interface ManyBoxesResult {
  /** From the gate's question to the answer about its claim, milliseconds. */
  claim: Quantiles
  /** From a commit at one box until every other box has applied it, milliseconds. */
  known: Quantiles
  /** Of its time, how much the leader's disk is writing, and a box that hears all others is applying: 1 is all of it. */
  leaderBusy: number
  applyBusy: number
  /** Bytes a second that the busiest core box sends, and that each box receives. */
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

  // Each applier takes what has reached it in the order of its arrival.
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
    // A third of the leaves hang on each core box, which also tells the two other ones; the leader copies claims to both.
    coreSends:
      perSecond(entries.length) * model.entryBytes * (boxes / VOTERS + 2) + perSecond(claimed) * model.claimBytes * 3,
    boxReceives: perSecond(entries.length) * model.entryBytes * (1 - 1 / boxes),
  }
}

function claim(
  at: number,
  { from, disks, write, way }: { from: number; disks: readonly Server[]; write: () => number; way: () => number },
): number {
  // A leaf asks its core box, two times in three not the leader; a core box asks the leader; the leader asks itself.
  const hops = from === 0 ? 0 : from < VOTERS ? 1 : 1 + (from % VOTERS === 0 ? 0 : 1)
  const travel = (count: number) => Array.from({ length: count }, way).reduce((sum, ms) => sum + ms, 0)
  const arrived = at + travel(hops)
  const [leader, ...others] = disks
  const own = leader?.serve(arrived, write()) ?? arrived
  const copies = others.map((disk) => disk.serve(arrived + way(), write()) + way())
  // Itself and the faster of the others are two of three.
  const agreed = Math.max(own, Math.min(...copies))
  return agreed + travel(hops) - at
}

/** One after the other: a disk that writes. */
class Server {
  #freeAt = 0
  busyMs = 0

  /** @returns when it is done with work that arrives at `at` and takes `takes` */
  serve(at: number, takes: number): number {
    this.#freeAt = Math.max(this.#freeAt, at) + takes
    this.busyMs += takes
    return this.#freeAt
  }
}

/** Whatever has arrived while the last batch was applied, and in the moment after it began, is the next one. */
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

/** Admissions that boxes which were alone have to ask about when the cable is mended, and how long the asking takes. */
export function healing(model: {
  boxesAlone: number
  scansPerSecondEach: number
  admitting: number
  minutesAlone: number
  /** Claims a second that a core answers, when many are asked at once. */
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
    // Box and Muller's way from two even draws to a normal one.
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
    return median * Math.exp(sigma * normal)
  }
}

function quantiles(values: readonly number[]): Quantiles {
  const sorted = Float64Array.from(values).sort()
  const at = (q: number) => sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * q) - 1)] ?? 0
  return { p50: at(0.5), p99: at(0.99), max: at(1) }
}
