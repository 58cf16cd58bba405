/**
 * Asks the voters for their status, each signed with the key of its log: a machine that carries the answers cannot speak for another
 * voter, nor repeat what one said before. A voter can still lie about itself.
 */
import { type KeyObject, randomBytes } from 'node:crypto'
import type { Msg, NatsConnection } from '@nats-io/transport-node'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { RefusalReason } from '../replication/signed-message.ts'
import { isSigned, signStatement, VerifierKeys } from '../statement.ts'
import { type Topology, votersOf } from '../topology.ts'
import type { VoterStatus } from './core-status.ts'

/** The subject on which the voters are asked for their status. (Version 0.1 asked without a signature, on `gh.core.word`.) */
export const VOTER_STATUS_SUBJECT = 'gh.core.status'
const ANSWER_MS = 1_000
/** Answers to one question that are looked at: anybody in the mesh can send some. */
const MOST_ANSWERS = 32
const LONGEST = 8_192
const NONCE = /^[A-Za-z0-9_-]{22}$/

const Answer = Type.Object({
  by: Type.String({ maxLength: 63 }),
  signature: Type.String({ maxLength: 100 }),
  status: Type.Object({
    epoch: Type.Integer(),
    box: Type.String({ maxLength: 63 }),
    kept: Type.Boolean(),
    leader: Type.Optional(Type.String({ maxLength: 100 })),
    members: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 20 })),
  }),
})

export interface StatusSigner {
  /** The event's id. */
  readonly event: string
  /** The id of this box, and the key of its log: Ed25519, private. */
  readonly by: string
  readonly key: KeyObject
}

/** Answers one question. A question that is not one of ours gets no answer. */
export function answerStatus(
  message: Pick<Msg, 'string' | 'respond'>,
  status: VoterStatus,
  signer: StatusSigner,
): void {
  const question = message.string()
  if (!NONCE.test(question)) return
  const { event, by, key } = signer
  const signature = signStatement('voter status', { event, by, question, status: { ...status } }, key)
  message.respond(JSON.stringify({ by, signature, status }))
}

/** Asks the voters. */
export class VoterStatuses {
  readonly #bulk: NatsConnection
  readonly #topology: () => Topology
  readonly #onRefused: (by: string | null, why: RefusalReason) => void
  readonly #keys = new VerifierKeys()

  /** @param onRefused called for each answer that is refused. @param onRefused.by in whose name it came */
  constructor(
    bulk: NatsConnection,
    topology: () => Topology,
    onRefused: (by: string | null, why: RefusalReason) => void,
  ) {
    this.#bulk = bulk
    this.#topology = topology
    this.#onRefused = onRefused
  }

  /** The statuses of all voters of this epoch that answer in time. */
  async ask(): Promise<VoterStatus[]> {
    const topology = this.#topology()
    const voters = votersOf(topology)
    const question = randomBytes(16).toString('base64url')
    const statuses = new Map<string, VoterStatus>()
    try {
      const options = { strategy: 'timer', maxMessages: MOST_ANSWERS, maxWait: ANSWER_MS } as const
      for await (const { data } of await this.#bulk.requestMany(VOTER_STATUS_SUBJECT, question, options)) {
        const status = this.#opened(data, question, topology)
        if (status) statuses.set(status.box, status)
        if (statuses.size === voters.length) break
      }
    } catch {
      // Nobody is there.
    }
    return [...statuses.values()].filter(({ epoch }) => epoch === topology.epoch)
  }

  #opened(data: Uint8Array, question: string, topology: Topology): VoterStatus | undefined {
    const answer = parsed(data)
    if (!answer) return this.#refused(null, 'unsigned')
    const { by, signature, status } = answer
    const voter = topology.boxes.find(({ id }) => id === by)
    const key = voter && votersOf(topology).includes(by) ? this.#keys.of(voter.log_key) : undefined
    if (!key) return this.#refused(by, 'stranger')
    const isTrue =
      status.box === by && isSigned('voter status', { event: topology.event, by, question, status }, signature, key)
    return isTrue ? (status as VoterStatus) : this.#refused(by, 'forged')
  }

  #refused(by: string | null, why: RefusalReason): undefined {
    this.#onRefused(by, why)
  }
}

function parsed(data: Uint8Array): Static<typeof Answer> | undefined {
  if (data.length > LONGEST) return undefined
  try {
    const value: unknown = JSON.parse(Buffer.from(data).toString())
    return Value.Check(Answer, value) ? value : undefined
  } catch {
    return undefined
  }
}
