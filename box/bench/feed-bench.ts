/** A change feed and a receiver as processes of their own, for the bench. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { stringify } from 'yaml'

export interface Counted {
  events: number
  /** Unix ms of the first and of the last batch. */
  firstAt: number
  lastAt: number
  latencies: number[]
}

/** A process that writes lines of JSON, and ends with the bench. */
class Talking implements AsyncDisposable {
  readonly child: ChildProcess
  readonly #exited: Promise<unknown>
  readonly #heard: Record<string, unknown>[] = []
  #wake = Promise.withResolvers<void>()

  constructor(args: readonly string[]) {
    this.child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    const last = () => this.child.kill('SIGKILL')
    process.once('exit', last)
    this.#exited = once(this.child, 'exit').then(() => process.off('exit', last))
    const output = this.child.stdout
    if (output) {
      createInterface({ input: output }).on('line', (line) => {
        if (!line.startsWith('{')) return
        this.#heard.push(JSON.parse(line))
        this.#wake.resolve()
      })
    }
  }

  async heard(key: string): Promise<Record<string, unknown>> {
    for (;;) {
      const index = this.#heard.findIndex((said) => key in said)
      const said = this.#heard.splice(0, index + 1).at(-1)
      if (index >= 0 && said) return said
      if (this.child.exitCode !== null)
        throw new Error(`${this.child.spawnargs.slice(1).join(' ')} ended with ${this.child.exitCode}.`)
      this.#wake = Promise.withResolvers()
      await Promise.race([this.#wake.promise, this.#exited])
    }
  }

  say(line: string): void {
    this.child.stdin?.write(`${line}\n`)
  }

  /** Megabytes of resident memory at its highest; undefined where there is no /proc. */
  highestMemory(): number | undefined {
    try {
      const [, kib] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${this.child.pid}/status`, 'utf8')) ?? []
      return (Number(kib) * 1024) / 1e6
    } catch {
      return undefined
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return
    this.child.kill('SIGTERM')
    await this.#exited
  }
}

export class Receiver extends Talking {
  port = 0

  static async start(): Promise<Receiver> {
    const receiver = new Receiver([join(import.meta.dirname, 'feed-receiver.ts')])
    receiver.port = (await receiver.heard('port')).port as number
    return receiver
  }

  async count(): Promise<Counted> {
    this.say('count')
    return (await this.heard('events')) as unknown as Counted
  }

  /** Waits until it has so many. @throws when nothing more has come for a minute */
  async until(events: number, everyMs = 20): Promise<Counted> {
    for (let last = 0, since = performance.now(); ; ) {
      const counted = await this.count()
      if (counted.events >= events) return counted
      if (counted.events > last) {
        last = counted.events
        since = performance.now()
      }
      if (performance.now() - since > 60_000) throw new Error(`the receiver has ${counted.events} of ${events} events.`)
      await new Promise((resolve) => setTimeout(resolve, everyMs))
    }
  }
}

export class Feed extends Talking {
  /** In a new folder, so that no state of an earlier feed is used. */
  static async start(folder: string, source: object, port: number, batch: object = {}): Promise<Feed> {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    const config = join(folder, 'feed.yaml')
    const options = { address: `127.0.0.1:${port}`, plaintext: true }
    writeFileSync(
      config,
      stringify({
        server: { listen: '127.0.0.1:0', authToken: 'bench' },
        ...{ source, sinks: [{ id: 'receiver', kind: 'grpc', batch, options }] },
      }),
    )
    // As the command and the box start it.
    const feed = new Feed([
      '--max-semi-space-size=16',
      join(import.meta.dirname, '../src/feed-main.ts'),
      '--config',
      config,
    ])
    await feed.heard('url')
    return feed
  }
}
