/**
 * The network of a run: each box in a network namespace of its own, with a cable to the other boxes and one to its gate, so that
 * traffic between two boxes can be cut in either direction while every gate still reaches its box. Needs iproute2 and root;
 * without them the boxes share loopback, where nothing can be cut, and processes can only be frozen and killed.
 */
import { execFileSync } from 'node:child_process'
import { networkInterfaces } from 'node:os'

export interface Place {
  /** The host by which other boxes reach the box in this place, and the one by which its gate does. */
  readonly meshHost: string
  readonly gateHost: string
  /** Prefix of a command that runs in this place. */
  readonly through: readonly string[]
}

export interface Network extends Disposable {
  readonly places: readonly Place[]
  /** True if connections can be cut. */
  readonly hasCables: boolean
  /** Drops all traffic from one place to the other; the opposite direction is not affected. */
  cut(from: number, to: number): void
  heal(from: number, to: number): void
}

/** @param wanted `cables` throws without the rights for them */
export function openNetwork(count: number, wanted: 'cables' | 'loopback'): Network {
  return wanted === 'cables' ? new Cables(count) : loopback(count)
}

/** True if this process may make namespaces and cables. */
export function mayHaveCables(): boolean {
  const name = `gh-${process.pid}-try`
  try {
    ip('netns', 'add', name)
    ip('netns', 'del', name)
    return true
  } catch {
    return false
  }
}

function loopback(count: number): Network {
  const place = { meshHost: '127.0.0.1', gateHost: '127.0.0.1', through: [] }
  const never = () => {
    throw new Error('On loopback there is no cable to cut.')
  }
  return {
    places: Array.from({ length: count }, () => place),
    hasCables: false,
    cut: never,
    heal: never,
    [Symbol.dispose]: () => {},
  }
}

class Cables implements Network {
  readonly places: readonly Place[]
  readonly hasCables = true
  readonly #undo = new DisposableStack()
  readonly #remove = () => this.#undo.dispose()

  constructor(count: number) {
    const net = freeNet()
    const name = (what: string) => `gh${what}${process.pid.toString(36)}`
    try {
      // Two switches: one that joins the boxes, one that joins each to its gate.
      const [boxes, gates] = [name('m'), name('g')]
      for (const bridge of [boxes, gates])
        this.#make(['link', 'add', bridge, 'type', 'bridge'], ['link', 'del', bridge])
      ip('addr', 'add', `10.${net}.1.1/24`, 'dev', gates)
      for (const bridge of [boxes, gates]) ip('link', 'set', bridge, 'up')
      this.places = Array.from({ length: count }, (_, i) => {
        const namespace = name(`n${i}`)
        this.#make(['netns', 'add', namespace], ['netns', 'del', namespace])
        const meshHost = `10.${net}.0.${10 + i}`
        const gateHost = `10.${net}.1.${10 + i}`
        this.#plug({ namespace, cable: name(`m${i}`), device: 'mesh', bridge: boxes, address: meshHost })
        this.#plug({ namespace, cable: name(`g${i}`), device: 'gate', bridge: gates, address: gateHost })
        inside(namespace, 'link', 'set', 'lo', 'up')
        return { meshHost, gateHost, through: ['ip', 'netns', 'exec', namespace] }
      })
    } catch (error) {
      this[Symbol.dispose]()
      throw error
    }
    // Of a run that is called off, too.
    process.once('exit', this.#remove)
  }

  /** Points the sender's neighbour entry at a hardware address that does not exist: packets are lost silently, as on a cut cable. */
  cut(from: number, to: number): void {
    this.#neighbour(from, 'replace', this.#addressOf(to), 'lladdr', '02:00:00:00:00:01', 'nud', 'permanent')
  }

  heal(from: number, to: number): void {
    this.#neighbour(from, 'replace', this.#addressOf(to), 'nud', 'failed')
  }

  #neighbour(at: number, ...words: string[]): void {
    inside(this.places[at]?.through.at(-1) ?? '', 'neigh', ...words, 'dev', 'mesh')
  }

  #addressOf(place: number): string {
    return this.places[place]?.meshHost ?? ''
  }

  #plug(plug: { namespace: string; cable: string; device: string; bridge: string; address: string }): void {
    const { namespace, cable, device, bridge, address } = plug
    // The far end is removed with its namespace.
    ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', device, 'netns', namespace)
    ip('link', 'set', cable, 'master', bridge, 'up')
    inside(namespace, 'addr', 'add', `${address}/24`, 'dev', device)
    inside(namespace, 'link', 'set', device, 'up')
  }

  #make(add: string[], remove: string[]): void {
    ip(...add)
    this.#undo.defer(() => ip(...remove))
  }

  [Symbol.dispose](): void {
    process.off('exit', this.#remove)
    this.#remove()
  }
}

function ip(...args: string[]): void {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] })
}

function inside(namespace: string, ...args: string[]): void {
  ip('-netns', namespace, ...args)
}

/** The second byte of a private network that this machine has no address in. */
function freeNet(): number {
  const taken = new Set(
    Object.values(networkInterfaces())
      .flat()
      .map((address) => address?.address.split('.').slice(0, 2).join('.')),
  )
  for (let net = 64 + (process.pid % 64); net < 256; net++) if (!taken.has(`10.${net}`)) return net
  throw new Error('This machine is on every private network that there is.')
}
