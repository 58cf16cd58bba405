/** A scanner of the simulation: a paired device that repeats a request until it is answered, as its app does. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type GatehouseClient, gatehouseClient } from '@gatehouse/proto/client.ts'
import { format } from '@gatehouse/proto/hlc.ts'
import type { ScanRequest, Verdict } from '@gatehouse/proto/wire/scan.ts'
import type { ErrorBody } from '@gatehouse/proto/wire/terms.ts'
import { type PairedDevice, PairingError, pair } from '../src/device/pair.ts'
import { type TlsFetch, tlsFetch } from '../src/device/tls-fetch.ts'

/** The box has refused a request. */
export class Refused extends Error {
  override readonly name = 'Refused'
}

export class Scanner implements AsyncDisposable {
  readonly client: GatehouseClient
  readonly paired: PairedDevice
  readonly checkpoint: string
  readonly #fetch: TlsFetch
  readonly #signal: AbortSignal
  #counter = 0

  private constructor(paired: PairedDevice, checkpoint: string, signal: AbortSignal) {
    this.paired = paired
    this.checkpoint = checkpoint
    this.#signal = signal
    const { ca, certificate: cert, key, token, deviceUrl } = paired
    this.#fetch = tlsFetch({ ca, cert, key })
    this.client = gatehouseClient({ baseUrl: deviceUrl, token, fetch: this.#fetch })
  }

  /** @param options.signal stops the repetition of its requests */
  static async pair(
    admin: GatehouseClient,
    {
      name,
      checkpoint,
      supervisor,
      signal,
    }: { name: string; checkpoint: string; supervisor: boolean; signal: AbortSignal },
  ): Promise<Scanner> {
    const body = { name, checkpoints: [checkpoint], supervisor }
    const invite = await answered(() => admin.POST('/v1/admin/invite', { body }), signal)
    // One address may enrol one device a second, after the first few; a refused invite is not used up.
    for (let tries = 1; ; tries++) {
      try {
        return new Scanner(await pair(invite.qr_payload, name), checkpoint, signal)
      } catch (error) {
        if (!(error instanceof PairingError) || tries === 5) throw error
        await sleep(1_200)
      }
    }
  }

  /** A scan of this code at this moment, to be sent now or later. */
  scanOf(code: string, offline: boolean): ScanRequest {
    const now = Date.now()
    return {
      scan_id: randomUUID(),
      payload: code,
      checkpoint: this.checkpoint,
      offline_admitted: offline,
      device_hlc: format({ ms: now, count: this.#counter++ % 1_000_000 }),
      observed_at: new Date(now).toISOString(),
    }
  }

  send(scan: ScanRequest): Promise<Verdict> {
    return answered(() => this.client.POST('/v1/scan', { body: scan }), this.#signal)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#fetch[Symbol.asyncDispose]()
  }
}

const MOST_TRIES = 60

/**
 * Repeats a request until it is answered: after the wait that the box asks for, and while the box cannot be reached.
 * @throws Refused with the box's message; what fetch throws when the box cannot be reached for a minute
 */
export async function answered<T>(
  ask: () => Promise<{ data?: T; error?: ErrorBody; response: Response }>,
  signal?: AbortSignal,
): Promise<NonNullable<T>> {
  for (let tries = 1; ; tries++) {
    const answer = await ask().catch((error) => {
      if (tries === MOST_TRIES || signal?.aborted) throw error
      return undefined
    })
    if (answer?.data !== undefined && answer.data !== null) return answer.data
    const { code, message } = answer?.error ?? { code: 'unreachable', message: '' }
    const passing = code === 'rate_limited' || code === 'ledger_unavailable' || code === 'unreachable'
    if (!passing || tries === MOST_TRIES) throw new Refused(`${code}: ${message}`)
    await sleep(Number(answer?.response.headers.get('retry-after') ?? 1) * 1000, undefined, { signal })
  }
}
