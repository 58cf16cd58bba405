/**
 * The traitors of a run: a machine that only votes, a box that was removed, and a box with a clock three days off. Each attacks with
 * the files and credentials that it really has (`traitor.ts`), and withholds what only it can withhold.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { TEST_EVENT } from '../test/world/event.ts'
import { aTicketOf } from './account.ts'
import type { Fault } from './faults.ts'
import type { Lab } from './lab.ts'
import type { LabBox } from './lab-box.ts'
import type { LabVoter } from './lab-voter.ts'
import type { Order, TraitorReport, TraitorSetup } from './traitor.ts'
import type { Made } from './traitor-invariants.ts'

const TRAITOR = join(import.meta.dirname, 'traitor.ts')
const DAYS_OFF_MS = 3 * 86_400_000
const LIES_WITHIN_MS = 60_000
/** The holder of every ticket of a run with traitors: what must not be readable. */
export const HOLDER = 'Ada Quillfeather'
export const EMAIL = 'quillfeather@example.org'

export type TraitorName = 'voter' | 'removed box' | 'wrong clock'

export class Traitor implements AsyncDisposable {
  readonly name: TraitorName
  readonly #child: ChildProcess

  private constructor(name: TraitorName, child: ChildProcess) {
    this.name = name
    this.#child = child
  }

  /** @param machine its own, in whose network it runs */
  static async open(name: TraitorName, machine: LabBox | LabVoter, setup: Omit<TraitorSetup, 'self' | 'dataDir'>) {
    const whole: TraitorSetup = { ...setup, self: machine.id, dataDir: machine.dataDir }
    const [file = '', ...args] = [...machine.place.through, process.execPath, TRAITOR, JSON.stringify(whole)]
    const child = spawn(file, args, { detached: true, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    const exited = once(child, 'exit').then(([code]) => {
      throw new Error(`A traitor ended with ${code}.`)
    })
    exited.catch(() => {})
    await Promise.race([once(child, 'message'), exited])
    return new Traitor(name, child)
  }

  attack(lengths: Readonly<Record<string, number>>): void {
    this.#order({ attack: { lengths } })
  }

  rest(): void {
    this.#order({ rest: true })
  }

  async report(): Promise<TraitorReport> {
    this.#order({ report: true })
    const [report] = (await once(this.#child, 'message')) as [TraitorReport]
    return report
  }

  #order(order: Order): void {
    this.#child.send(order)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const gone = once(this.#child, 'exit')
    this.#child.disconnect()
    await gone
  }
}

/** @param made what is there to lie about */
export async function openTraitors(lab: Lab, made: Made): Promise<AsyncDisposable> {
  const { voter, removed, boxes } = lab
  const wrong = boxes.at(-1)
  if (!voter || !removed || !wrong) throw new Error('There is nobody to be a traitor.')
  await using opened = new AsyncDisposableStack()
  const [device = ''] = made.devices
  const about = { event: TEST_EVENT.id, device, ticket: aTicketOf(wrong) }
  const victims = boxes.filter((box) => box !== wrong).map(({ id }) => id)
  const nobodysKeys = {
    ...about,
    victims: [...victims, wrong.id],
    personal: [HOLDER, EMAIL],
    aheadMs: 0,
    forgesReservations: true,
  }
  const ofAMember = { ...about, aheadMs: DAYS_OFF_MS, forgesReservations: false }
  lab.traitors = [
    opened.use(await Traitor.open('voter', voter, nobodysKeys)),
    opened.use(await Traitor.open('removed box', removed, { ...nobodysKeys, natsServer: lab.natsServer })),
    // A member reads what members read, and reserves rights.
    opened.use(await Traitor.open('wrong clock', wrong, { ...ofAMember, victims, personal: [] })),
  ]
  return opened.move()
}

/** Any box may be cut off: a voter that stands still takes the leader's place with it, for as long as the election takes. */
const all = (boxes: number) => [...Array(boxes).keys()]

export const TRAITORS: readonly Fault[] = [
  attack('a voter lies, repeats, floods and withholds its vote', ['voter']),
  attack('a removed box lies, repeats and floods', ['removed box']),
  attack('a box three days ahead lies, repeats, floods and withholds its journal', ['wrong clock']),
  attack('three traitors at once', ['voter', 'removed box', 'wrong clock']),
]

function attack(name: string, who: readonly TraitorName[]): Fault {
  return { name, needs: 'processes', alone: all, run: (lab, seconds) => attackFor(lab, who, seconds) }
}

async function attackFor(lab: Lab, who: readonly TraitorName[], seconds: number): Promise<void> {
  const traitors = lab.traitors.filter((traitor) => who.includes(traitor.name))
  const wrong = who.includes('wrong clock') ? lab.boxes.at(-1) : undefined
  const voter = who.includes('voter') ? lab.voter : undefined
  const over = new AbortController()
  const attacking = (async () => {
    while (!over.signal.aborted) {
      const lengths = await lengthsOf(lab)
      for (const traitor of traitors) traitor.attack(lengths)
      await sleep(500)
    }
    for (const traitor of traitors) traitor.rest()
  })()
  // The messages that they listen for are on their way meanwhile.
  const importing = lab.boxes[0]?.importTickets(`DURING-${lab.imported}`, HOLDER, EMAIL)
  const attacked = Promise.withResolvers<void>()
  const skewed = wrong?.skewClock(DAYS_OFF_MS, attacked.promise)
  voter?.freeze()
  wrong?.withhold()
  await sleep((seconds * 1000) / 3)
  voter?.thaw()
  wrong?.thaw()
  await sleep((seconds * 1000 * 2) / 3 - 1_000)
  try {
    for (const traitor of traitors) await hasLied(traitor)
  } finally {
    // Before the clock is set right: the box's own messages have higher numbers then.
    over.abort()
    await attacking
    attacked.resolve()
  }
  lab.imported += (await importing) ?? 0
  await skewed
}

/** Until a traitor has told its first lie: its process has low priority, and a busy machine lets it wait for longer than an attack. */
async function hasLied(traitor: Traitor): Promise<void> {
  const end = performance.now() + LIES_WITHIN_MS
  while ((await traitor.report()).sent.lies === 0) {
    if (performance.now() > end)
      throw new Error(`The ${traitor.name} has told no lie within ${LIES_WITHIN_MS / 1000} s.`)
    await sleep(250)
  }
}

/** The length of each box's journal, which a traitor can learn by asking. */
async function lengthsOf({ boxes }: Lab): Promise<Record<string, number>> {
  const lengths = await Promise.all(
    boxes.map(async (box) => [box.id, await box.entries(AbortSignal.timeout(400)).catch(() => 0)] as const),
  )
  return Object.fromEntries(lengths)
}
