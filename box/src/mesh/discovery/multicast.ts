/** Multicast DNS on one network interface, limited to packets about boxes: the box answers on the thread that admits people. */
import { createSocket, type Socket } from 'node:dgram'
import { EventEmitter, once } from 'node:events'
import { networkInterfaces } from 'node:os'
import { Bonjour } from 'bonjour-service'
import { SERVICE } from './announcement.ts'

export const MDNS_PORT = 5353
const GROUP = '224.0.0.251'
const MOST_QUESTIONS = 16
const MOST_PACKETS_A_SECOND = 50

/** Interface and port of multicast DNS. */
export interface MulticastOptions {
  /** IPv4 address of one interface. Without it every network of this machine, or loopback when there is none. */
  interface?: string
  /** UDP port. On another one than 5353 nobody else is reached. */
  port?: number
}

export interface ListenOptions {
  /** IPv4 address of the interface. */
  address: string
  port: number
  isWanted: (packet: Buffer) => boolean
  onProblem: (problem: unknown) => void
}

/**
 * Opens multicast DNS on one interface. The socket is made here and not by the library, because the library throws from inside
 * event handlers when it cannot bind or join the group, and because most packets have to be dropped before it sees them.
 */
export async function listen({ address, port, isWanted, onProblem }: ListenOptions): Promise<Bonjour> {
  const socket = await openSocket(address, port)
  const filtered = new EventEmitter()
  let budget = MOST_PACKETS_A_SECOND
  const refill = setInterval(() => {
    budget = MOST_PACKETS_A_SECOND
  }, 1000).unref()
  socket.on('error', onProblem)
  socket.on('close', () => clearInterval(refill))
  socket.on('message', (packet, from) => {
    if (!isWanted(packet) || budget <= 0) return
    budget--
    try {
      filtered.emit('message', packet, from)
    } catch (problem) {
      // A packet made to break the parser must not end the process.
      onProblem(problem)
    }
  })
  const options = {
    port,
    bind: false,
    socket: Object.assign(filtered, { send: socket.send.bind(socket), close: socket.close.bind(socket) }),
  }
  return new Bonjour(options, onProblem)
}

/** Closes all of them, and empties the map. */
export async function closeAll(opened: Map<string, Bonjour>): Promise<void> {
  await Promise.all([...opened.values()].map((each) => new Promise<void>((closed) => each.destroy(closed))))
  opened.clear()
}

/** One address for each network that this machine is on, so that a box with two networks serves both. */
export function ownAddresses(): string[] {
  const networks = Object.values(networkInterfaces()).flatMap(
    (addresses) => addresses?.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? [],
  )
  return networks.length > 0 ? networks.sort() : ['127.0.0.1']
}

/** Phones ask for printers all day, and one packet can hold a thousand questions, each of which is answered separately. */
export function isQuestion(packet: Buffer): boolean {
  return isAboutBoxes(packet) && !isResponse(packet) && packet.readUInt16BE(4) <= MOST_QUESTIONS
}

export function isAnswer(packet: Buffer): boolean {
  return isAboutBoxes(packet) && isResponse(packet)
}

function isAboutBoxes(packet: Buffer): boolean {
  return packet.length > 12 && packet.includes(`_${SERVICE}`)
}

function isResponse(packet: Buffer): boolean {
  return packet.readUInt8(2) >= 0x80
}

async function openSocket(address: string, port: number): Promise<Socket> {
  const socket = createSocket({ type: 'udp4', reuseAddr: true })
  try {
    // Not bound to the interface's address: to such a socket Linux delivers no multicast.
    socket.bind(port, '0.0.0.0')
    await once(socket, 'listening')
    socket.addMembership(GROUP, address)
    socket.setMulticastInterface(address)
    socket.setMulticastTTL(255)
    return socket
  } catch (cause) {
    socket.close()
    throw new Error(`no multicast DNS on ${address}: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}
