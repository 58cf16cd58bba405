/**
 * The cables between the boxes of a test: each box is reached by the others at an address of its own on loopback, where
 * connections are forwarded to it, and each direction between two boxes can be cut and slowed down. As on a real network
 * nothing is said when a cable is cut: bytes stop to come, and come when it is mended, if anybody is still waiting.
 */
import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'

/** One direction between two boxes. */
interface Way {
  cut: boolean
  delayMs: number
}

/** A connection to the forwarder. */
interface Line {
  /** The box that dialled; undefined while it is unknown, because a process may dial before its pid is. */
  from(): number | undefined
  to: number
  ends: readonly [dialled: Socket, dialling: Socket]
  look(): void
}

export interface CableOptions {
  /** Processes of a box that may dial others. */
  pidsOf: (box: number) => readonly number[]
  boxes: number
}

export class Cables implements AsyncDisposable {
  readonly #options: CableOptions
  readonly #servers: Server[] = []
  readonly #lines = new Set<Line>()
  readonly #ways = new Map<string, Way>()

  constructor(options: CableOptions) {
    this.#options = options
  }

  /** Forwards what is dialled at `at` to box `to`, which listens at `target`. Only where addresses can be had for nothing. */
  async lay(to: number, at: { host: string; port: number }, target: { host: string; port: number }): Promise<void> {
    const server = createServer({ pauseOnConnect: true }, (dialled) => {
      const inode = inodeOf(dialled.remotePort ?? 0, at.port)
      let from: number | undefined
      const who = () => {
        from ??= this.#whoHas(inode)
        return from
      }
      this.#join(who, to, dialled, connect(target))
    })
    server.listen(at.port, at.host)
    await once(server, 'listening')
    this.#servers.push(server)
  }

  /** Nothing comes from `from` to `to` any more; the other direction stays as it is. */
  cutOneWay(from: number, to: number): void {
    this.#change(from, to, { cut: true })
  }

  cut(a: number, b: number): void {
    this.cutOneWay(a, b)
    this.cutOneWay(b, a)
  }

  /** Cuts a box off from all others. */
  isolate(box: number): void {
    for (let other = 0; other < this.#options.boxes; other++) if (other !== box) this.cut(box, other)
  }

  /** Delays everything from `from` to `to`. */
  delay(from: number, to: number, ms: number): void {
    this.#change(from, to, { delayMs: ms })
  }

  mend(a: number, b: number): void {
    this.#change(a, b, { cut: false, delayMs: 0 })
    this.#change(b, a, { cut: false, delayMs: 0 })
  }

  mendAll(): void {
    for (const key of this.#ways.keys()) this.#change(...pairOf(key), { cut: false, delayMs: 0 })
  }

  /** Ends the connections between two boxes, as a switch does that is turned off and on. */
  reset(a: number, b: number): void {
    for (const { from, to, ends } of this.#lines) {
      const [one, other] = [from(), to]
      if ((one === a && other === b) || (one === b && other === a)) for (const end of ends) end.destroy()
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = this.#servers.map((server) => once(server.close(), 'close'))
    for (const { ends } of this.#lines) for (const end of ends) end.destroy()
    await Promise.all(closed)
  }

  #change(from: number, to: number, change: Partial<Way>): void {
    const key = `${from} ${to}`
    this.#ways.set(key, { ...this.#way(from, to), ...change })
    for (const line of this.#lines) line.look()
  }

  #way(from: number | undefined, to: number | undefined): Way {
    return this.#ways.get(`${from} ${to}`) ?? { cut: false, delayMs: 0 }
  }

  #join(from: () => number | undefined, to: number, dialled: Socket, target: Socket): void {
    const there = this.#carry(dialled, target, () => this.#way(from(), to))
    const back = this.#carry(target, dialled, () => this.#way(to, from()))
    const ends = [dialled, target] as const
    const line: Line = {
      from,
      to,
      ends,
      look: () => {
        there()
        back()
      },
    }
    this.#lines.add(line)
    for (const end of ends) {
      end.setNoDelay(true)
      end.on('error', () => {})
      end.once('close', () => {
        this.#lines.delete(line)
        for (const each of ends) each.destroy()
      })
    }
    line.look()
  }

  /** Carries bytes one way, held back while the way is cut. @returns what looks at the way again */
  #carry(source: Socket, sink: Socket, way: () => Way): () => void {
    const underway: { at: number; bytes: Buffer }[] = []
    let timer: NodeJS.Timeout | undefined
    const pass = () => {
      timer = undefined
      if (way().cut) return
      for (let next = underway[0]; next; next = underway[0]) {
        const wait = next.at - performance.now()
        if (wait > 0) {
          timer = setTimeout(pass, wait)
          return
        }
        underway.shift()
        sink.write(next.bytes)
      }
    }
    source.on('data', (bytes: Buffer) => {
      underway.push({ at: performance.now() + way().delayMs, bytes })
      if (timer === undefined) pass()
    })
    return () => {
      // Unread bytes fill the sender's window, and then its memory, as with a cut cable.
      if (way().cut) source.pause()
      else source.resume()
      if (timer === undefined) pass()
    }
  }

  /** Linux knows whose a connection is. */
  #whoHas(inode: string | undefined): number | undefined {
    const boxes = Array.from({ length: this.#options.boxes }, (_, i) => i)
    return boxes.find((box) => this.#options.pidsOf(box).some((pid) => hasOpen(pid, inode)))
  }
}

function pairOf(key: string): [number, number] {
  const [from = 0, to = 0] = key.split(' ').map(Number)
  return [from, to]
}

/** The kernel's number of the dialling end: ports are in hex there, behind each address. */
function inodeOf(localPort: number, remotePort: number): string | undefined {
  const hex = (port: number) => port.toString(16).toUpperCase().padStart(4, '0')
  const row = new RegExp(`: \\S+:${hex(localPort)} \\S+:${hex(remotePort)} (?:\\S+ +){6}(\\d+)`)
  return ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((path) => row.exec(readFileSync(path, 'utf8'))?.[1] ?? [])[0]
}

function hasOpen(pid: number, inode: string | undefined): boolean {
  if (inode === undefined) return false
  try {
    const folder = `/proc/${pid}/fd`
    return readdirSync(folder).some((name) => {
      try {
        return readlinkSync(`${folder}/${name}`) === `socket:[${inode}]`
      } catch {
        // Closed meanwhile.
        return false
      }
    })
  } catch {
    // The process is gone.
    return false
  }
}
