/** Bounds connections that have something in common: their address, or their network. */
import type { Server, Socket } from 'node:net'
import { networkOf } from './network.ts'

export class ConnectionCounts {
  readonly #most: number
  readonly #counts = new Map<string, number>()

  constructor(most: number) {
    this.#most = most
  }

  /** Counts the connection until it is closed. @returns false when there are as many as there may be; then it does not count */
  add(key: string, socket: Socket): boolean {
    const count = this.#counts.get(key) ?? 0
    if (count >= this.#most) return false
    this.#counts.set(key, count + 1)
    socket.once('close', () => {
      const left = (this.#counts.get(key) ?? 1) - 1
      if (left === 0) this.#counts.delete(key)
      else this.#counts.set(key, left)
    })
    return true
  }
}

/** Closes a connection at once, before its handshake, where its network has as many as it may. */
export function boundNetworks(server: Server, most: number): void {
  const networks = new ConnectionCounts(most)
  server.on('connection', (socket: Socket) => {
    if (!networks.add(networkOf(socket.remoteAddress ?? ''), socket)) socket.destroy()
  })
}
