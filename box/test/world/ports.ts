/**
 * Ports for servers that a test starts, stops and starts again. Each is reserved by a file, so that no other process of this run takes
 * it, and lies outside of what the system gives to outgoing connections, so that it stays free while its server restarts.
 */

import { randomInt } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isFree, portsOutside, systemRange } from '../../src/free-port.ts'

interface Options {
  /** Of the reservations: the same for every process that must not get the same port. */
  folder?: string
  /** The ports to choose among. */
  among?: readonly number[]
}

/** Reserves ports for as long as this process lives. */
export async function freePorts(count: number, options: Options = {}): Promise<number[]> {
  const { folder = join(tmpdir(), 'gatehouse-ports'), among = portsOutside(systemRange()) } = options
  mkdirSync(folder, { recursive: true, mode: 0o777 })
  const ports: number[] = []
  const first = randomInt(among.length)
  for (let i = 0; ports.length < count; i++) {
    if (i === among.length) throw new Error(`no free port for a test; reservations: ${folder}`)
    const port = among[(first + i) % among.length] as number
    // Reserved first: another process of this run does not even probe it, which would take it for a moment.
    if (reserve(port, folder) && (await isFree(port))) ports.push(port)
  }
  return ports
}

/** @returns whether this process has it now: nobody had it, or its owner has ended */
function reserve(port: number, folder: string): boolean {
  const path = join(folder, String(port))
  if (create(path)) return true
  if (!isLeftBehind(path)) return false
  // One process at a time takes it over, and looks again: no reservation is ever removed under its owner.
  const lock = `${path}.lock`
  if (!create(lock)) return false
  try {
    if (!isLeftBehind(path)) return false
    writeFileSync(path, String(process.pid))
    return true
  } finally {
    rmSync(lock, { force: true })
  }
}

function isLeftBehind(path: string): boolean {
  const owner = ownerOf(path)
  return owner !== undefined && !isAlive(owner)
}

function create(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Undefined where it is gone, or was made a moment ago and holds no number yet. */
function ownerOf(path: string): number | undefined {
  try {
    const pid = Number(readFileSync(path, 'utf8'))
    return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined
  } catch {
    return undefined
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
