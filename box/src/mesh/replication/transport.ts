/**
 * Transport between boxes: a request to one of them, and a push to all. A message may be lost, arrive twice or out of order;
 * whatever is missing is pulled.
 */
export interface Transport {
  /** @throws where no answer comes in time */
  request(box: string, question: Uint8Array): Promise<Uint8Array>
  /** Registers what answers the requests of others. Where `answer` throws or has none, whoever asked gets no answer. */
  answer(answer: (question: Uint8Array) => Uint8Array | undefined): void
  /** Sends to all others. */
  push(page: Uint8Array): void
  onPush(listener: (box: string, page: Uint8Array) => void): void
  /** Sends to all others, over a connection of its own that nothing else waits on. */
  pushUrgent(page: Uint8Array): void
  onUrgent(listener: (box: string, page: Uint8Array) => void): void
  /** Calls `listener` when the connection to the others was lost or came back. @returns what ends that */
  onLink(listener: () => void): () => void
}

/** Carries messages, and does not know whether the box under whose name one arrives has sent it: `SignedTransport` finds out. */
export interface Carrier extends Omit<Transport, 'request'> {
  /**
   * @param accept given every answer that comes; the first for which it returns something ends the waiting
   * @returns what `accept` returned
   * @throws where no answer was accepted in time
   */
  request<T>(box: string, question: Uint8Array, accept: (answer: Uint8Array) => T | undefined): Promise<T>
}
