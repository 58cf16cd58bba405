/** Makes this machine as slow as a small one with a card: syncs that take long, and a part of one core. Linux only. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const SOURCE = join(import.meta.dirname, 'slow-sync.c')
const CGROUPS = '/sys/fs/cgroup'
/** The shortest quota that the kernel takes: the process is stopped for four of every five milliseconds. */
const QUOTA_US = 1000

/** Reason why something cannot be measured on this machine, for the reader of a row. */
export interface Skipped {
  skipped: string
}

/**
 * A library that delays each sync of the process that it is loaded into, so that it takes `ms` at least.
 * @param folder for the library
 * @returns environment of that process
 */
export function slowSyncs(folder: string, ms: number): Record<string, string> | Skipped {
  const library = join(folder, 'slow-sync.so')
  try {
    execFileSync('cc', ['-O2', '-shared', '-fPIC', '-o', library, SOURCE, '-ldl'], { stdio: 'ignore' })
  } catch {
    return { skipped: 'slow syncs need Linux and a C compiler (cc)' }
  }
  return { LD_PRELOAD: library, BENCH_SYNC_MS: String(ms) }
}

/** A control group whose processes share a part of one core. */
export interface PartOfCore extends Disposable {
  take(pid: number): void
}

/** @param share of one core, 0 to 1 */
export function partOfCore(share: number): PartOfCore | Skipped {
  const [quota, period] = [QUOTA_US, Math.round(QUOTA_US / share)]
  const name = `gatehouse-bench-${process.pid}`
  try {
    // Version 1 has a tree for each controller, version 2 one tree for all.
    if (existsSync(join(CGROUPS, 'cpu/cpu.cfs_quota_us'))) {
      const limits = { 'cpu.cfs_period_us': String(period), 'cpu.cfs_quota_us': String(quota) }
      return group(join(CGROUPS, 'cpu', name), limits)
    }
    if (readFileSync(join(CGROUPS, 'cgroup.subtree_control'), 'utf8').split(/\s+/).includes('cpu')) {
      return group(join(CGROUPS, name), { 'cpu.max': `${quota} ${period}` })
    }
  } catch {
    // No control groups, or not of this user.
  }
  return { skipped: 'a part of a core needs root and control groups with the cpu controller' }
}

function group(folder: string, limits: Record<string, string>): PartOfCore {
  mkdirSync(folder)
  try {
    for (const [file, value] of Object.entries(limits)) writeFileSync(join(folder, file), value)
  } catch (error) {
    rmdirSync(folder)
    throw error
  }
  return {
    take: (pid) => writeFileSync(join(folder, 'cgroup.procs'), String(pid)),
    // The kernel refuses it while a process is in it.
    [Symbol.dispose]: () => rmdirSync(folder),
  }
}
