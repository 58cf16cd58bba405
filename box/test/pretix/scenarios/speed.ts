/** A box and that pretix beside each other: the same tickets, the same machine, one after the other. And a load beside a lane. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../world/until.ts'
import { sellInBulk } from '../bulk.ts'
import { Gate } from '../gate.ts'
import { type RealPretix, sharedWork } from '../real.ts'
import type { Scenario } from '../scenario.ts'

const LONG = process.env.GATEHOUSE_TEST_LONG === '1'
const LANES = 8

/** @returns in words */
function figuresOf(times: number[], seconds: number): string {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1)
  return `${Math.round(times.length / seconds)} scans/s, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`
}

async function measured(codes: readonly string[], admit: (code: string) => Promise<boolean>): Promise<string> {
  const times: number[] = []
  const began = performance.now()
  await sharedWork(codes, LANES, async (code) => {
    const start = performance.now()
    assert.ok(await admit(code), code)
    times.push(performance.now() - start)
  })
  return figuresOf(times, (performance.now() - began) / 1000)
}

const speed: Scenario = {
  name: 'speed: first scans of the same tickets at the box and at pretix, eight lanes, one after the other on this machine',
  inShort: false,
  async run({ pretix, say }) {
    const { made, api } = pretix
    const orders = LONG ? 4_000 : 600
    const codes = await sellInBulk(pretix, { prefix: 'SPE', orders: orders + 1 })
    await using gate = await Gate.open(pretix, made.token, '--event', 'summer')
    await until(async () => (await gate.scan(codes.at(-1) ?? '')) === 'ADMIT', 'the last one is known', 30)
    await gate.ready(30)
    // Neither asks the other while it is measured, and what was scanned at the box is new to pretix.
    await gate.command('disconnect')
    await sleep(5_000)
    // Without the one that the box was asked about.
    const tickets = codes.slice(0, -1)
    const redeem = { lists: [made.lists.entrance], type: 'entry', source_type: 'barcode', questions_supported: false }
    say(`the box: ${await measured(tickets, async (code) => (await gate.scan(code)) === 'ADMIT')}`)
    const atPretix = await measured(tickets, async (secret) => {
      const body = { ...redeem, secret, nonce: secret }
      return (await api.ask('POST', 'organizers/acme/checkinrpc/redeem/', { body })).status === 201
    })
    say(`pretix: ${atPretix}`)
  },
}

/** Resident memory of a process, MB. */
function memoryOf(pid: number): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024)
}

/** Scans with a pause between them, as a lane does, until it is told to end. */
async function lane(
  gate: Gate,
  codes: readonly string[],
  isOver: (scans: number) => Promise<boolean>,
): Promise<number[]> {
  const times: number[] = []
  while (!(await isOver(times.length))) {
    const start = performance.now()
    await gate.scan(codes[times.length % codes.length] ?? '')
    times.push(performance.now() - start)
    await sleep(25)
  }
  return times
}

/** The longest that is measured: the rest of a load is like what was read by then. */
const MOST_MINUTES = 11

/** Asks pretix for pages of orders, one after the other as a box does, until it is told to end. */
async function readPages({ api }: RealPretix, isOver: () => boolean): Promise<number> {
  let pages = 0
  while (!isOver()) {
    const path = `organizers/acme/events/summer/orders/?page_size=50&include_canceled_positions=true&ordering=datetime&page=${1 + (pages % 40)}`
    assert.equal((await api.ask('GET', path)).status, 200)
    pages++
  }
  return pages
}

const load: Scenario = {
  name: 'load: orders are read for the first time while a lane scans, and the lane beside a pretix that others read, and alone; memory stays flat',
  inShort: false,
  async run({ pretix, say }) {
    const orders = LONG ? 100_000 : 3_000
    const codes = await sellInBulk(pretix, { prefix: 'LAN', orders: 40 })
    await sellInBulk(pretix, { prefix: 'LOA', orders, lastChangedDaysAgo: 7 })
    const began = performance.now()
    await using gate = await Gate.open(pretix, pretix.made.token, '--event', 'summer')
    await until(async () => (await gate.scan(codes.at(-1) ?? '')) === 'ADMIT', 'the lane’s tickets are known', 30)
    const memory: number[] = []
    let read = ''
    const beside = await lane(gate, codes, async (scans) => {
      if (scans % 40 > 0) return false
      memory.push(memoryOf(gate.box.process.pid))
      const down = (await gate.shown())?.down
      if (down?.reading) read = `${down.reading.page} of ${down.reading.pages} pages`
      return down?.compared_at != null || performance.now() - began > MOST_MINUTES * 60_000
    })
    const seconds = Math.round((performance.now() - began) / 1000)
    await gate.command('disconnect')
    await sleep(5_000)
    const length = LONG ? 60 : 15
    const ended = (from: number) => () => performance.now() > from + length * 1000
    // pretix and its database have as much of the machine as before, and the box reads nothing.
    const isOver = ended(performance.now())
    const [others, pages] = await Promise.all([lane(gate, codes, async () => isOver()), readPages(pretix, isOver)])
    await sleep(1_000)
    const isQuietOver = ended(performance.now())
    const alone = await lane(gate, codes, async () => isQuietOver())
    say(`${orders} orders, ${read} after ${seconds} s; memory ${memory[0]} to ${Math.max(...memory)} MB`)
    say(`the lane meanwhile: ${figuresOf(beside, seconds)}`)
    say(`while others read pretix, ${(pages / length).toFixed(1)} pages a second: ${figuresOf(others, length)}`)
    say(`alone: ${figuresOf(alone, length)}`)
    const [p99 = 0, p99Others = 0] = [beside, others].map(
      (times) => times.toSorted((a, b) => a - b)[Math.floor(0.99 * (times.length - 1))] ?? 0,
    )
    // That of a hostile crowd, in box/docs/performance.md: what pretix itself takes of the machine is no work of the box.
    const isWithin = p99 <= Math.min(2 * p99Others, p99Others + 50)
    say(
      `p99 ${p99.toFixed(1)} ms beside the load, ${p99Others.toFixed(1)} ms beside that pretix: ${isWithin ? 'within' : 'beyond'} the limit`,
    )
    const [early = 0] = memory.slice(Math.floor(memory.length / 4))
    assert.ok(Math.max(...memory) < early + 150, `memory ${memory.join(' ')} MB`)
  },
}

export const sideBySide: readonly Scenario[] = [speed, load]
