/** A desk whose passages go to a pretix that keeps pretix's rules, with every step between the two counted: a test ends it at any. */

import type { Ledger } from '../../../src/ledger/ledger.ts'
import { admittedAt, answersOfTicket, ownTimesOf, passageOfScan } from '../../../src/shop/pretix/up/ledger-side.ts'
import type { Answer, NoAnswer } from '../../../src/shop/pretix/up/next-step.ts'
import { Push } from '../../../src/shop/pretix/up/push.ts'
import { orderOf } from '../../../src/shop/pretix/up/sale.ts'
import type { ShopSide, Speaker } from '../../../src/shop/pretix/up/shop-side.ts'
import { Desk } from '../../world/desk.ts'
import { type ModelPosition, PretixModel } from './model.ts'
import { Supervision } from './supervision.ts'

export const NOW = Date.parse('2026-07-01T12:00:00Z')
/** The list that each checkpoint is mapped to. */
export const LISTS: Readonly<Record<string, number>> = { 'a-in': 1, 'a-out': 1, 'b-in': 1, 'v-in': 2, 'v-out': 2 }

/** As SIGKILL ends a box: nothing that it has begun goes on. */
export class Killed extends Error {}

export const quiet = { debug() {}, info() {}, warn() {}, error() {}, fatal() {} }

export class PushWorld implements Disposable {
  readonly desk: Desk
  readonly supervision: Supervision
  readonly pretix = new PretixModel()
  /** By the code that each was sold with. */
  readonly positions = new Map<string, ModelPosition>()
  /** Positions that are known here, by code: a test changes the secret there, and `refresh` brings it here. */
  readonly secrets = new Map<string, string>()
  /** In place of an answer: what happens to the request is up to it. */
  network: (send: () => Answer, body: Readonly<Record<string, unknown>>) => Answer | NoAnswer = (send) => send()
  speaker: Speaker = { maySpeak: async () => true }
  /** The list of each checkpoint: a test maps them anew, and opens the box again. */
  lists = LISTS
  /** Body of the order for a walk-up sale. */
  orderOf: ShopSide['orderOf'] = (sale) => {
    const tickets = sale.tickets.flatMap((ref) => this.desk.deps.tickets.byRef(ref) ?? [])
    return orderOf(sale, { event: this.desk.event.id, tickets, as: { item: 1, variation: null, subevent: null } })
  }
  steps = 0
  #life = 0
  killAt = Number.POSITIVE_INFINITY
  push: Push

  private constructor(desk: Desk) {
    this.desk = desk
    this.supervision = new Supervision(desk)
    for (const id of new Set(Object.values(LISTS))) this.pretix.addList({ id })
    this.push = this.open()
  }

  /** @param tickets code and tier */
  static async open(tickets: Readonly<Record<string, string>>): Promise<PushWorld> {
    const desk = await Desk.open({ now: NOW })
    await desk.import(Object.entries(tickets).map(([code, tier]) => `${code},${tier},valid,,,`))
    const world = new PushWorld(desk)
    for (const [i, code] of Object.keys(tickets).entries())
      world.positions.set(code, world.pretix.add({ id: 1000 + i, secret: code }))
    return world
  }

  /** A process of the box that knows nothing but its ledger. */
  open(): Push {
    const { desk } = this
    const { ledger, flags } = desk.deps
    this.#life += 1
    const life = this.#life
    this.push = new Push({
      ledger: this.#counted(ledger, life),
      flags,
      boxId: desk.id,
      event: desk.event.id,
      shop: this.#shop(life),
      speaker: { maySpeak: (progress) => this.speaker.maySpeak(progress) },
      logger: quiet as never,
      now: () => desk.now,
      random: () => 0.5,
      passageOf: (scan) => passageOfScan(scan, desk.deps),
      admittedAt: (scan, decided) => admittedAt(scan, decided, desk.deps),
      ownTimes: (ticket) => ownTimesOf(ticket, desk.deps),
    })
    return this.push
  }

  /** Rounds until nothing is left that can be sent; the clock goes on over pauses. */
  async settle(most = 10_000): Promise<void> {
    for (let i = 0; i < most; i++) {
      const wait = await this.push.round()
      if (wait === null) return
      if (wait > 0 && this.push.status().state === 'other_box') return
      if (this.push.status().state === 'paused') return
      this.desk.now += wait
    }
    throw new Error('it goes on for ever')
  }

  /** @returns the scan's id */
  async scan(code: string, checkpoint: string, more: object = {}): Promise<string> {
    this.desk.now += 1_000
    const verdict = await this.desk.scan(code, { checkpoint, ...more })
    return verdict.scan_id
  }

  [Symbol.dispose](): void {
    this.desk[Symbol.dispose]()
  }

  /** @param life of the process whose step it is: a dead one takes none, whatever it had begun */
  #step(life: number): void {
    this.steps += 1
    if (this.steps >= this.killAt) this.#life += 1
    if (life !== this.#life) throw new Killed()
  }

  #counted(ledger: Ledger, life: number): Ledger {
    const commit: Ledger['commit'] = async (work, options) => {
      this.#step(life)
      const result = await ledger.commit(work, options)
      this.#step(life)
      return result
    }
    return new Proxy(ledger, { get: (of, name) => (name === 'commit' ? commit : Reflect.get(of, name, of)) })
  }

  #shop(life: number): ShopSide {
    const { desk, pretix, secrets, lists } = this
    const { device } = pretix
    const codeOf = (ref: string) => desk.deps.tickets.byRef(ref)?.code
    return {
      target: 'pretix.example/o/e',
      as: `${device} ${Object.values(lists)}`,
      device,
      event: 'e',
      positionOf: (ref) => {
        const code = codeOf(ref)
        if (code === undefined) return 'unknown'
        const position = this.positions.get(code)
        if (position) return { id: position.id, secret: secrets.get(code) ?? code }
        // The order of a walk-up sale comes down at once.
        const sold = [...this.pretix.orders.values()].flat().find(({ secret }) => secret === code)
        if (sold) return { id: sold.id, secret: code }
        return desk.deps.tickets.byRef(ref)?.orderCode === null ? 'not_of_shop' : 'unknown'
      },
      orderOf: (sale) => this.orderOf(sale),
      listOf: (checkpoint) => lists[checkpoint],
      checkinsOf: async (ref) => {
        this.#step(life)
        const id = this.positions.get(codeOf(ref) ?? '')?.id
        if (id === undefined) return undefined
        const answer = this.network(() => ({ status: 200, body: pretix.checkinsOf(id) }), {})
        this.#step(life)
        if ('why' in answer) return { next: 'wait', afterMs: undefined, why: answer.why }
        if (answer.status !== 200 || !Array.isArray(answer.body)) return { next: 'wait', afterMs: 1_000, why: 'busy' }
        return answer.body.map(({ list, type, datetime, device_id }) => ({
          ...{ list, type, at: Date.parse(datetime), device: device_id },
        }))
      },
      answersOf: (ref) => answersOfTicket(ref, desk.deps),
      refresh: async (ref) => {
        const code = codeOf(ref)
        const position = this.positions.get(code ?? '')
        if (code !== undefined && position) secrets.set(code, position.secret)
      },
      post: async (path, body) => {
        this.#step(life)
        await Promise.resolve()
        const sent = JSON.parse(JSON.stringify(body)) as Record<string, unknown>
        const answer = this.network(() => pretix.post(path, sent), sent)
        this.#step(life)
        return answer
      },
    }
  }
}
