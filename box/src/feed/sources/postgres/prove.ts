/** Reads a slot without taking anything from it, until it is proven that the log has what was delivered. */
import type { ClientConfig } from 'pg'
import { commitTime } from './commit-time.ts'
import type { Proof } from './continuity.ts'
import { Session, type SessionOptions } from './session.ts'

const BEGIN = 0x42
const BEGIN_SIZE = 21

/**
 * Nothing is acknowledged, so everything that is read here comes again.
 * @returns why this is not the log that was delivered; undefined when it is
 * @throws the error of the network or the server
 */
export async function prove(
  config: ClientConfig,
  options: SessionOptions,
  proof: Proof,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (proof.isDone) return undefined
  await using session = await Session.connect(config, options, signal)
  const { promise, resolve } = Promise.withResolvers<{ why: string | undefined }>()
  const look = (why: string | undefined) => {
    if (why !== undefined || proof.isDone) resolve({ why })
  }
  const giveUp = () => session.end(new Error('closed'))
  signal.addEventListener('abort', giveUp)
  try {
    await session.stream({
      // Only where transactions begin: commit position and time are in that message.
      data: (bytes, from) => {
        if (bytes[from] !== BEGIN || bytes.length - from !== BEGIN_SIZE) return
        look(proof.transaction(bytes.readBigUInt64BE(from + 1), commitTime(bytes.readBigInt64BE(from + 9))))
      },
      keepalive: (end) => look(proof.end(end)),
    })
    const outcome = await Promise.race([promise, session.ended])
    if (outcome instanceof Error) throw outcome
    return outcome.why
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}
