/** A run: boxes, gates that scan all the time, one trouble after the other, and at the end the laws. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Stats } from '@gatehouse/proto/wire/stats.ts'
import { chance } from '../simulate/random.ts'
import type { PairedDevice } from '../src/device/pair.ts'
import { accountOf, withHeadsSeen } from './account.ts'
import { type AskedBox, Gate } from './gate.ts'
import type { Asked, History } from './history.ts'
import { Lab, type LabBox } from './lab.ts'
import { answeredAgain, type Violation, violationsOf } from './laws.ts'
import { STORM, type Trouble } from './troubles.ts'

export interface RunOptions {
  boxes: number
  cables: boolean
  natsServer: string
  troubles: readonly Trouble[]
  /** How long each lasts, and how long all is well after it and before the first. */
  secondsOfTrouble: number
  secondsOfCalm: number
  /** Decides which tickets come to which gate. */
  seed: number
  say: (line: string) => void
}

export interface Ran {
  violations: Violation[]
  asked: number
  admitted: number
  provisional: number
  /** Second answers to a scan that the laws hold against the first one of another box. */
  elsewhere: number
  doubles: number
  /** From the last mend until every box was whole again. */
  healedMs: number
}

/** Tickets that come again at another gate, by use: most people have one ticket and use it once. */
const USES = [1, 1, 1, 1, 1, 1, 1, 2, 2, 3]
/** Between two people at one gate. */
const PACE_MS = 60
const HEALED_WITHIN_MS = 180_000

/** @throws when the boxes cannot be brought up, or do not become whole again */
export async function run(options: RunOptions): Promise<Ran> {
  const { boxes: count, cables, natsServer, troubles, say } = options
  const minutes = (troubles.length * (options.secondsOfTrouble + options.secondsOfCalm + 5)) / 60 + 1
  const people = Math.ceil((minutes * 60_000 * count) / PACE_MS)
  const tickets = [...Array.from({ length: people }, (_, i) => `RUN-${i}`), ...STORM].map(
    (code) => `${code},once,,,,,,valid`,
  )
  await using lab = await Lab.open({ boxes: count, cables, natsServer, tickets })
  const devices: PairedDevice[] = []
  for (const [i, box] of lab.boxes.entries()) devices.push(await box.pair(`gate ${i}`))
  // Then every box knows every gate, too.
  await whole(lab, say)

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

  // Before anything goes wrong every box hears every other, and what one says binds the next.
  await sleep(options.secondsOfCalm * 1000)
  for (const trouble of troubles) {
    say(`${seconds(now())}  ${trouble.name}`)
    situation = { during: trouble.name, alone: trouble.alone(count) }
    await trouble.run(lab, options.secondsOfTrouble)
    // It takes a while until boxes know that all is well again: until then they may still be alone.
    situation = { during: `after ${trouble.name}`, alone: [...lab.boxes.keys()] }
    await sleep(options.secondsOfCalm * 1000)
  }
  over.abort()
  await Promise.all(crews)
  say(`${seconds(now())}  healing`)
  const healedMs = await whole(lab, say)
  const history = await historyOf(lab, asked)
  return summary(history, healedMs)
}

/** One person after the other, until it is over. */
async function work(gate: Gate, crowd: () => { ticket: string; again: boolean }, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    const { ticket, again } = crowd()
    await gate.admit(ticket, { again, isOver: () => over.aborted })
    await sleep(PACE_MS)
  }
}

/** Who comes next, at whichever gate: somebody new, or somebody whose ticket was used just now. */
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

/** Waits until every box hears every other, has everything, and has nothing left to ask. @returns how long it took, ms */
async function whole({ boxes }: Lab, say: (line: string) => void): Promise<number> {
  const from = performance.now()
  for (let waitsFor = ''; ; await sleep(250)) {
    const stats = await Promise.all(boxes.map((box) => statsOf(box).catch((error: Error) => error.message)))
    const missing = stats.flatMap((one, i) => unfinished(one).map((what) => `box ${i}: ${what}`))
    if (missing.length === 0 && new Set(stats.map(comparable)).size === 1) return performance.now() - from
    waitsFor = missing.join(', ') || 'counts that differ'
    if (performance.now() - from > HEALED_WITHIN_MS) {
      say(JSON.stringify(stats.map((one) => (typeof one === 'string' ? one : [one.mesh, one.admissions, one.flags]))))
      throw new Error(`The boxes are not whole again after ${HEALED_WITHIN_MS / 60_000} minutes: ${waitsFor}`)
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
