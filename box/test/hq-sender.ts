/** A box as HQ sees one, without a ledger: a certificate of an authority of its own, and whatever it pleases to send. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { credentials, loadPackageDefinition, type ServiceClientConstructor } from '@grpc/grpc-js'
import { loadSync } from '@grpc/proto-loader'
import { type Authority, openAuthority } from '../src/ca/authority.ts'
import { originOf, verifierKey } from '../src/seal/verifier-key.ts'
import type { ReceivedEvent } from './grpc-receiver.ts'
import type { HqWorld } from './hq-world.ts'

const PROTO = join(import.meta.dirname, '../../proto/changefeed/v1/changefeed.proto')
const { changefeed } = loadPackageDefinition(loadSync(PROTO, { keepCase: true, defaults: true })) as unknown as {
  changefeed: { v1: { ChangefeedSink: ServiceClientConstructor } }
}

export interface Pair {
  key: string
  certificate: string
}

export class Sender implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'gatehouse-sender-'))
  readonly box: string
  readonly signingKey: KeyObject = generateKeyPairSync('ed25519').privateKey
  readonly #world: HqWorld
  #authority: Authority | undefined
  #client: InstanceType<ServiceClientConstructor> | undefined

  constructor(world: HqWorld, box: string) {
    this.#world = world
    this.box = box
  }

  /** Its authority is made, and added at HQ under the box's own id. */
  static async open(world: HqWorld, box: string): Promise<Sender> {
    const sender = new Sender(world, box)
    const { code, output } = await world.command('add-box', '--name', box, '--ca', await sender.caPath())
    if (code !== 0) throw new Error(output)
    sender.show(await sender.pair())
    return sender
  }

  get origin(): string {
    return originOf('test-fair', this.box)
  }

  async authority(): Promise<Authority> {
    const endsAt = Date.now() + 86_400_000
    const names = { eventId: 'test-fair', eventName: 'Test Fair', hostname: 'test' }
    this.#authority ??= await openAuthority({ dir: join(this.folder, 'ca'), endsAt, now: Date.now, ...names })
    return this.#authority
  }

  async caPath(): Promise<string> {
    const path = join(this.folder, 'ca.crt')
    writeFileSync(path, (await this.authority()).certificate)
    return path
  }

  /** @param name what is to be otherwise in it */
  async pair(name: { event?: string; box?: string; verifierKey?: string } = {}): Promise<Pair> {
    const own = { event: 'test-fair', box: this.box, verifierKey: verifierKey(this.origin, this.signingKey) }
    return (await this.authority()).issueFeedCertificate({ ...own, ...name })
  }

  /** What it shows from now on; nothing for no certificate at all. */
  show(pair: Pair | undefined): void {
    this.#client?.close()
    const ca = Buffer.from(this.#world.ca)
    const channel = pair
      ? credentials.createSsl(ca, Buffer.from(pair.key), Buffer.from(pair.certificate))
      : credentials.createSsl(ca)
    this.#client = new changefeed.v1.ChangefeedSink(this.#world.address, channel, {
      'grpc.use_local_subchannel_pool': 1,
      'grpc.max_reconnect_backoff_ms': 200,
    })
  }

  /** @returns `ok`, what HQ says instead, or the status of the call */
  async send(events: readonly object[]): Promise<string> {
    const client = this.#client
    return new Promise((resolve) => {
      client?.Deliver?.(
        { events },
        { deadline: Date.now() + 30_000 },
        (error: Error | null, ack: { ok: boolean; message: string }) =>
          resolve(error ? error.message : ack.ok ? 'ok' : ack.message),
      )
    })
  }

  [Symbol.dispose](): void {
    this.#client?.close()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** An event as a SQLite source tells it. */
export function event(
  at: { history?: number; sequence: number; index?: number },
  table: string,
  change: { before?: object | null; after?: object | null; op?: string },
): ReceivedEvent {
  const { history = 1000, sequence, index = 0 } = at
  const lsn = `${history.toString(16).toUpperCase()}/${sequence.toString(16).toUpperCase()}`
  const { before = null, after = null } = change
  return {
    ...{ id: `${lsn}:${index}`, lsn, commit_lsn: lsn, commit_time: '2026-07-01T10:00:00.000Z', schema: 'main', table },
    op: change.op ?? (after === null ? 'delete' : before === null ? 'insert' : 'update'),
    before_json: before === null ? '' : JSON.stringify(before),
    after_json: after === null ? '' : JSON.stringify(after),
  }
}
