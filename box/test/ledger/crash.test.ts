/**
 * Issue 2, "what must be seen", 3: a box that is killed in the middle of its work. Every verdict that a scanner had
 * received stands, no ticket was admitted twice, and a scan that was never answered is answered once.
 */
import assert from 'node:assert/strict'
import { randomInt, randomUUID } from 'node:crypto'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { format } from '@gatehouse/proto/hlc.ts'
import type { ScanRequest, Verdict } from '@gatehouse/proto/wire/scan.ts'
import type { PairedDevice } from '../../src/device/pair.ts'
import { type TlsFetch, tlsFetch } from '../../src/device/tls-fetch.ts'
import { BoxFolder, type Ports } from '../world/process-box.ts'
import { audit } from './crash-audit.ts'
import { cutPower, keepingSyncedCopies } from './power-cut.ts'

const LONG = process.env.GATEHOUSE_TEST_LONG === '1'
const KILLS = LONG ? 200 : 10
const CUTS = LONG ? 100 : 5
const FIRST_STARTS = LONG ? 20 : 2
const DEVICES = 4
/** Scans that each device has in flight at a time. */
const LANES = 3
const TIERS = ['once', 'once', 'once', 'daily', 'daily', 'reentry', 'reentry', 'crew']
const TICKETS = Array.from({ length: LONG ? 4_000 : 200 }, (_, i) => `${TIERS[i % TIERS.length]}-${i}`)

interface Sent {
  request: ScanRequest
  by: Device
  /** The first answer. */
  answer?: string
}

interface Device {
  paired: PairedDevice
  fetch: TlsFetch
}

/** Gates: scans that were answered, and scans that were not. */
class Crowd implements AsyncDisposable {
  readonly sent: Sent[] = []
  /** Scans whose answer was lost, and how many of those the box had recorded. */
  readonly lost = { scans: 0, written: 0 }
  readonly #random: (below: number) => number
  #devices: Device[] = []
  #ports: Ports | undefined

  constructor(random: (below: number) => number) {
    this.#random = random
  }

  async pair(folder: BoxFolder, ports: Ports): Promise<void> {
    for (let i = 0; i < DEVICES; i++) {
      const paired = await folder.pair(ports, `scanner ${i}`)
      this.#devices.push({ paired, fetch: connect(paired) })
    }
  }

  async meet(ports: Ports): Promise<void> {
    this.#ports = ports
    for (const device of this.#devices) {
      await device.fetch[Symbol.asyncDispose]()
      device.fetch = connect(device.paired)
    }
  }

  /** Scans until the box is gone, or `signal` says so. */
  async scan(signal: AbortSignal): Promise<void> {
    const lanes = this.#devices.flatMap((device) => Array.from({ length: LANES }, () => device))
    await Promise.all(
      lanes.map(async (by) => {
        while (!signal.aborted) {
          if (!(await this.#step(by))) return
        }
      }),
    )
  }

  async #step(by: Device): Promise<boolean> {
    const mine = this.sent.filter((sent) => sent.by === by && sent.answer !== undefined)
    const again = this.#random(8) === 0 ? mine[this.#random(mine.length)] : undefined
    if (again) return this.ask(again)
    const sent: Sent = { request: this.#request(), by }
    this.sent.push(sent)
    // A phone without an answer for a second asks again, and may be answered twice.
    const asks = this.#random(8) === 0 ? [this.ask(sent), this.ask(sent)] : [this.ask(sent)]
    return (await Promise.all(asks)).every(Boolean)
  }

  #request(): ScanRequest {
    const ticket = this.#random(50) === 0 ? 'nobody' : (TICKETS[this.#random(TICKETS.length)] ?? '')
    const now = Date.now()
    return {
      scan_id: randomUUID(),
      payload: ticket,
      checkpoint: ['a-in', 'b-in', 'a-out'][this.#random(3)] ?? 'a-in',
      device_hlc: format({ ms: now, count: 0 }),
      offline_admitted: this.#random(8) === 0,
      observed_at: new Date(now).toISOString(),
    }
  }

  /** Sends a scan, for the first time or again. @returns false when the box is gone */
  async ask(sent: Sent): Promise<boolean> {
    const { request, by } = sent
    let text: string
    let status: number
    try {
      const answer = await by.fetch(
        new Request(`https://127.0.0.1:${this.#ports?.device}/v1/scan`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${by.paired.token}` },
          body: JSON.stringify(request),
        }),
      )
      status = answer.status
      text = await answer.text()
    } catch {
      return false
    }
    assert.equal(status, 200, text)
    sent.answer ??= text
    assert.equal(text, sent.answer)
    return true
  }

  /** After a restart: repeats unanswered scans, and compares answered ones. */
  async comeBack(since: number): Promise<void> {
    const unanswered = this.sent.filter(({ answer }) => answer === undefined)
    const [by] = this.#devices
    assert.ok(by)
    const first: Sent = { request: { ...this.#request(), payload: 'nobody', offline_admitted: false }, by }
    this.sent.push(first)
    assert.ok(await this.ask(first))
    for (const sent of unanswered) {
      // The scanner may have admitted the person offline after it waited in vain.
      if (this.#random(3) === 0) sent.request.offline_admitted = true
      assert.ok(await this.ask(sent))
      this.lost.scans++
      if (hlcOf(sent) < hlcOf(first)) this.lost.written++
    }
    const older = Array.from({ length: Math.min(since, 40) }, () => this.sent[this.#random(since)])
    const again = [...this.sent.slice(since), ...older]
    await Promise.all(
      this.#devices.map(async (device) => {
        for (const sent of again) if (sent?.by === device) assert.ok(await this.ask(sent))
      }),
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { fetch } of this.#devices) await fetch[Symbol.asyncDispose]()
  }
}

function hlcOf({ answer = '{}' }: Sent): string {
  return JSON.parse(answer).hlc
}

function connect({ ca, certificate: cert, key }: PairedDevice): TlsFetch {
  return tlsFetch({ ca, cert, key })
}

/** mulberry32: the same numbers for the same seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

function seeded(t: TestContext): (below: number) => number {
  const seed = Number(process.env.SEED ?? randomInt(2 ** 31))
  t.diagnostic(`SEED=${seed}`)
  return numbers(seed)
}

const newFolder = () => new BoxFolder({ tickets: TICKETS.map((code) => `${code},${code.split('-')[0]},,,,,,valid`) })

interface Ends {
  times: number
  /** A command that each box runs under. */
  through?: string[]
  /** After each kill. */
  after?: (random: (below: number) => number) => void
}

async function keepsItsWord(folder: BoxFolder, t: TestContext, { times, through, after }: Ends): Promise<void> {
  const random = seeded(t)
  const started = performance.now()
  await using crowd = new Crowd(random)
  const killed = { 'while it scans': 0, 'while it is idle': 0, 'while it starts': 0 }
  let compared = 0
  for (let kill = 0; kill <= times; kill++) {
    await using box = folder.start(through)
    if (kill > 0 && kill < times && random(5) === 0) {
      await sleep(random(1_200))
      killed['while it starts']++
      await box.kill()
      after?.(random)
      continue
    }
    const ports = await box.opened()
    if (kill === 0) await crowd.pair(folder, ports)
    await crowd.meet(ports)
    await crowd.comeBack(compared)
    compared = crowd.sent.length
    if (kill === times) break
    const idle = new AbortController()
    const scanning = crowd.scan(idle.signal)
    await sleep(20 + random(250))
    if (random(6) === 0) {
      idle.abort()
      await scanning
      killed['while it is idle']++
    } else {
      killed['while it scans']++
    }
    await box.kill()
    await scanning
    after?.(random)
  }

  const found = audit(folder.dataDir)
  assert.equal(found.answers.size, crowd.sent.length)
  const admittedOn = new Map<string, number>()
  for (const { request, answer = '' } of crowd.sent) {
    assert.equal(found.answers.get(request.scan_id), answer)
    const { verdict } = JSON.parse(answer) as Verdict
    if (verdict === 'ADMIT') admittedOn.set(request.payload, (admittedOn.get(request.payload) ?? 0) + 1)
  }
  for (const [code, times] of admittedOn) if (code.startsWith('once')) assert.equal(times, 1, code)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const figures = { killed, scans: crowd.sent.length, admissions: found.admissions, lost: crowd.lost, seconds }
  t.diagnostic(JSON.stringify(figures))
}

describe('a box that is killed', { concurrency: 2 }, () => {
  it(`keeps what it said, over ${KILLS} kills`, async (t) => {
    using folder = newFolder()
    await keepsItsWord(folder, t, { times: KILLS })
  })

  it(`keeps what it said, over ${CUTS} power cuts`, async (t) => {
    using folder = newFolder()
    const through = keepingSyncedCopies(folder.path)
    if (!through) return t.skip('there is no C compiler (cc)')
    const after = (random: (below: number) => number) => cutPower(folder.dataDir, random)
    await keepsItsWord(folder, t, { times: CUTS, through, after })
  })

  it(`comes up whole after ${FIRST_STARTS} kills in its very first start`, async (t) => {
    const random = seeded(t)
    for (let start = 0; start < FIRST_STARTS; start++) {
      using folder = new BoxFolder()
      {
        await using first = folder.start()
        await sleep(200 + random(1_300))
        await first.kill()
      }
      {
        await using second = folder.start()
        await folder.pair(await second.opened(), 'scanner')
      }
      assert.equal(audit(folder.dataDir).refs.size, 12)
    }
  })
})
