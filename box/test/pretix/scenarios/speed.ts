/** A box and that pretix beside each other: the same kind of tickets, the same machine, one after the other. And a load beside a lane. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../world/until.ts'
import { sellInBulk } from '../bulk.ts'
import { Gate } from '../gate.ts'
import { sharedWork } from '../real.ts'
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
  name: 'speed: first scans at the box and at pretix, eight lanes, one after the other on this machine',
  inShort: false,
  async run({ pretix, say }) {
    const { made, api } = pretix
    const orders = LONG ? 4_000 : 600
    const codes = await sellInBulk(pretix, { prefix: 'SPE', orders: 2 * orders })
    await using gate = await Gate.open(pretix, made.token, '--event', 'summer')
    await until(async () => (await gate.scan(codes.at(-1) ?? '')) === 'ADMIT', 'the last one is known', 30)
    await gate.ready(30)
    // Neither asks the other while it is measured.
    await gate.command('disconnect')
    await sleep(5_000)
    const [ours, theirs] = [codes.slice(0, orders), codes.slice(orders, -1)]
    const redeem = { lists: [made.lists.entrance], type: 'entry', source_type: 'barcode', questions_supported: false }
    say(`the box: ${await measured(ours, async (code) => (await gate.scan(code)) === 'ADMIT')}`)
    const atPretix = await measured(theirs, async (secret) => {
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

const load: Scenario = {
  name: 'load: orders are read for the first time while a lane scans; memory stays flat',
  inShort: false,
  async run({ pretix, say }) {
    const orders = LONG ? 100_000 : 3_000
    const lane = await sellInBulk(pretix, { prefix: 'LAN', orders: 40 })
    await sellInBulk(pretix, { prefix: 'LOA', orders })
    const began = performance.now()
    await using gate = await Gate.open(pretix, pretix.made.token, '--event', 'summer')
    await until(async () => (await gate.scan(lane.at(-1) ?? '')) === 'ADMIT', 'the lane’s tickets are known', 30)
    const times: number[] = []
    const memory: number[] = []
    for (let n = 0; ; n++) {
      const start = performance.now()
      await gate.scan(lane[n % lane.length] ?? '')
      times.push(performance.now() - start)
      if (n % 40 === 0) {
        memory.push(memoryOf(gate.box.process.pid))
        const { data } = await gate.box.admin().GET('/v1/admin/shop')
        if (data?.pretix?.down.compared_at) break
      }
      await sleep(25)
    }
    const seconds = Math.round((performance.now() - began) / 1000)
    say(
      `${orders} orders in ${seconds} s; the lane meanwhile: ${figuresOf(times, seconds)}; memory ${memory[0]} to ${Math.max(...memory)} MB`,
    )
    const [early = 0] = memory.slice(Math.floor(memory.length / 4))
    assert.ok(Math.max(...memory) < early + 150, `memory ${memory.join(' ')} MB`)
  },
}

export const sideBySide: readonly Scenario[] = [speed, load]
