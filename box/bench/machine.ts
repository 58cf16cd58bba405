/** Describes the machine: figures can be compared only with it. */
import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, platform, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Latency, latencyOf } from './figures.ts'

export interface Machine {
  cpu: string
  cores: number
  memory_gib: number
  node: string
  kernel: string
  /** Other work on the machine: runnable processes over the last minute, before the bench began. */
  load_average: number
  /** Writes and syncs 4 KiB, one after the other: the least that a commit costs. */
  disk: { syncs_per_second: number; sync_ms: Latency }
  /** Times of a loop that computes for one millisecond: longer ones are stops by the machine, which every p99 of the bench contains, too. */
  millisecond_ms: Latency
}

/** @param folder on the disk that the ledgers are measured on */
export async function describeMachine(folder: string): Promise<Machine> {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memory_gib: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    kernel: `${platform()} ${release()}`,
    load_average: loadavg()[0] ?? Number.NaN,
    disk: measureDisk(folder),
    millisecond_ms: await measureStalls(),
  }
}

/** Takes about three seconds, with rests, in which the system may give the core to others. */
async function measureStalls(): Promise<Latency> {
  let [steps, fastest] = [10_000, 0]
  while (fastest < 1) {
    steps *= 2
    fastest = Math.min(...Array.from({ length: 10 }, () => timeOf(steps)))
  }
  steps /= fastest
  const times: number[] = []
  for (let n = 0; n < 250; n++) {
    await sleep(10)
    times.push(timeOf(steps))
  }
  return latencyOf(times)
}

/** @returns ms */
function timeOf(steps: number): number {
  const started = performance.now()
  let sum = 0
  for (let n = 0; n < steps; n++) sum = (sum * 31 + n) | 0
  // The engine must not leave it out.
  return performance.now() - started + (sum === 0.5 ? 1 : 0)
}

function measureDisk(folder: string): Machine['disk'] {
  const path = join(folder, 'sync')
  const file = openSync(path, 'w')
  const page = Buffer.alloc(4096, 1)
  const times: number[] = []
  const started = performance.now()
  while (performance.now() - started < 1000) {
    const before = performance.now()
    writeSync(file, page)
    fdatasyncSync(file)
    times.push(performance.now() - before)
  }
  closeSync(file)
  rmSync(path)
  return { syncs_per_second: Math.round(times.length), sync_ms: latencyOf(times) }
}
