/** What carries boxes' words in one process: each way can be cut, and messages arrive a turn of the event loop later. */
import { setImmediate as turn } from 'node:timers/promises'
import type { Transport } from '../src/mesh/spread/transport.ts'

export class Wires {
  readonly #ends = new Map<string, End>()
  readonly #cut = new Set<string>()
  /** Bytes that were carried. */
  carried = 0

  /** The end that a box holds. */
  end(box: string): Transport {
    const end: End = { answer: undefined, push: [], urgent: [], link: new Set() }
    this.#ends.set(box, end)
    const tell = (kind: 'push' | 'urgent', page: Uint8Array) => {
      for (const [other, { [kind]: listeners }] of this.#ends) {
        if (other === box) continue
        setImmediate(() => {
          if (!this.#carries(box, other, page)) return
          for (const listener of listeners) listener(box, page)
        })
      }
    }
    return {
      request: async (other, question) => {
        await turn()
        const answer = this.#ends.get(other)?.answer
        if (!answer || !this.#carries(box, other, question)) throw new Error('no answer')
        const page = answer(question)
        await turn()
        if (!this.#carries(other, box, page)) throw new Error('no answer')
        return page
      },
      answer: (answer) => {
        end.answer = answer
      },
      push: (page) => tell('push', page),
      onPush: (listener) => void end.push.push(listener),
      pushUrgent: (page) => tell('urgent', page),
      onUrgent: (listener) => void end.urgent.push(listener),
      onLink: (listener) => {
        end.link.add(listener)
        return () => end.link.delete(listener)
      },
    }
  }

  /** What `from` says does not reach `to` any more. */
  cut(from: string, to: string): void {
    this.#cut.add(`${from} ${to}`)
  }

  mend(): void {
    this.#cut.clear()
    for (const { link } of this.#ends.values()) for (const listener of link) listener()
  }

  #carries(from: string, to: string, bytes: Uint8Array): boolean {
    if (this.#cut.has(`${from} ${to}`)) return false
    this.carried += bytes.length
    return true
  }
}

interface End {
  answer: ((question: Uint8Array) => Uint8Array) | undefined
  push: ((box: string, page: Uint8Array) => void)[]
  urgent: ((box: string, page: Uint8Array) => void)[]
  link: Set<() => void>
}
