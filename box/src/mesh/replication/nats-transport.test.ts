import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { NatsConnection } from '@nats-io/transport-node'
import { natsTransport } from './nats-transport.ts'

it('however many answers are refused, the one that comes last is looked at', async () => {
  const requestMany = async function* (_: string, __: Uint8Array, options: { maxMessages?: number }) {
    assert.equal(options.maxMessages, undefined, 'NATS does not count them either')
    for (let i = 0; i <= 10_000; i++) yield { data: Buffer.from(i === 10_000 ? 'true' : 'forged') }
  }
  // The part of a connection that a question needs.
  const nats = { requestMany } as unknown as NatsConnection
  using transport = natsTransport({
    engine: { bulk: nats, urgent: nats, onLink: () => () => {} },
    tag: '00',
    self: 'a',
    liveScans: { areRecent: false },
  })
  const accept = (answer: Uint8Array) => (Buffer.from(answer).toString() === 'true' ? answer : undefined)
  assert.ok(await transport.request('b', new Uint8Array(), accept))
})
