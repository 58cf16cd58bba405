/**
 * Ports for servers that a test starts, stops and starts again. Each is reserved by a file, so that no other process of this run takes
 * it, and lies outside of what the system gives to outgoing connections, so that it stays free while its server restarts.
 */

import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Below 11000 are ports of other programs; QEMU and nats-server take any. */
const LOWEST = 11_000
const HIGHEST = 65_535
/** Range for a system that does not say which ports it gives to outgoing connections. */
const USUAL_OUTGOING = [32_768, 60_999] as const
/** With fewer than this outside, all are used: a reservation then holds against other tests alone. */
const ENOUGH = 2000

interface Options {
  /** Of the reservations: the same for every process that must not get the same port. */
  folder?: string
  /** The ports to choose among. */
  among?: readonly number[]
}

/** Reserves ports for as long as this process lives. */
export async function freePorts(count: number, options: Options = {}): Promise<number[]> {
  const { folder = join(tmpdir(), 'gatehouse-ports'), among = portsOutside(outgoingPorts()) } = options
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

/** Every port that a test may use, given the range of outgoing ones. */
export function portsOutside([from, to]: readonly [from: number, to: number]): number[] {
  const all = Array.from({ length: HIGHEST - LOWEST + 1 }, (_, i) => LOWEST + i)
  const outside = all.filter((port) => port < from || port > to)
  return outside.length < ENOUGH ? all : outside
}

function outgoingPorts(): readonly [from: number, to: number] {
  try {
    const [from = 0, to = 0] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').split(/\s+/).map(Number)
    return from > 0 && to >= from ? [from, to] : USUAL_OUTGOING
  } catch {
    return USUAL_OUTGOING
  }
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

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    server.listen(port)
    await once(server, 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}
