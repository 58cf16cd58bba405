/** The transport over NATS: plain requests and messages. NATS stores none of them, because every journal is in a ledger. */
import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node'
import type { LiveScans } from '../../live-scans.ts'
import type { Engine } from '../engine/engine.ts'
import { LONGEST } from './message-bounds.ts'
import { QuestionTurns } from './question-turns.ts'
import type { Carrier } from './transport.ts'

const REQUEST_MS = 5_000

export interface NatsTransportDeps {
  engine: Pick<Engine, 'bulk' | 'urgent' | 'onLink'>
  /** The event's, hex. */
  tag: string
  /** The id of this box. */
  self: string
  liveScans: Pick<LiveScans, 'areRecent'>
}

export function natsTransport({ engine, tag, self, liveScans }: NatsTransportDeps): Carrier & Disposable {
  const { bulk, urgent } = engine
  const root = `gh.${tag}`
  const subscriptions: Subscription[] = []
  const links: (() => void)[] = []
  const turns = new QuestionTurns(liveScans)

  const listen = (nats: NatsConnection, kind: string, listener: (box: string, page: Uint8Array) => void) => {
    const prefix = `${root}.${kind}.`
    subscriptions.push(
      nats.subscribe(`${prefix}*`, {
        callback: (error, message) => {
          const box = message.subject.slice(prefix.length)
          if (!error && box !== self) listener(box, message.data)
        },
      }),
    )
  }
  const tell = (nats: NatsConnection, kind: string, page: Uint8Array) => {
    // A closed connection would keep it in memory. A box that comes back pulls what it missed.
    if (!nats.isClosed()) nats.publish(`${root}.${kind}.${self}`, page)
  }

  return {
    async request(box, question, accept) {
      // However many answers are refused: anybody on the mesh can send some, and the true one may be among them.
      const options = { strategy: 'timer', maxWait: REQUEST_MS } as const
      for await (const { data } of await bulk.requestMany(`${root}.journal.${box}`, question, options)) {
        const accepted = accept(data)
        if (accepted !== undefined) return accepted
      }
      throw new Error(`${box} has not answered in time`)
    },
    answer: (answer) => void subscriptions.push(answering(bulk, `${root}.journal.${self}`, turns, answer)),
    push: (page) => tell(bulk, 'new', page),
    onPush: (listener) => listen(bulk, 'new', listener),
    pushUrgent: (page) => tell(urgent, 'urgent', page),
    onUrgent: (listener) => listen(urgent, 'urgent', listener),
    onLink(listener) {
      const end = engine.onLink(listener)
      links.push(end)
      return end
    },
    [Symbol.dispose]() {
      for (const end of links) end()
      for (const subscription of subscriptions) subscription.unsubscribe()
      turns[Symbol.dispose]()
    },
  }
}

function answering(
  nats: NatsConnection,
  subject: string,
  turns: QuestionTurns,
  answer: Parameters<Carrier['answer']>[0],
): Subscription {
  const answerTo = (message: Msg) => {
    try {
      const answered = answer(message.data)
      if (answered && !nats.isClosed()) message.respond(answered)
    } catch {
      // A request that cannot be answered stays without an answer, and its sender tries again.
    }
  }
  return nats.subscribe(subject, {
    callback: (error, message) => {
      if (error) return
      // One that is too long is refused by its length, and does not take up memory meanwhile.
      if (message.data.length > LONGEST.ask) answerTo(message)
      else turns.push(() => answerTo(message))
    },
  })
}
