/** `npm run bench -- --profile`: profiles the box while 40 connections scan as fast as they can. */
import { join } from 'node:path'
import { Crowd, scanOf } from './crowd.ts'
import { saturate } from './load.ts'
import { readProfile, type Share, sharesOf } from './profile.ts'
import { RunningBox } from './running-box.ts'
import type { ScanBench } from './scan-rows.ts'

const FUNCTIONS = 20

/** @returns a table for people; the profile itself is left in `directory`, for a browser's developer tools */
export async function profileScans(bench: ScanBench, directory: string): Promise<string> {
  const crowd = new Crowd(join(bench.folder, 'profile'), bench.tickets)
  await crowd.write((done) => bench.progress(`making tickets: ${done} of ${crowd.size}`))
  const name = 'scan.cpuprofile'
  const started = performance.now()
  const nodeArgs = ['--cpu-prof', `--cpu-prof-dir=${directory}`, `--cpu-prof-name=${name}`]
  const box = await RunningBox.open(crowd, { pinned: bench.pinned, nodeArgs })
  const load = {
    connections: await box.connect(40),
    body: () => {
      const code = crowd.next()
      return code === undefined ? undefined : JSON.stringify(scanOf(code))
    },
    onAnswer: () => {},
  }
  bench.progress('profiling')
  await saturate({ ...load, seconds: bench.seconds })
  const warmUp = (performance.now() - started) / 1000
  const before = box.server.processorSeconds()
  const { rate, latencies } = await saturate({ ...load, seconds: bench.seconds * 2 })
  const used = (box.server.processorSeconds() ?? Number.NaN) - (before ?? Number.NaN)
  // The profile is written when the process ends.
  await box[Symbol.asyncDispose]()

  const { areas, functions } = sharesOf(readProfile(join(directory, name)), warmUp)
  const microseconds = 1e6 / rate
  const line = ({ what, share }: Share) =>
    `${(share * 100).toFixed(1).padStart(5)} %  ${(share * microseconds).toFixed(1).padStart(5)} us  ${what}`
  return [
    `${rate.toFixed(0)} scans/s: ${microseconds.toFixed(0)} us each, ${((used / latencies.length) * 1e6).toFixed(0)} us of them on the processor`,
    '',
    ...areas.map(line),
    '',
    ...functions.slice(0, FUNCTIONS).map(line),
  ].join('\n')
}
