/**
 * Picks a port for a server that starts later and keeps it over restarts. It lies outside of the range from which the system takes
 * ports itself, for outgoing connections and for servers that take any: a port of that range is soon another program's, and the port
 * of the voters is not opened before the event has a third one.
 */
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'

/** Below 11000 are the ports of known programs. */
const LOWEST = 11_000
const HIGHEST = 65_535
/** For a system that does not say what its range is: that of Linux, and the one that IANA names. */
const USUAL_RANGE = [32_768, HIGHEST] as const
/** With fewer than this outside of the range, there is no choice but the whole. */
const ENOUGH = 2000

/** @throws where no port is free, or this machine does not have the address */
export async function freePort(host: string): Promise<number> {
  const among = portsOutside(systemRange())
  const first = randomInt(among.length)
  for (let i = 0; i < among.length; i++) {
    const port = among[(first + i) % among.length] as number
    if (await isFree(port, host)) return port
  }
  throw new Error('No port of this machine is free.')
}

/** Every port outside of a range; all, where the range is nearly everything. */
export function portsOutside([from, to]: readonly [from: number, to: number]): number[] {
  const all = Array.from({ length: HIGHEST - LOWEST + 1 }, (_, i) => LOWEST + i)
  const outside = all.filter((port) => port < from || port > to)
  return outside.length < ENOUGH ? all : outside
}

/** The range from which the system takes ports itself. */
export function systemRange(): readonly [from: number, to: number] {
  try {
    const [from = 0, to = 0] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').split(/\s+/).map(Number)
    return from > 0 && to >= from ? [from, to] : USUAL_RANGE
  } catch {
    return USUAL_RANGE
  }
}

/** @param host every address of this machine when absent */
export async function isFree(port: number, host?: string): Promise<boolean> {
  const server = createServer().listen(port, host)
  try {
    await once(server, 'listening')
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false
    throw error
  } finally {
    const { listening } = server
    server.close()
    if (listening) await once(server, 'close')
  }
}
