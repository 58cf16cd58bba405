/** A box as HQ sees one, without a ledger: it has a certificate of its own authority, and sends any batch. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fromJson, toBinary } from '@bufbuild/protobuf'
import { ChangeEventBatchSchema } from '@gatehouse/proto/gen/changefeed/v1/changefeed_pb.ts'
import { type Client, credentials, Metadata } from '@grpc/grpc-js'
import { type Authority, openAuthority } from '../../src/ca/authority.ts'
import { deliver, openClient } from '../../src/feed/grpc/client.ts'
import { originOf, verifierKey } from '../../src/seal/verifier-key.ts'
import type { ReceivedEvent } from '../feed/grpc-receiver.ts'
import type { HqWorld } from './world.ts'

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
  #client: Client | undefined

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

  /** @param name parts of the name that differ */
  async pair(name: { event?: string; box?: string; verifierKey?: string } = {}): Promise<Pair> {
    const own = { event: 'test-fair', box: this.box, verifierKey: verifierKey(this.origin, this.signingKey) }
    return (await this.authority()).issueFeedCertificate({ ...own, ...name })
  }

  /** The certificate that it presents from now on; undefined for none. */
  show(pair: Pair | undefined): void {
    this.#client?.close()
    const ca = Buffer.from(this.#world.ca)
    const channel = pair
      ? credentials.createSsl(ca, Buffer.from(pair.key), Buffer.from(pair.certificate))
      : credentials.createSsl(ca)
    this.#client = openClient(
      { address: this.#world.address, credentials: channel },
      { 'grpc.use_local_subchannel_pool': 1, 'grpc.max_reconnect_backoff_ms': 200 },
    )
  }

  /** @returns `ok`, what HQ says instead, or the status of the call */
  async send(events: readonly object[]): Promise<string> {
    if (!this.#client) throw new Error('it shows nothing yet')
    const batch = Buffer.from(toBinary(ChangeEventBatchSchema, fromJson(ChangeEventBatchSchema, { events } as never)))
    try {
      const ack = await deliver(this.#client, batch, { metadata: new Metadata(), deadlineMs: 30_000 })
      return ack.ok ? 'ok' : ack.message
    } catch (error) {
      return (error as Error).message
    }
  }

  [Symbol.dispose](): void {
    this.#client?.close()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** An event as a SQLite source delivers it. */
export function event(
  at: { history?: number; sequence: number; index?: number },
  table: string,
  change: { before?: object | null; after?: object | null; op?: string },
): ReceivedEvent {
  const { history = 1000, sequence, index = 0 } = at
  const lsn = `${history.toString(16).toUpperCase()}/${sequence.toString(16).toUpperCase()}`
  const { before = null, after = null } = change
  return {
    id: `${lsn}:${index}`,
    lsn,
    commit_lsn: lsn,
    commit_time: '2026-07-01T10:00:00.000Z',
    schema: 'main',
    table,
    op: change.op ?? (after === null ? 'delete' : before === null ? 'insert' : 'update'),
    before_json: before === null ? '' : JSON.stringify(before),
    after_json: after === null ? '' : JSON.stringify(after),
  }
}
