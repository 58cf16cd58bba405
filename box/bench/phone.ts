/** A paired phone that fetches whole manifests, in a process of its own. */
import { fileURLToPath } from 'node:url'
import { tlsFetch } from '../src/device/tls-fetch.ts'
import type { Credentials } from './connection.ts'
import { OwnProcess, serve } from './own-process.ts'

export interface FetchedManifest {
  bytes: number
  /** From opening the connection to the last byte. */
  seconds: number
}

interface Task {
  port: number
  device: Credentials
}

export class Phone implements AsyncDisposable {
  readonly #process: OwnProcess
  readonly #task: Task

  private constructor(ownProcess: OwnProcess, task: Task) {
    this.#process = ownProcess
    this.#task = task
  }

  /** @returns when its process can fetch */
  static async start(task: Task): Promise<Phone> {
    return new Phone(await OwnProcess.start(fileURLToPath(import.meta.url)), task)
  }

  /** Fetches the whole manifest, as every scanner does once. One at a time. @throws if the box refuses, and if the process ends */
  async fetchManifest(): Promise<FetchedManifest> {
    return (await this.#process.ask(this.#task)) as FetchedManifest
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#process[Symbol.asyncDispose]()
  }
}

if (import.meta.main) serve(fetchOne)

async function fetchOne({ port, device }: Task): Promise<FetchedManifest> {
  await using fetch = tlsFetch({ ca: device.ca, cert: device.certificate, key: device.key })
  const headers = { authorization: `Bearer ${device.token}` }
  const started = performance.now()
  const answer = await fetch(new Request(`https://127.0.0.1:${port}/v1/manifest`, { headers }))
  const { byteLength } = await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`the manifest was refused: ${answer.status}.`)
  return { bytes: byteLength, seconds: (performance.now() - started) / 1000 }
}
