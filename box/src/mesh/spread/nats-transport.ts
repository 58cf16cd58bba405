/** The transport over NATS: plain requests and messages. Journals are in the ledgers, and nothing of them is kept in between. */
import type { NatsConnection, Subscription } from '@nats-io/transport-node'
import type { Engine } from '../engine/engine.ts'
import type { Transport } from './transport.ts'

const REQUEST_MS = 5_000

export interface NatsTransportDeps {
  engine: Pick<Engine, 'bulk' | 'urgent' | 'onLink'>
  /** The event's, hex. */
  tag: string
  /** The id of this box. */
  self: string
}

export function natsTransport({ engine, tag, self }: NatsTransportDeps): Transport & Disposable {
  const { bulk, urgent } = engine
  const root = `gh.${tag}`
  const subscriptions: Subscription[] = []
  const links: (() => void)[] = []

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
    // Without a connection it would be kept in memory until there is one; whoever comes back asks for what it missed.
    if (!nats.isClosed()) nats.publish(`${root}.${kind}.${self}`, page)
  }

  return {
    request: async (box, question) =>
      (await bulk.request(`${root}.journal.${box}`, question, { timeout: REQUEST_MS })).data,
    answer(answer) {
      subscriptions.push(
        bulk.subscribe(`${root}.journal.${self}`, {
          callback: (error, message) => {
            if (error) return
            try {
              message.respond(answer(message.data))
            } catch {
              // Whoever asks something that cannot be answered hears nothing, and asks again.
            }
          },
        }),
      )
    },
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
    },
  }
}
