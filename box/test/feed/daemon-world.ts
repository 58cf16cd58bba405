/** The change feed as a process of its own, and a webhook that keeps what it is sent. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { type Answer, ask } from '../world/ask.ts'
import { BoxProcess } from '../world/process-box.ts'
import { feed } from '../world/programs.ts'
import { until } from '../world/until.ts'
import type { ReceivedEvent, Receiver } from './grpc-receiver.ts'

export const TOKEN = 'cAnArY-of-the-test-0123456789'

/** A folder with a configuration, over several starts of the daemon. */
export class FeedFolder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'gatehouse-feed-'))
  readonly config = join(this.path, 'feed.yaml')

  /** @param file the configuration; by default with a free port and the test's token */
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
    return new FeedProcess([process.execPath, feed(), '--config', this.config, ...args], environment)
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}

/** `changefeed` with these arguments, and nothing else. */
export function changefeed(...args: string[]): BoxProcess {
  return new BoxProcess([process.execPath, feed(), ...args], {})
}

export class FeedProcess extends BoxProcess {
  /** Port of the control plane. @throws with its output when it ends before that */
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

  /** Stops it as an operator does. @returns its exit status */
  async stop(): Promise<unknown> {
    this.signal('SIGTERM')
    return this.exited()
  }
}

export async function webhookReceiver(): Promise<Receiver> {
  const receiver = { events: [] as ReceivedEvent[], refusal: undefined as string | undefined }
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
