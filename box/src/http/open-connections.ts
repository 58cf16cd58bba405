/**
 * The open connections of a listener. An address has so many, and so has a network: an IPv6 address is one machine, and its /64 any
 * number of them. Where there are as many as there may be, one that does nothing gives way to a new one, so that nobody
 * locks out the others behind a shared address by holding connections open.
 */
import type { Socket } from 'node:net'
import { networkOf } from '../network.ts'

/** A connection is left alone for so long after it has begun, finished its handshake, or had its last answer, ms. */
const IDLE_MS = 2_000
/** A stranger's request under way is left alone for so long, ms. Its body may never come, or its answer never be read. */
const STALLED_MS = 10_000

/** In the order in which they give way, each with how long it is left alone. A device's request never gives way. */
const GIVE_WAY = [
  ['idle', IDLE_MS],
  ['asking', STALLED_MS],
  ['knownIdle', IDLE_MS],
] as const
type State = (typeof GIVE_WAY)[number][0]

interface Connection {
  readonly socket: Socket
  readonly groups: readonly Group[]
  state: State
  since: number
  /** Under way: a client may send several, one after the other. */
  requests: number
  /** True if a request on it had the credentials of a device or of an admin. */
  isKnown: () => boolean
}

/** Connections that have an address or a network in common. In each set the one that is in its state for longest is first. */
class Group {
  readonly idle = new Set<Connection>()
  readonly knownIdle = new Set<Connection>()
  readonly asking = new Set<Connection>()

  get size(): number {
    return this.idle.size + this.knownIdle.size + this.asking.size
  }
}

const known = new WeakSet<Socket>()

/** Marks the connection of a request that had the credentials of a device or of an admin: it is among the last to give way. */
export function markKnown(socket: Socket): void {
  known.add(socket)
}

export interface ConnectionBounds {
  mostOfAddress: number
  mostOfNetwork: number
  /** Milliseconds, monotonic. */
  now: () => number
}

export class OpenConnections {
  readonly #bounds: ConnectionBounds
  readonly #addresses = new Map<string, Group>()
  readonly #networks = new Map<string, Group>()
  /** By address and port: a request has the TLS socket, and the listener the TCP socket below it. */
  readonly #all = new Map<string, Connection>()

  constructor(bounds: ConnectionBounds) {
    this.#bounds = bounds
  }

  /** Counts a connection until it is closed. @returns false where there is no room for it; then it does not count */
  add(socket: Socket): boolean {
    const address = socket.remoteAddress ?? ''
    const network = networkOf(address)
    const { mostOfAddress, mostOfNetwork } = this.#bounds
    if (!this.#hasRoom(this.#addresses.get(address), mostOfAddress)) return false
    if (!this.#hasRoom(this.#networks.get(network), mostOfNetwork)) return false
    const groups = [groupOf(this.#addresses, address), groupOf(this.#networks, network)]
    const state = 'idle' as const
    const connection: Connection = { socket, groups, state, since: 0, requests: 0, isKnown: () => false }
    const name = nameOf(socket)
    this.#all.set(name, connection)
    this.#put(connection, state)
    socket.once('close', () => {
      this.#remove(connection)
      if (this.#all.get(name) === connection) this.#all.delete(name)
      if (groups[0]?.size === 0) this.#addresses.delete(address)
      if (groups[1]?.size === 0) this.#networks.delete(network)
    })
    return true
  }

  /** Its handshake is done. */
  ready(socket: Socket): void {
    const connection = this.#all.get(nameOf(socket))
    if (connection?.state === 'idle') this.#put(connection, 'idle')
  }

  /** A request has begun on the connection. @param socket of the request. @returns ends it */
  begin(socket: Socket): () => void {
    const connection = this.#all.get(nameOf(socket))
    if (!connection) return () => {}
    connection.requests++
    connection.isKnown = () => known.has(socket)
    if (connection.requests === 1) this.#put(connection, 'asking')
    return () => {
      connection.requests--
      if (connection.requests === 0 && !connection.socket.destroyed) {
        this.#put(connection, connection.isKnown() ? 'knownIdle' : 'idle')
      }
    }
  }

  #hasRoom(group: Group | undefined, most: number): boolean {
    return group === undefined || group.size < most || this.#makeRoom(group)
  }

  #makeRoom(group: Group): boolean {
    for (const [state, leftAloneMs] of GIVE_WAY) {
      const latest = this.#bounds.now() - leftAloneMs
      for (const connection of group[state]) {
        if (connection.since > latest) break
        if (state === 'asking' && connection.isKnown()) continue
        this.#remove(connection)
        connection.socket.destroy()
        return true
      }
    }
    return false
  }

  #put(connection: Connection, state: State): void {
    this.#remove(connection)
    connection.state = state
    connection.since = this.#bounds.now()
    for (const group of connection.groups) group[state].add(connection)
  }

  #remove(connection: Connection): void {
    for (const group of connection.groups) group[connection.state].delete(connection)
  }
}

function groupOf(groups: Map<string, Group>, name: string): Group {
  const group = groups.get(name) ?? new Group()
  groups.set(name, group)
  return group
}

/** Two sockets of one connection, the plain one and the one of its TLS, have the same name. */
export function nameOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}
