/** The change feed as a process of its own, and receivers that keep what they are sent. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadPackageDefinition, Server, ServerCredentials, type ServiceDefinition } from '@grpc/grpc-js'
import { loadSync } from '@grpc/proto-loader'
import { stringify } from 'yaml'
import { type Answer, ask } from './ask.ts'
import { BoxProcess } from './process-box.ts'
import { until } from './until.ts'

const MAIN = join(import.meta.dirname, '../src/feed-main.ts')
const PROTO = join(import.meta.dirname, '../../proto/changefeed/v1/changefeed.proto')

export const TOKEN = 'cAnArY-of-the-test-0123456789'

/** A folder with a configuration, over several lives of the daemon. */
export class FeedFolder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'gatehouse-feed-'))
  readonly config = join(this.path, 'feed.yaml')

  /** @param file what is not said: a port of its own, and the test's token */
  constructor(file: object) {
    this.write(file)
  }

  write(file: object): void {
    const server = { listen: '127.0.0.1:0', authToken: TOKEN }
    writeFileSync(this.config, stringify({ server, ...file }))
  }

  /** @param args after `--config FILE` */
  start(...args: string[]): FeedProcess {
    return this.startIn({}, ...args)
  }

  startIn(environment: Record<string, string>, ...args: string[]): FeedProcess {
    return new FeedProcess([process.execPath, MAIN, '--config', this.config, ...args], environment)
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}

/** `changefeed` with these arguments, and nothing else. */
export function changefeed(...args: string[]): BoxProcess {
  return new BoxProcess([process.execPath, MAIN, ...args], {})
}

export class FeedProcess extends BoxProcess {
  /** Port of the control plane. @throws with what it said when it ends before that */
  async port(): Promise<number> {
    const line = await this.said(/^\{.*"event":"feed_open".*\}$/m)
    return Number(new URL(JSON.parse(line).url).port)
  }

  async get(path: string): Promise<Answer> {
    return ask(await this.port(), path, { headers: { authorization: `Bearer ${TOKEN}` } })
  }

  async post(path: string): Promise<Answer> {
    return ask(await this.port(), path, { method: 'POST', headers: { authorization: `Bearer ${TOKEN}` } })
  }

  // biome-ignore lint/suspicious/noExplicitAny: each test knows the figures that it looks at
  async stats(): Promise<any> {
    return JSON.parse((await this.get('/api/stats')).text)
  }

  /** Waits until changes get through. */
  async ready(): Promise<void> {
    await until(async () => (await this.get('/readyz')).status === 200, 'it is ready')
  }

  /** As an operator does. @returns how it ended */
  async stop(): Promise<unknown> {
    this.signal('SIGTERM')
    return this.exited()
  }
}

export interface Received {
  id: string
  table: string
  op: string
  before_json: string
  after_json: string
}

/** What came, in the order in which it came, and as often. */
export interface Receiver extends AsyncDisposable {
  readonly port: number
  readonly events: readonly Received[]
  /** Set to a reason, it takes nothing, and says why. */
  refusal: string | undefined
}

/** A receiver as anybody would write one, from nothing but the .proto. */
export async function grpcReceiver(): Promise<Receiver> {
  const loaded = loadPackageDefinition(loadSync(PROTO, { keepCase: true, defaults: true }))
  const { service } = (loaded.changefeed as unknown as Loaded).v1.ChangefeedSink
  const server = new Server()
  const receiver = { events: [] as Received[], refusal: undefined as string | undefined }
  server.addService(service, {
    deliver({ request }: { request: { events: Received[] } }, answer: (error: null, ack: object) => void) {
      if (receiver.refusal !== undefined) return answer(null, { ok: false, message: receiver.refusal })
      receiver.events.push(...request.events)
      answer(null, { ok: true })
    },
  })
  const port = await new Promise<number>((resolve, reject) => {
    const bound = (error: Error | null, port: number) => (error ? reject(error) : resolve(port))
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), bound)
  })
  return Object.assign(receiver, { port, [Symbol.asyncDispose]: async () => server.forceShutdown() })
}

interface Loaded {
  v1: { ChangefeedSink: { service: ServiceDefinition } }
}

export async function webhookReceiver(): Promise<Receiver> {
  const receiver = { events: [] as Received[], refusal: undefined as string | undefined }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    if (receiver.refusal !== undefined) return void response.writeHead(500).end(receiver.refusal)
    receiver.events.push(...JSON.parse(Buffer.concat(chunks).toString()).events)
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return Object.assign(receiver, {
    port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}
