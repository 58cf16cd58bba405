/**
 * The transport with encryption: what it is given goes out encrypted, and is signed by the transport below it. Questions stay in
 * clear: they hold indices and the id of a box.
 */
import type { Transport } from '../replication/transport.ts'
import { type Keyring, LockedMessageError } from './keyring.ts'

/**
 * @param below takes and hands on only what a box on the list has signed
 * @param options.onLocked called when a box on the list has sent something that cannot be read here, or this box cannot send
 * @returns its `request` throws LockedMessageError, too: for an answer that the box has signed and that cannot be read here
 */
export function encryptedTransport(
  below: Transport,
  { keyring, onLocked }: { keyring: Pick<Keyring, 'encrypt' | 'decrypt'>; onLocked: () => void },
): Transport {
  const noticing = (work: () => Uint8Array): Uint8Array => {
    try {
      return work()
    } catch (error) {
      if (error instanceof LockedMessageError) onLocked()
      throw error
    }
  }
  /** Undefined where it is locked: the page is pulled once both boxes have the same list. */
  const orNothing = (work: () => Uint8Array): Uint8Array | undefined => {
    try {
      return noticing(work)
    } catch (error) {
      if (error instanceof LockedMessageError) return undefined
      throw error
    }
  }
  const sending = (send: (page: Uint8Array) => void) => (page: Uint8Array) => {
    const content = orNothing(() => keyring.encrypt(page))
    if (content) send(content)
  }
  const reading = (listener: (box: string, page: Uint8Array) => void) => (box: string, content: Uint8Array) => {
    const page = orNothing(() => keyring.decrypt(content))
    if (page) listener(box, page)
  }
  return {
    async request(box, question) {
      const answer = await below.request(box, question)
      return noticing(() => keyring.decrypt(answer))
    },
    answer: (answer) =>
      below.answer((question) => {
        const page = answer(question)
        return page && noticing(() => keyring.encrypt(page))
      }),
    push: sending((page) => below.push(page)),
    onPush: (listener) => below.onPush(reading(listener)),
    pushUrgent: sending((page) => below.pushUrgent(page)),
    onUrgent: (listener) => below.onUrgent(reading(listener)),
    onLink: (listener) => below.onLink(listener),
  }
}
