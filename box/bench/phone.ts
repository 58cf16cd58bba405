/**
 * A paired phone that fetches whole manifests, in a process of its own: receiving one takes tens of milliseconds, during which
 * the process that times scans could not see their answers.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { tlsFetch } from '../src/device/tls-fetch.ts'
import type { Credentials } from './connection.ts'

export interface FetchedManifest {
  bytes: number
  /** From opening the connection to the last byte. */
  seconds: number
}

/** The message to the phone's process, which fetches one manifest for each. */
interface Task {
  port: number
  device: Credentials
}

export class Phone implements AsyncDisposable {
  readonly #child: ChildProcess
  readonly #task: Task

  private constructor(child: ChildProcess, task: Task) {
    this.#child = child
    this.#task = task
  }

  /** @returns when its process can fetch */
  static async start(task: Task): Promise<Phone> {
    const child = fork(fileURLToPath(import.meta.url))
    await nextMessage(child)
    return new Phone(child, task)
  }

  /** Fetches the whole manifest, as every scanner does once. One at a time. @throws if the box refuses, and if the process ends */
  async fetchManifest(): Promise<FetchedManifest> {
    this.#child.send(this.#task)
    return (await nextMessage(this.#child)) as FetchedManifest
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const ended = once(this.#child, 'exit')
    this.#child.kill()
    await ended
  }
}

/** @throws if the process ends; the reason is on its standard error */
async function nextMessage(child: ChildProcess): Promise<unknown> {
  const settled = new AbortController()
  const { signal } = settled
  const ended = once(child, 'exit', { signal }).then(() => {
    throw new Error('the process that fetches manifests has ended: see above.')
  })
  try {
    const [message] = await Promise.race([once(child, 'message', { signal }), ended])
    return message
  } finally {
    ended.catch(() => {})
    settled.abort()
  }
}

if (import.meta.main) {
  // It inherits the core of the process that times scans (`pinLoad`), and gives way to it.
  setPriority(constants.priority.PRIORITY_LOW)
  process.on('message', async (task: Task) => process.send?.(await fetchOne(task)))
  process.send?.('ready')
}

async function fetchOne({ port, device }: Task): Promise<FetchedManifest> {
  await using fetch = tlsFetch({ ca: device.ca, cert: device.certificate, key: device.key })
  const headers = { authorization: `Bearer ${device.token}` }
  const started = performance.now()
  const answer = await fetch(new Request(`https://127.0.0.1:${port}/v1/manifest`, { headers }))
  const { byteLength } = await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`the manifest was refused: ${answer.status}.`)
  return { bytes: byteLength, seconds: (performance.now() - started) / 1000 }
}
