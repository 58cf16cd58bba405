/**
 * A tag in front of each message between boxes, that only somebody with the event's key can make. Its check costs a few
 * microseconds whatever the message's length, and comes before the signature's: a machine without the key (a voter, a nats-server
 * in between) makes a box compute next to nothing. A tag proves no sender, because all boxes have the same secret: the signature
 * does. Pure.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { MessageContext } from './signed-message.ts'

/** HMAC-SHA-256, cut to 16 bytes: 22 characters of base64url, and a line feed. */
const TAG = /^[A-Za-z0-9_-]{22}\n/
export const TAG_LENGTH = 23
const TAG_BYTES = 16
/** Bytes of the message that the tag covers, from its beginning: sender, signature, and all of a question. */
const COVERED = 4096

/**
 * @param eventSeed the seed of the event's key, which boxes have and voters do not
 * @param event the event's id
 * @returns 32 bytes
 */
export function tagSecret(eventSeed: Uint8Array, event: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', eventSeed, event, 'gatehouse mesh message tags', 32))
}

export function withTag(message: Uint8Array, context: MessageContext, secret: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`${tagOf(message, context, secret).toString('base64url')}\n`), message])
}

/** @returns the message behind its tag; `untagged` without one, `wrong` where somebody without the secret has made it */
export function withoutTag(
  tagged: Uint8Array,
  context: MessageContext,
  secret: Uint8Array,
): Uint8Array | 'untagged' | 'wrong' {
  const line = Buffer.from(tagged.subarray(0, TAG_LENGTH)).toString('latin1')
  if (!TAG.test(line)) return 'untagged'
  const message = tagged.subarray(TAG_LENGTH)
  const tag = Buffer.from(line.trimEnd(), 'base64url')
  return timingSafeEqual(tag, tagOf(message, context, secret)) ? message : 'wrong'
}

/** It differs with what the message is: a true one cannot stand in for another kind, or answer another question. */
function tagOf(message: Uint8Array, context: MessageContext, secret: Uint8Array): Buffer {
  const hmac = createHmac('sha256', secret).update(`${context.kind}\n`)
  if (context.kind === 'answer') hmac.update(context.question)
  return hmac.update(message.subarray(0, COVERED)).digest().subarray(0, TAG_BYTES)
}
