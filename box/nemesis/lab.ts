/** The machines of a run: creates, joins, connects and disconnects them. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openLinkKeys } from '../src/mesh/engine/link-keys.ts'
import { userKey } from '../src/mesh/engine/nkey.ts'
import { freePorts } from '../test/world/ports.ts'
import { LabBox } from './lab-box.ts'
import { LabVoter } from './lab-voter.ts'
import { type Network, openNetwork } from './network.ts'
import type { Traitor } from './traitors.ts'

const FORGOTTEN_WITHIN_MS = 120_000

export interface LabOptions {
  boxes: number
  cables: boolean
  /** Rows of the event's ticket list. */
  tickets: readonly string[]
  /** The nats-server to run. */
  natsServer: string
  /** With a machine that only votes, in the place of the third box's vote, and a box that was removed after it had joined. */
  withTraitors?: boolean
}

export class Lab implements AsyncDisposable {
  readonly network: Network
  readonly boxes: readonly LabBox[]
  readonly folder: string
  /** The nats-server that every machine runs. */
  readonly natsServer: string
  /** Only with traitors. */
  readonly voter: LabVoter | undefined
  readonly removed: LabBox | undefined
  /** In the order of `TraitorName`; empty until `openTraitors`. */
  traitors: readonly Traitor[] = []
  /** Tickets that were imported while they attacked. */
  imported = 0
  readonly #stack: AsyncDisposableStack

  private constructor(parts: {
    network: Network
    boxes: readonly LabBox[]
    folder: string
    natsServer: string
    voter: LabVoter | undefined
    removed: LabBox | undefined
    stack: AsyncDisposableStack
  }) {
    this.network = parts.network
    this.boxes = parts.boxes
    this.folder = parts.folder
    this.natsServer = parts.natsServer
    this.voter = parts.voter
    this.removed = parts.removed
    this.#stack = parts.stack
  }

  /** @returns running boxes that have joined one event */
  static async open({ boxes: count, cables, tickets, natsServer, withTraitors = false }: LabOptions): Promise<Lab> {
    await using opened = new AsyncDisposableStack()
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-nemesis-'))
    // GATEHOUSE_NEMESIS_KEEP leaves the folder with the boxes' logs in place.
    if (process.env.GATEHOUSE_NEMESIS_KEEP === undefined)
      opened.defer(() => rmSync(folder, { recursive: true, force: true }))
    const network = opened.use(openNetwork(withTraitors ? count + 2 : count, cables ? 'cables' : 'loopback'))
    const boxes: LabBox[] = []
    const next = async (name: string, i: number) => {
      const place = network.places[i]
      if (!place) throw new RangeError('a box without a place')
      const ports = await freePorts(5)
      return { folder: join(folder, name), place, ports, tickets, natsServer }
    }
    const invite = async (...more: string[]) =>
      /gatehouse-mesh:[^\s']+/.exec(await (boxes[0] as LabBox).command('mesh', 'invite', ...more))?.[0] ?? ''
    const joined = async (name: string, i: number) => {
      const options = await next(name, i)
      const box = opened.use(new LabBox(options.folder, options))
      if (i > 0) await box.command('mesh', 'join', await invite(), '--name', name)
      await box.start()
      if (i === 0) await box.command('mesh', 'init', '--name', name)
      return box
    }
    let voter: LabVoter | undefined
    for (let i = 0; i < count; i++) {
      // Two boxes take a third vote; a third box would have it.
      if (withTraitors && i === 2) {
        voter = opened.use(new LabVoter(await next('voter', count)))
        await voter.start(await invite('--voter'))
      }
      boxes.push(await joined(`box-${i}`, i))
    }
    let removed: LabBox | undefined
    if (withTraitors) {
      // Stolen while it was on: its files are as they were, and it does not hear of its removal.
      removed = await joined('removed', count + 1)
      await removed.isConnected()
      await removed.kill()
      await boxes[0]?.command('mesh', 'remove', removed.id, '--off', '--reason', 'stolen')
      await isForgotten(removed, voter ? [...boxes, voter] : boxes)
    }
    return new Lab({ network, boxes, folder, natsServer, voter, removed, stack: opened.move() })
  }

  /** Cuts a box off from all others, in both directions. */
  isolate(box: number): void {
    for (const other of this.boxes.keys()) if (other !== box) this.cutBoth(box, other)
  }

  cutBoth(a: number, b: number): void {
    this.network.cut(a, b)
    this.network.cut(b, a)
  }

  /** Repairs every cable. */
  healAll(): void {
    if (!this.network.hasCables) return
    for (const a of this.boxes.keys()) for (const b of this.boxes.keys()) if (a !== b) this.network.heal(a, b)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack[Symbol.asyncDispose]()
  }
}

/** Resolves when no other machine lets in the keys of a removed box. A machine that only votes asks for the list every ten seconds. */
async function isForgotten(removed: LabBox, others: readonly (LabBox | LabVoter)[]): Promise<void> {
  const { listed } = await openLinkKeys(removed.dataDir)
  const key = userKey(Buffer.from(listed.bulk, 'base64'))
  const knows = ({ dataDir }: LabBox | LabVoter) => readFileSync(join(dataDir, 'nats/nats.conf'), 'utf8').includes(key)
  for (const end = performance.now() + FORGOTTEN_WITHIN_MS; others.some(knows); await sleep(100))
    if (performance.now() > end) throw new Error('A removed box can still connect to another machine.')
}
