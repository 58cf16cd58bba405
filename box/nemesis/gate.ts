/** A gate of a run: asks its box about one ticket after the other, as a crew would, and writes down what it was told. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type GatehouseClient, gatehouseClient } from '@gatehouse/proto/client.ts'
import type { PairedDevice } from '../src/device/pair.ts'
import { type TlsFetch, tlsFetch } from '../src/device/tls-fetch.ts'
import { scanOf } from '../test/scan-of.ts'
import type { Asked } from './history.ts'

/** What a crew waits for an answer before it scans again; longer than the second that a verdict may take. */
const PATIENCE_MS = 2_000
const AGAIN_MS = 100

export interface GateDeps {
  device: PairedDevice
  /** The box that it asks, and the address of its device port now; undefined while there is none. */
  box: string
  deviceUrl: () => string | undefined
  /** What is wrong at this moment, and whether this box can hear the others. */
  situation: () => Pick<Asked, 'during' | 'alone' | 'asleep'>
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
   * Scans a ticket until there is an answer, under one scan id; the same question comes once more in a while.
   * @param isOver ends it without an answer
   */
  async admit(ticket: string, { again, isOver }: { again: boolean; isOver: () => boolean }): Promise<void> {
    const scan = scanOf(ticket, Date.now(), { scan_id: randomUUID() })
    while (!isOver()) {
      if (await this.#ask(ticket, scan)) break
      await sleep(AGAIN_MS)
    }
    if (again && !isOver()) await this.#ask(ticket, scan)
  }

  async #ask(ticket: string, scan: ReturnType<typeof scanOf>): Promise<boolean> {
    const { box, now, situation, onAsked } = this.#deps
    const before = situation()
    const at = now()
    const answer = await this.#client()
      ?.POST('/v1/scan', { body: scan, signal: AbortSignal.timeout(PATIENCE_MS) })
      .then(({ data }) => data && { verdict: data.verdict, confidence: data.confidence })
      .catch(() => undefined)
    const after = situation()
    // What was cut while it was asked counts as cut.
    const { during } = before.alone ? before : after
    const alone = before.alone || after.alone
    const asleep = before.asleep || after.asleep
    onAsked({ scanId: scan.scan_id, box, ticket, at, tookMs: now() - at, answer, during, alone, asleep })
    return answer !== undefined
  }

  #client(): GatehouseClient | undefined {
    const baseUrl = this.#deps.deviceUrl()
    return baseUrl === undefined
      ? undefined
      : gatehouseClient({ baseUrl, token: this.#deps.device.token, fetch: this.#fetch })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#fetch[Symbol.asyncDispose]()
  }
}
