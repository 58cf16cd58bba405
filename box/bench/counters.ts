/** Reads the kernel's counts for a process and for the processes that it has started. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'

/** Since each process has begun. */
export interface Counted {
  /** Bytes that it has caused to be written to disk: whole pages of the kernel's cache, none of a file system in memory. */
  bytes: number
  /** Processor time of all threads, microseconds. */
  processorUs: number
}

/** @returns NaN where there is no /proc */
export function countedOf(pid: number): Counted {
  try {
    const all = tree(pid).map((each) => ({ bytes: writtenBy(each), processorUs: processorUsOf(each) }))
    const sum = (key: keyof Counted) => all.reduce((total, counted) => total + counted[key], 0)
    return { bytes: sum('bytes'), processorUs: sum('processorUs') }
  } catch {
    return { bytes: Number.NaN, processorUs: Number.NaN }
  }
}

/** Bytes that this one process has caused to be written to disk. */
export function writtenBy(pid: number): number {
  return Number(/^write_bytes: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1])
}

/** System calls, and those of them that wait for the disk; of all threads. */
export interface Calls {
  all: number
  syncs: number
}

const EVENTS = ['raw_syscalls:sys_enter', 'syscalls:sys_enter_fsync', 'syscalls:sys_enter_fdatasync']
/** For perf to find every thread. */
const PERF_STARTS_MS = 300

/** @returns how many calls a process makes meanwhile; undefined where perf cannot count them (it needs root) */
export async function callsOf(pid: number, work: () => Promise<unknown>): Promise<Calls | undefined> {
  const args = ['stat', '--field-separator', ',', '--event', EVENTS.join(','), '--pid', tree(pid).join(',')]
  const perf = spawn('perf', args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let report = ''
  perf.stderr.on('data', (bytes) => {
    report += bytes
  })
  const ended = once(perf, 'close').catch(() => undefined)
  await setTimeout(PERF_STARTS_MS)
  await work()
  perf.kill('SIGINT')
  await ended
  const [all, fsyncs, fdatasyncs] = EVENTS.map((event) =>
    Number(new RegExp(`^(\\d+),.*${event}`, 'm').exec(report)?.[1]),
  )
  return all && all > 0 ? { all, syncs: (fsyncs || 0) + (fdatasyncs || 0) } : undefined
}

function processorUsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  // utime and stime of proc(5), in hundredths of a second, counted from the field behind the command's name.
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}

/** The process and all that it has started. */
function tree(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return [pid, ...(children === '' ? [] : children.split(' ')).flatMap((child) => tree(Number(child)))]
}
