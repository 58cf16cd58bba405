/**
 * Announces a box on the local network and finds others, by DNS-based service discovery over multicast DNS (RFC 6763, RFC 6762).
 *
 * A found box is only an address to try. Whether to talk to it is decided by TLS, against a fingerprint that came another way:
 * from the invite's QR code, or from the join file.
 */
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bonjour, Service } from 'bonjour-service'
import { type Advertisement, type FoundBox, readAnnouncement, SERVICE } from './announcement.ts'
import { closeAll, isAnswer, isQuestion, listen, MDNS_PORT, type MulticastOptions, ownAddresses } from './multicast.ts'

/** A network appears, changes its address or disappears without a notification. */
const LOOK_AGAIN_MS = 15_000
const ASK_AGAIN_MS = 500

/**
 * Advertises a box until disposed, and then sends goodbyes, so that other machines forget it at once. Never throws and never
 * rejects: a box without a network, or with a port 5353 that another program keeps for itself, admits people all the same.
 * @param options.onProblem called once for each kind of problem; a later attempt may succeed
 */
export function advertise(
  box: Advertisement,
  { onProblem, interface: only, port = MDNS_PORT }: MulticastOptions & { onProblem: (problem: Error) => void },
): AsyncDisposable {
  const stopping = new AbortController()
  const reported = new Set<string>()
  const report = (problem: unknown) => {
    const error = problem instanceof Error ? problem : new Error(String(problem))
    if (reported.has(error.message)) return
    reported.add(error.message)
    onProblem(error)
  }

  const advertising = async () => {
    const responders = new Map<string, Bonjour>()
    let announced = ''
    while (!stopping.signal.aborted) {
      const addresses = only ? [only] : ownAddresses()
      // The records name every address of the machine, so all of them are announced anew when one changes.
      if (String(addresses) !== announced) await closeAll(responders)
      announced = String(addresses)
      for (const address of addresses) {
        if (responders.has(address)) continue
        await openResponder(box, address, port, report).then((made) => responders.set(address, made), report)
      }
      await sleep(LOOK_AGAIN_MS, undefined, { ref: false, signal: stopping.signal }).catch(() => {})
    }
    await Promise.all([...responders.values()].map((each) => new Promise((sent) => each.unpublishAll(sent))))
    await closeAll(responders)
  }
  const advertised = advertising().catch(report)

  return {
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await advertised
    },
  }
}

/**
 * Asks the network for boxes and returns those that answered within `timeoutMs`, by id. Two answers that give one id different
 * fingerprints are both returned: one of them is false, and the person who reads the list should see it.
 * @throws Error when no network could be asked
 */
export async function find({
  timeoutMs,
  interface: only,
  port = MDNS_PORT,
}: MulticastOptions & { timeoutMs: number }): Promise<FoundBox[]> {
  const found = new Map<string, FoundBox>()
  const onService = (service: Service) => {
    const box = readAnnouncement(service)
    const key = `${box?.boxId} ${box?.caFingerprint}`
    // The first answer stays: a later one may come from somebody else.
    if (box && !found.has(key)) found.set(key, box)
  }

  const listeners = new Map<string, Bonjour>()
  const problems: unknown[] = []
  const onProblem = (problem: unknown) => void problems.push(problem)
  for (const address of only ? [only] : ownAddresses()) {
    await listen({ address, port, isWanted: isAnswer, onProblem }).then(
      (listener) => listeners.set(address, listener),
      onProblem,
    )
  }
  if (listeners.size === 0) {
    throw new Error('no network could be asked for boxes', { cause: new AggregateError(problems) })
  }
  const browsers = [...listeners.values()].map((listener) => listener.find({ type: SERVICE }, onService))
  for (const browser of browsers) browser.on('txt-update', onService).on('srv-update', onService)
  // Wi-Fi does not repeat a multicast that is lost, so the question is repeated here.
  const asking = setInterval(() => {
    for (const browser of browsers) browser.update()
  }, ASK_AGAIN_MS)
  await sleep(timeoutMs)
  clearInterval(asking)
  await closeAll(listeners)
  return [...found.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, box]) => box)
}

async function openResponder(
  { boxId, eventId, name, ports, caFingerprint }: Advertisement,
  address: string,
  port: number,
  onProblem: (problem: unknown) => void,
): Promise<Bonjour> {
  const responder = await listen({ address, port, isWanted: isQuestion, onProblem })
  const shortName = cut(name, 62 - Buffer.byteLength(boxId))
  responder.publish({
    name: `${shortName} ${boxId}`,
    type: SERVICE,
    port: ports.https,
    host: `${hostname().split('.')[0]}.local`,
    txt: { id: boxId, event: eventId, name: shortName, fp: caFingerprint, ...ports },
    // The box id makes the name unique. Probing first would let anybody silence a box by claiming its name.
    probe: false,
  })
  return responder
}

/** The longest prefix of so many bytes that ends with a whole character. */
function cut(text: string, bytes: number): string {
  return new TextDecoder().decode(Buffer.from(text).subarray(0, bytes)).replace(/\ufffd$/, '')
}
