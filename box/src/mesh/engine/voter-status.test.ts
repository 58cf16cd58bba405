import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import type { NatsConnection } from '@nats-io/transport-node'
import { originOf, verifierKey } from '../../seal/verifier-key.ts'
import { firstTopology, withBox } from '../topology.ts'
import { answerStatus, VoterStatuses } from './voter-status.ts'

const EVENT = 'fair'
const [a, b, other] = [0, 1, 2].map(() => generateKeyPairSync('ed25519').privateKey) as [never, never, never]
const box = (id: string, key: never) => ({
  ...{ id, name: id, log_key: verifierKey(originOf(EVENT, id), key), host: '10.0.0.1' },
  ...{ ports: { route: 1, leaf: 2 }, https: 'https://10.0.0.1:1', device: 'https://10.0.0.1:2' },
})
const topology = withBox(firstTopology(EVENT, box('a', a)), box('b', b))

test('a status is believed from the voter that signed it for this question, and from nobody else', async () => {
  const status = (id: string) => ({ epoch: 1, box: id, kept: true })
  const signed = (question: string, id: string, by: string, key: never) => {
    let text = ''
    const respond = (said: unknown) => {
      text = String(said)
      return true
    }
    const message = { string: () => question, respond }
    answerStatus(message, status(id), { event: EVENT, by, key })
    return Buffer.from(text)
  }
  let before = 'x'.repeat(22)
  const forged = (question: string) => [
    Buffer.from('{"epoch":1,"box":"a","kept":true}'),
    signed(question, 'a', 'a', other),
    signed(question, 'a', 'b', b),
    signed(before, 'a', 'a', a),
  ]
  const asked = async (answers: (question: string) => Buffer[]) => {
    const refused: string[] = []
    const bulk = {
      async requestMany(_: string, question: string) {
        const all = answers(question).map((data) => ({ data }))
        before = question
        return all
      },
    } as unknown as NatsConnection
    const statuses = await new VoterStatuses(
      bulk,
      () => topology,
      (by, why) => void refused.push(`${by} ${why}`),
    ).ask()
    return { statuses, refused }
  }
  assert.deepEqual(await asked(forged), {
    statuses: [],
    refused: ['null unsigned', 'a forged', 'b stranger', 'a forged'],
  })
  const { statuses } = await asked((question) => [...forged(question), signed(question, 'a', 'a', a)])
  assert.deepEqual(statuses, [status('a')], 'forged ones do not end the waiting for the true one')
})
