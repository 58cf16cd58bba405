/**
 * Signs and checks what boxes send each other. A message is one line that names its sender, and behind it the content:
 *
 *     {"v":2,"by":"box-1","signature":"..."}
 *     {"v":1,"box":"box-1",...}
 *
 * Version 1 was the content alone. The signature is Ed25519 by the sender's log key, which is in the signed list of boxes. It covers
 * event, sender, kind of message, whose journal it is, the question that a page answers, and every byte of the content. Whoever
 * carries messages (a machine that only votes, a nats-server in between) can withhold or repeat them, and change nothing. Pure.
 */
import { createHash, type KeyObject, sign } from 'node:crypto'
import { fromBase64 } from '@gatehouse/proto/base64.ts'
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import { verifyEd25519 } from '../../ed25519.ts'

/** No other thing that a log key signs begins like this. */
const CONTEXT = 'gatehouse mesh message v2\n'
/** Sender and signature; nothing else is in the first line, and nothing in it is optional. */
const HEAD = /^\{"v":2,"by":"([a-z0-9][a-z0-9-]{0,62})","signature":"([A-Za-z0-9+/]{86}==)"\}\n/
const LONGEST_HEAD = 200

/** The context that a message is signed for, so that a true one cannot be used in another place. */
export type MessageContext =
  /** A question to one box. */
  | { readonly kind: 'ask'; readonly to: string }
  /** The answer to exactly this question: its range is in the question, and so is a nonce. */
  | { readonly kind: 'answer'; readonly question: Uint8Array }
  /** New entries of the sender's journal. */
  | { readonly kind: 'push' }
  | { readonly kind: 'urgent' }

export interface MessageSender {
  readonly event: string
  /** Id of the box. */
  readonly by: string
}

/** Reason why a message is refused. */
export type RefusalReason =
  /** Of version 1, or no message at all. */
  | 'unsigned'
  /** It names a sender who is not on the list of boxes, or has no journal. */
  | 'stranger'
  /** The signature does not fit: something was changed, or is used in another place than it was signed for. */
  | 'forged'
  /** It was sent before: its number is not higher than that of the last one of its sender. */
  | 'replayed'
  /** Longer than any message of its kind. */
  | 'too_long'
  /** Too many in the sender's name were refused already: it is dropped unread. */
  | 'too_many'

/** A message was refused, and none of it is used. */
export class RefusedMessageError extends Error {
  override readonly name = 'RefusedMessageError'
  readonly why: RefusalReason

  constructor(why: RefusalReason) {
    super(`A message was refused: ${why}.`)
    this.why = why
  }
}

interface OpenOptions {
  readonly event: string
  readonly keyOf: (box: string) => KeyObject | undefined
  readonly by?: string | undefined
  readonly check?: (by: string, content: Uint8Array) => void
}

/** @param key Ed25519, private: the sender's log key */
export function signMessage(
  content: Uint8Array,
  context: MessageContext,
  { key, ...sender }: MessageSender & { readonly key: KeyObject },
): Uint8Array {
  const signature = sign(null, statement(content, context, sender), key).toString('base64')
  return Buffer.concat([Buffer.from(`{"v":2,"by":"${sender.by}","signature":"${signature}"}\n`), content])
}

/**
 * @param keyOf the public log key of a box on the list; undefined for anybody else
 * @param by who has to have sent it; anybody on the list where absent
 * @param check called before the content is hashed and its signature checked; throws where that is refused
 * @throws RefusedMessageError
 */
export function openMessage(
  message: Uint8Array,
  context: MessageContext,
  { event, keyOf, by, check }: OpenOptions,
): { by: string; content: Uint8Array } {
  const [head, sender, encoded = ''] =
    HEAD.exec(Buffer.from(message.subarray(0, LONGEST_HEAD)).toString('latin1')) ?? []
  if (head === undefined || sender === undefined) throw new RefusedMessageError('unsigned')
  const key = keyOf(sender)
  if (!key) throw new RefusedMessageError('stranger')
  const content = message.subarray(head.length)
  const signature = fromBase64(encoded)
  if (by !== undefined && by !== sender) throw new RefusedMessageError('forged')
  check?.(sender, content)
  const isTrue =
    signature !== undefined && verifyEd25519(key, statement(content, context, { event, by: sender }), signature)
  if (!isTrue) throw new RefusedMessageError('forged')
  return { by: sender, content }
}

function statement(content: Uint8Array, context: MessageContext, { event, by }: MessageSender): Buffer {
  const said = context.kind === 'answer' ? { kind: context.kind, question: hashOf(context.question) } : context
  return Buffer.from(CONTEXT + canonicalJson({ ...said, event, by, content: hashOf(content) }))
}

/** Hashed here, because Ed25519 alone reads what it signs twice. */
function hashOf(bytes: Uint8Array): string {
  return createHash('sha512').update(bytes).digest('base64')
}
