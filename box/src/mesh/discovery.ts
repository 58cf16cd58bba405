/**
 * Boxes on the same network, by DNS-based service discovery over multicast DNS (RFC 6763, RFC 6762).
 *
 * Nothing found here is to be trusted. Whoever shares the air can announce any box with any fingerprint, answer for
 * the name of a real one, or say goodbye for it. A found box is where to knock; whether to talk to it is decided by
 * TLS, against a fingerprint that came another way: the invite's QR, the join file.
 */
import { createSocket, type Socket } from 'node:dgram'
import { EventEmitter, once } from 'node:events'
import { isIP } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { Bonjour, type Service } from 'bonjour-service'
import { Type } from 'typebox'
import { Value } from 'typebox/value'

const TYPE = 'gatehouse'
const GROUP = '224.0.0.251'
const MDNS_PORT = 5353
/** A network appears, changes its address or goes without telling anyone. */
const LOOK_AGAIN_MS = 15_000
const ASK_AGAIN_MS = 500
const MOST_QUESTIONS = 16
const MOST_PACKETS_A_SECOND = 50
const MOST_ADDRESSES = 16

export interface Ports {
  http: number
  https: number
  device: number
}

export interface Advertisement {
  boxId: string
  eventId: string
  /** For people; cut to what a DNS label can hold beside the box id, which keeps two boxes of one name apart. */
  name: string
  ports: Ports
  /** `sha256:<64 hex>` of the CA certificate. */
  caFingerprint: string
}

/** What somebody says on the network: well-formed, and no more than that. */
export interface FoundBox extends Advertisement {
  /** IPv4 and IPv6, the one that the answer came from first. */
  addresses: string[]
}

/** Where its HTTPS listener may be reached. */
export function urlsOf({ addresses, ports }: Pick<FoundBox, 'addresses' | 'ports'>): string[] {
  return addresses.map((address) => `https://${address.includes(':') ? `[${address}]` : address}:${ports.https}`)
}

interface Where {
  /** IPv4 address of one interface; without it every network of this machine, or loopback when there is none. */
  interface?: string
  /** UDP port; another one than 5353 reaches nobody else. */
  port?: number
}

/**
 * Advertises a box until disposed, and then says goodbye, so that neighbours forget it at once. Never throws and never
 * rejects: a box without network, or with a port 5353 that another program keeps for itself, admits people all the
 * same. `onProblem` hears of each kind of problem once, and a later attempt may succeed.
 */
export function advertise(
  box: Advertisement,
  { onProblem, interface: only, port = MDNS_PORT }: Where & { onProblem: (problem: Error) => void },
): AsyncDisposable {
  const stopping = new AbortController()
  const told = new Set<string>()
  const tell = (problem: unknown) => {
    const error = problem instanceof Error ? problem : new Error(String(problem))
    if (told.has(error.message)) return
    told.add(error.message)
    onProblem(error)
  }

  const advertising = async () => {
    const voices = new Map<string, Bonjour>()
    let spoken = ''
    while (!stopping.signal.aborted) {
      const addresses = only ? [only] : ownAddresses()
      // The records name every address of the machine, so all are said anew when one changes.
      if (String(addresses) !== spoken) await silence(voices)
      spoken = String(addresses)
      for (const address of addresses) {
        if (!voices.has(address))
          await speak(box, address, port, tell).then((voice) => voices.set(address, voice), tell)
      }
      await sleep(LOOK_AGAIN_MS, undefined, { ref: false, signal: stopping.signal }).catch(() => {})
    }
    await Promise.all([...voices.values()].map((voice) => new Promise((said) => voice.unpublishAll(said))))
    await silence(voices)
  }
  const advertised = advertising().catch(tell)

  return {
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await advertised
    },
  }
}

/**
 * Asks the network for boxes and returns those that answered within `timeoutMs`, by id. Two answers that give one id
 * different fingerprints are both returned: one of them is lying, and the person who reads the list should see it.
 *
 * @throws Error when no network could be asked
 */
export async function find({
  timeoutMs,
  interface: only,
  port = MDNS_PORT,
}: Where & { timeoutMs: number }): Promise<FoundBox[]> {
  const found = new Map<string, FoundBox>()
  const hear = (service: Service) => {
    const box = readBox(service)
    const key = `${box?.boxId} ${box?.caFingerprint}`
    // The first answer stays: a later one may be somebody else's.
    if (box && !found.has(key)) found.set(key, box)
  }

  const ears = new Map<string, Bonjour>()
  const problems: unknown[] = []
  for (const address of only ? [only] : ownAddresses()) {
    await listen(address, port, isAnswer, (problem) => problems.push(problem)).then(
      (ear) => ears.set(address, ear),
      (problem) => problems.push(problem),
    )
  }
  if (ears.size === 0) {
    await silence(ears)
    throw new Error('no network could be asked for boxes', { cause: new AggregateError(problems) })
  }
  const browsers = [...ears.values()].map((ear) => ear.find({ type: TYPE }, hear))
  for (const browser of browsers) browser.on('txt-update', hear).on('srv-update', hear)
  // Multicast over Wi-Fi is not repeated when it is lost, so the question is.
  const asking = setInterval(() => {
    for (const browser of browsers) browser.update()
  }, ASK_AGAIN_MS)
  await sleep(timeoutMs)
  clearInterval(asking)
  await silence(ears)
  return [...found.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, box]) => box)
}

async function speak(
  { boxId, eventId, name, ports, caFingerprint }: Advertisement,
  address: string,
  port: number,
  onProblem: (problem: unknown) => void,
): Promise<Bonjour> {
  const voice = await listen(address, port, isQuestion, onProblem)
  const shortName = cut(name, 62 - Buffer.byteLength(boxId))
  voice.publish({
    name: `${shortName} ${boxId}`,
    type: TYPE,
    port: ports.https,
    host: `${hostname().split('.')[0]}.local`,
    txt: { id: boxId, event: eventId, name: shortName, fp: caFingerprint, ...ports },
    // The box id makes the name unique; asking first would let anybody silence a box by claiming its name.
    probe: false,
  })
  return voice
}

/**
 * Multicast DNS on one interface. The socket is made here and not by the library, because the library throws from
 * inside event handlers when it cannot bind or join, and because what reaches it must be kept small: the box answers
 * on the thread that admits people.
 */
async function listen(
  address: string,
  port: number,
  wanted: (packet: Buffer) => boolean,
  onProblem: (problem: unknown) => void,
): Promise<Bonjour> {
  const socket = await openSocket(address, port)
  const filtered = new EventEmitter()
  let budget = MOST_PACKETS_A_SECOND
  const refill = setInterval(() => {
    budget = MOST_PACKETS_A_SECOND
  }, 1000).unref()
  socket.on('error', onProblem)
  socket.on('close', () => clearInterval(refill))
  socket.on('message', (packet, from) => {
    if (!wanted(packet) || budget <= 0) return
    budget--
    try {
      filtered.emit('message', packet, from)
    } catch (problem) {
      // A packet that its author made to break a parser must not end the process.
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

async function openSocket(address: string, port: number): Promise<Socket> {
  const socket = createSocket({ type: 'udp4', reuseAddr: true })
  try {
    // Not to the interface's address: Linux delivers no multicast to a socket that is bound to one.
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

async function silence(voices: Map<string, Bonjour>): Promise<void> {
  await Promise.all([...voices.values()].map((voice) => new Promise<void>((closed) => voice.destroy(closed))))
  voices.clear()
}

/** A thousand phones ask for printers all day; and one packet can hold a thousand questions, each answered apart. */
function isQuestion(packet: Buffer): boolean {
  return isAboutBoxes(packet) && !isResponse(packet) && packet.readUInt16BE(4) <= MOST_QUESTIONS
}

function isAnswer(packet: Buffer): boolean {
  return isAboutBoxes(packet) && isResponse(packet)
}

function isAboutBoxes(packet: Buffer): boolean {
  return packet.length > 12 && packet.includes(`_${TYPE}`)
}

function isResponse(packet: Buffer): boolean {
  return packet.readUInt8(2) >= 0x80
}

const Port = Type.Refine(Type.String(), (text) => /^[1-9]\d{0,4}$/.test(text) && Number(text) < 65_536)
const Txt = Type.Object({
  id: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,40}$' }),
  event: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,63}$' }),
  // Printed on a terminal: no character that it would obey.
  name: Type.Refine(Type.String({ maxLength: 63 }), (text) => !/\p{C}/u.test(text)),
  fp: Type.String({ pattern: '^sha256:[0-9a-f]{64}$' }),
  http: Port,
  https: Port,
  device: Port,
})

function readBox({ txt, referer, addresses = [] }: Service): FoundBox | undefined {
  if (!Value.Check(Txt, txt)) return undefined
  const { id, event, name, fp, http, https, device } = txt
  const reached = new Set([referer?.address ?? '', ...addresses].filter((address) => isIP(address) !== 0))
  return {
    boxId: id,
    eventId: event,
    name,
    ports: { http: Number(http), https: Number(https), device: Number(device) },
    caFingerprint: fp,
    addresses: [...reached].slice(0, MOST_ADDRESSES),
  }
}

/** One address for each network that this machine is on, so that a box with two serves both. */
function ownAddresses(): string[] {
  const networks = Object.values(networkInterfaces()).flatMap(
    (addresses) => addresses?.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? [],
  )
  return networks.length > 0 ? networks.sort() : ['127.0.0.1']
}

/** The longest beginning that fits, without half a character. */
function cut(text: string, bytes: number): string {
  return new TextDecoder().decode(Buffer.from(text).subarray(0, bytes)).replace(/\ufffd$/, '')
}
