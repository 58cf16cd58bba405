/**
 * A gate of a run: scans one ticket after the other at its box, as a crew would, and records the answers. A scan is sent again to
 * the same box or to another one, as a scanner does whose box is gone.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type GatehouseClient, gatehouseClient } from '@gatehouse/proto/client.ts'
import type { ScanRequest } from '@gatehouse/proto/wire/scan.ts'
import type { Chance } from '../simulate/random.ts'
import type { PairedDevice } from '../src/device/pair.ts'
import { type TlsFetch, tlsFetch } from '../src/device/tls-fetch.ts'
import { scanOf } from '../test/world/scan-of.ts'
import type { Asked } from './history.ts'

/** A crew's wait for an answer before it scans again: longer than the second that a verdict may take. */
const PATIENCE_MS = 2_000
const AGAIN_MS = 100

/** A box that a gate can ask. */
export interface AskedBox {
  box: string
  /** The present address of its device port; undefined while the box is down. */
  deviceUrl: () => string | undefined
  /** The present fault, whether it cuts this box off, and whether the box is down or frozen. */
  situation: () => Pick<Asked, 'during' | 'alone' | 'away'>
}

export interface GateDeps {
  device: PairedDevice
  own: AskedBox
  others: readonly AskedBox[]
  /** Decides which box is asked again. */
  chance: Chance
  onAsked: (asked: Asked) => void
  /** Milliseconds since the start of the run. */
  now: () => number
}

export class Gate implements AsyncDisposable {
  readonly #deps: GateDeps
  readonly #fetch: TlsFetch

  constructor(deps: GateDeps) {
    this.#deps = deps
    const { certificate: cert, key, ca } = deps.device
    this.#fetch = tlsFetch({ cert, key, ca })
  }

  /**
   * Scans a ticket until there is an answer, always under the same scan id. Its own box is asked first; half of the repetitions
   * go to another box.
   * @param options.again sends the answered scan once more
   * @param options.isOver ends it without an answer
   */
  async admit(ticket: string, { again, isOver }: { again: boolean; isOver: () => boolean }): Promise<void> {
    const scan = scanOf(ticket, Date.now(), { scan_id: randomUUID() })
    let asked = this.#deps.own
    while (!isOver()) {
      if (await this.#ask(asked, ticket, scan)) break
      await sleep(AGAIN_MS)
      asked = this.#ownOrAnother()
    }
    if (again && !isOver()) await this.#ask(this.#ownOrAnother(), ticket, scan)
  }

  #ownOrAnother(): AskedBox {
    const { own, others, chance } = this.#deps
    return chance.happens(0.5) ? own : (chance.one(others) ?? own)
  }

  async #ask({ box, deviceUrl, situation }: AskedBox, ticket: string, scan: ScanRequest): Promise<boolean> {
    const { now, onAsked } = this.#deps
    const before = situation()
    const at = now()
    const { answer, whyNot } = await this.#answerOf(deviceUrl(), scan)
    const after = situation()
    // A fault that began or ended meanwhile counts for this request.
    const { during } = before.alone ? before : after
    const alone = before.alone || after.alone
    const away = before.away || after.away
    onAsked({ scanId: scan.scan_id, box, ticket, at, tookMs: now() - at, answer, whyNot, during, alone, away })
    return answer !== undefined
  }

  async #answerOf(baseUrl: string | undefined, scan: ScanRequest): Promise<Pick<Asked, 'answer' | 'whyNot'>> {
    const client = this.#client(baseUrl)
    if (!client) return { answer: undefined, whyNot: 'the box is down' }
    try {
      const signal = AbortSignal.timeout(PATIENCE_MS)
      const { data, error } = await client.POST('/v1/scan', { body: scan, signal })
      const answer = data && { verdict: data.verdict, confidence: data.confidence }
      return { answer, whyNot: error?.code }
    } catch (error) {
      return { answer: undefined, whyNot: (error as Error).name }
    }
  }

  #client(baseUrl: string | undefined): GatehouseClient | undefined {
    return baseUrl === undefined
      ? undefined
      : gatehouseClient({ baseUrl, token: this.#deps.device.token, fetch: this.#fetch })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#fetch[Symbol.asyncDispose]()
  }
}
