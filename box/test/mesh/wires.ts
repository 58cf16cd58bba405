/** A transport between boxes in one process: each direction can be cut, and messages arrive a turn of the event loop later. */
import { setImmediate as turn } from 'node:timers/promises'
import type { Carrier } from '../../src/mesh/replication/transport.ts'

export class Wires {
  readonly #ends = new Map<string, End>()
  readonly #cut = new Set<string>()
  readonly #answersBefore = new Map<string, (question: Uint8Array) => Uint8Array[]>()
  /** Bytes that were carried. */
  carried = 0

  /** The end that a box holds. */
  end(box: string): Carrier {
    const end: End = { answer: undefined, push: [], urgent: [], link: new Set() }
    this.#ends.set(box, end)
    return {
      request: async (other, question, accept) => {
        await turn()
        const answer = this.#ends.get(other)?.answer
        if (!answer || !this.#carries(box, other, question)) throw new Error('no answer')
        const page = answer(question)
        await turn()
        for (const each of [...(this.#answersBefore.get(other)?.(question) ?? []), ...(page ? [page] : [])]) {
          const accepted = this.#carries(other, box, each) ? accept(each) : undefined
          if (accepted !== undefined) return accepted
        }
        throw new Error('no answer')
      },
      answer: (answer) => {
        end.answer = answer
      },
      push: (page) => this.publish(box, 'push', page),
      onPush: (listener) => void end.push.push(listener),
      pushUrgent: (page) => this.publish(box, 'urgent', page),
      onUrgent: (listener) => void end.urgent.push(listener),
      onLink: (listener) => {
        end.link.add(listener)
        return () => end.link.delete(listener)
      },
    }
  }

  /** Anybody on the mesh can send under any name. @param box the name in the subject */
  publish(box: string, kind: 'push' | 'urgent', page: Uint8Array): void {
    for (const [other, { [kind]: listeners }] of this.#ends) {
      if (other === box) continue
      setImmediate(() => {
        if (!this.#carries(box, other, page)) return
        for (const listener of listeners) listener(box, page)
      })
    }
  }

  /** Somebody on the mesh answers in the place of `box`, and before it. */
  answerBefore(box: string, answers: (question: Uint8Array) => Uint8Array[]): void {
    this.#answersBefore.set(box, answers)
  }

  /** Cuts the direction from `from` to `to`. */
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
  answer: ((question: Uint8Array) => Uint8Array | undefined) | undefined
  push: ((box: string, page: Uint8Array) => void)[]
  urgent: ((box: string, page: Uint8Array) => void)[]
  link: Set<() => void>
}
