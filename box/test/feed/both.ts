/** A box with its change feed beside it, as `npm start` runs them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readEvents } from '@gatehouse/proto/sse.ts'
import type { Environment } from '../../src/config.ts'
import type { BoxFolder, BoxProcess } from '../world/process-box.ts'
import { until } from '../world/until.ts'

export class Both implements AsyncDisposable {
  readonly box: BoxProcess
  readonly #folder: BoxFolder

  constructor(folder: BoxFolder, environment: Environment = {}) {
    this.#folder = folder
    this.box = folder.startWithFeed({ GATEHOUSE_FEED_PORT: '0', ...environment })
  }

  /** URL of the feed's control plane, the newest. @param starts how often it has started by then */
  async feedUrl(starts = 1): Promise<string> {
    const opened = () => [...this.box.output.matchAll(/^\{.*"event":"feed_open".*\}$/gm)]
    await until(() => opened().length >= starts, `the feed has started ${starts} times`)
    return JSON.parse(opened().at(-1)?.[0] ?? '{}').url
  }

  get token(): string {
    return readFileSync(join(this.#folder.dataDir, 'feed/token'), 'utf8').trim()
  }

  /** Changes of the ledger as they come; ends with the signal. */
  async *changes(url: string, signal: AbortSignal) {
    const headers = { authorization: `Bearer ${this.token}` }
    for await (const { event, data } of readEvents(`${url}/plugins/events/events`, { headers, signal })) {
      if (event === 'change')
        yield JSON.parse(data) as { table: string; op: string; after: Record<string, string> | null }
    }
  }

  /** As `kill -9` from a shell would. @returns when it is gone */
  async killFeed(): Promise<void> {
    const [feed] = readFileSync(`/proc/${this.box.pid}/task/${this.box.pid}/children`, 'utf8').trim().split(' ')
    process.kill(Number(feed), 'SIGKILL')
    await until(() => this.box.output.includes('"event":"feed_ended"'), 'the box has noticed')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.box[Symbol.asyncDispose]()
  }
}

/** The first sink of its configuration. */
export async function sinkOf(both: Both, url: string): Promise<{ readers: number; acked: boolean }> {
  const answer = await fetch(`${url}/api/stats`, { headers: { authorization: `Bearer ${both.token}` } })
  const { engine, slot } = await answer.json()
  return { readers: engine.sinks[0].readers, acked: slot !== null && engine.eventsTotal > 0 }
}
