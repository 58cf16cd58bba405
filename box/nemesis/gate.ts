/**
 * A gate of a run: asks its box about one ticket after the other, as a crew would, and writes down what it was told. What it asks
 * again it asks there or at another box, as a scanner whose box is gone does.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type GatehouseClient, gatehouseClient } from '@gatehouse/proto/client.ts'
import type { ScanRequest } from '@gatehouse/proto/wire/scan.ts'
import type { Chance } from '../simulate/random.ts'
import type { PairedDevice } from '../src/device/pair.ts'
import { type TlsFetch, tlsFetch } from '../src/device/tls-fetch.ts'
import { scanOf } from '../test/scan-of.ts'
import type { Asked } from './history.ts'

/** What a crew waits for an answer before it scans again; longer than the second that a verdict may take. */
const PATIENCE_MS = 2_000
const AGAIN_MS = 100

/** A box that a gate can ask. */
export interface AskedBox {
  box: string
  /** The address of its device port now; undefined while there is none. */
  deviceUrl: () => string | undefined
  /** What is wrong at this moment, whether this box can hear the others, and whether it is there at all. */
  situation: () => Pick<Asked, 'during' | 'alone' | 'away'>
}

export interface GateDeps {
  device: PairedDevice
  own: AskedBox
  others: readonly AskedBox[]
  /** Decides which box is asked again. */
  chance: Chance
  onAsked: (asked: Asked) => void
  /** Milliseconds since the run began. */
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
   * Scans a ticket until there is an answer, under one scan id; the same question comes once more in a while. Its own box is the
   * first to be asked; whatever comes after that goes to another one half of the time.
   * @param isOver ends it without an answer
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
    const answer = await this.#client(deviceUrl())
      ?.POST('/v1/scan', { body: scan, signal: AbortSignal.timeout(PATIENCE_MS) })
      .then(({ data }) => data && { verdict: data.verdict, confidence: data.confidence })
      .catch(() => undefined)
    const after = situation()
    // What was cut while it was asked counts as cut.
    const { during } = before.alone ? before : after
    const alone = before.alone || after.alone
    const away = before.away || after.away
    onAsked({ scanId: scan.scan_id, box, ticket, at, tookMs: now() - at, answer, during, alone, away })
    return answer !== undefined
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
