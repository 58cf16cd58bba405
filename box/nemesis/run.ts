/** A run: boxes, gates that scan all the time, one fault after the other, and the invariants in the end. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Stats } from '@gatehouse/proto/wire/stats.ts'
import { chance } from '../simulate/random.ts'
import type { PairedDevice } from '../src/device/pair.ts'
import { accountOf, withHeadsSeen } from './account.ts'
import { type Betrayal, betrayalIn, betrayalsIn } from './betrayal.ts'
import { type Fault, STORM } from './faults.ts'
import { type AskedBox, Gate } from './gate.ts'
import type { Asked, History } from './history.ts'
import { answeredAgain, type Violation, violationsOf } from './invariants.ts'
import { Lab } from './lab.ts'
import type { LabBox } from './lab-box.ts'
import type { Made } from './traitor-invariants.ts'
import { EMAIL, HOLDER, openTraitors } from './traitors.ts'

export interface RunOptions {
  boxes: number
  cables: boolean
  natsServer: string
  faults: readonly Fault[]
  /** Duration of each fault, and of the calm before and after it. */
  secondsOfFault: number
  secondsOfCalm: number
  /** With three traitors in the event, whom the faults of `TRAITORS` set to work. */
  traitors?: boolean
  /** Determines which tickets come to which gate. */
  seed: number
  say: (line: string) => void
}

export interface Ran {
  violations: Violation[]
  asked: number
  admitted: number
  provisional: number
  /** Later answers to a scan that C4 compares with the first answer of another box. */
  elsewhere: number
  doubles: number
  /** From the repair of the last fault until all boxes had converged. */
  healedMs: number
  /** Actions and readings of the traitors, and the messages that the boxes refused; only with traitors. */
  betrayal?: Betrayal
}

/** Most tickets are shown once, some again at another gate. */
const USES = [1, 1, 1, 1, 1, 1, 1, 2, 2, 3]
/** Pause between two people at one gate. */
const PACE_MS = 60
const HEALED_WITHIN_MS = 180_000

/** @throws when the boxes cannot be started, or do not converge */
export async function run(options: RunOptions): Promise<Ran> {
  const { boxes: count, cables, natsServer, faults, say, traitors: withTraitors = false } = options
  const minutes = (faults.length * (options.secondsOfFault + options.secondsOfCalm + 5)) / 60 + 1
  const people = Math.ceil((minutes * 60_000 * count) / PACE_MS)
  const tickets = [...Array.from({ length: people }, (_, i) => `RUN-${i}`), ...STORM].map(
    (code) => `${code},once,,${HOLDER},${EMAIL},,,valid`,
  )
  await using lab = await Lab.open({ boxes: count, cables, natsServer, tickets, withTraitors })
  const devices: PairedDevice[] = []
  for (const [i, box] of lab.boxes.entries()) devices.push(await box.pair(`gate ${i}`))
  // Afterwards every box knows every gate.
  await convergence(lab, say)
  const made: Made = { devices: new Set(devices.map(({ id }) => id)), tickets: tickets.length }
  await using _ = withTraitors ? await openTraitors(lab, made) : undefined

  const startedAt = performance.now()
  const now = () => performance.now() - startedAt
  const asked: Asked[] = []
  let situation: { during: string; alone: readonly number[] } = { during: 'calm', alone: [] }
  const over = new AbortController()
  await using gates = new AsyncDisposableStack()
  const crowd = crowdOf(people, options.seed)
  const crews: Promise<void>[] = []
  const boxes = lab.boxes.map(
    (box, i): AskedBox => ({
      box: box.id,
      deviceUrl: () => box.deviceUrl,
      situation: () => ({
        during: situation.during,
        alone: situation.alone.includes(i),
        away: !box.isUp || box.isFrozen,
      }),
    }),
  )
  for (const [i, own] of boxes.entries()) {
    const device = devices[i] as PairedDevice
    const others = boxes.filter((box) => box !== own)
    const onAsked = (one: Asked) => asked.push(one)
    const gate = gates.use(new Gate({ device, own, others, chance: chance(options.seed + i), onAsked, now }))
    crews.push(work(gate, crowd, over.signal))
  }

  // A time without a fault, in which every box reaches every other.
  await sleep(options.secondsOfCalm * 1000)
  for (const fault of faults) {
    say(`${seconds(now())}  ${fault.name}`)
    situation = { during: fault.name, alone: fault.alone(count) }
    await fault.run(lab, options.secondsOfFault)
    // Until the boxes have noticed that the fault is repaired, they may still be cut off.
    situation = { during: `after ${fault.name}`, alone: [...lab.boxes.keys()] }
    await sleep(options.secondsOfCalm * 1000)
  }
  over.abort()
  await Promise.all(crews)
  say(`${seconds(now())}  healing`)
  const healedMs = await convergence(lab, say)
  const betrayal = withTraitors ? await betrayalIn(lab) : undefined
  const history = await historyOf(lab, asked)
  const ran = summary(history, healedMs)
  if (!betrayal) return ran
  const violations = await betrayalsIn(lab, { history, made, betrayal, attacks: faults.map(({ name }) => name) })
  return { ...ran, betrayal, violations: [...ran.violations, ...violations] }
}

/** Scans one ticket after the other until the run is over. */
async function work(gate: Gate, crowd: () => { ticket: string; again: boolean }, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    const { ticket, again } = crowd()
    await gate.admit(ticket, { again, isOver: () => over.aborted })
    await sleep(PACE_MS)
  }
}

/** Draws the next ticket, for whichever gate: a new one, or one that was used shortly before. */
function crowdOf(tickets: number, seed: number): () => { ticket: string; again: boolean } {
  const { number: random } = chance(seed)
  const copies: string[] = []
  let next = 0
  return () => {
    const again = random() < 0.2
    if (copies.length > 0 && random() < 0.3) {
      const [ticket = ''] = copies.splice(Math.floor(random() * copies.length), 1)
      return { ticket, again }
    }
    const ticket = `RUN-${next++ % tickets}`
    const uses = USES[Math.floor(random() * USES.length)] ?? 1
    for (let use = 1; use < uses; use++) copies.push(ticket)
    return { ticket, again }
  }
}

/** Waits until every box reaches every other, has all entries, and has no unconfirmed admission. @returns how long it took, ms */
async function convergence({ boxes }: Lab, say: (line: string) => void): Promise<number> {
  const from = performance.now()
  for (let waitsFor = ''; ; await sleep(250)) {
    const stats = await Promise.all(boxes.map((box) => statsOf(box).catch((error: Error) => error.message)))
    const missing = stats.flatMap((one, i) => unfinished(one).map((what) => `box ${i}: ${what}`))
    if (missing.length === 0 && new Set(stats.map(comparable)).size === 1) return performance.now() - from
    waitsFor = missing.join(', ') || 'counts that differ'
    if (performance.now() - from > HEALED_WITHIN_MS) {
      say(JSON.stringify(stats.map((one) => (typeof one === 'string' ? one : [one.mesh, one.admissions, one.flags]))))
      throw new Error(`The boxes have not converged after ${HEALED_WITHIN_MS / 60_000} minutes: ${waitsFor}`)
    }
  }
}

function unfinished(stats: Stats | string): string[] {
  if (typeof stats === 'string') return [stats]
  const { mesh } = stats
  if (!mesh) return ['is alone']
  return [
    ...(mesh.mode === 'STRICT' ? [] : [mesh.reason]),
    ...(mesh.unconfirmed === 0 ? [] : [`${mesh.unconfirmed} unconfirmed`]),
    ...mesh.boxes.filter(({ behind }) => behind > 0).map(({ name, behind }) => `${behind} behind ${name}`),
  ]
}

function comparable(stats: Stats | string): string {
  return typeof stats === 'string' ? stats : JSON.stringify([stats.admissions, stats.admitted, stats.flags])
}

async function statsOf(box: LabBox): Promise<Stats> {
  const admin = await box.admin()
  const { data, error } = await admin.GET('/v1/admin/stats', { signal: AbortSignal.timeout(5_000) })
  if (!data) throw new Error(error.message)
  return data as Stats
}

async function historyOf({ boxes }: Lab, asked: readonly Asked[]): Promise<History> {
  const stats = await Promise.all(boxes.map(statsOf))
  await Promise.all(boxes.map((box) => box.stop()))
  const accounts = boxes.map((box, i) => accountOf(box, stats[i] as Stats))
  return { asked, accounts: withHeadsSeen(accounts) }
}

function summary(history: History, healedMs: number): Ran {
  const answers = history.asked.flatMap(({ answer }) => answer ?? [])
  const admits = answers.filter(({ verdict }) => verdict === 'ADMIT')
  return {
    violations: violationsOf(history),
    asked: history.asked.length,
    admitted: admits.length,
    provisional: admits.filter(({ confidence }) => confidence === 'provisional').length,
    elsewhere: answeredAgain(history.asked).filter(({ first, then }) => then.box !== first.box).length,
    doubles: history.accounts[0]?.flags.filter(({ kind }) => kind === 'double_use').length ?? 0,
    healedMs,
  }
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(0)} s`.padStart(6)
