/**
 * How boxes reach each other: a question to one of them, and a word to all. Nothing here is certain to arrive, or to arrive once,
 * or in order; what is missing is asked for.
 */
export interface Transport {
  /** @throws where no answer comes in time */
  request(box: string, question: Uint8Array): Promise<Uint8Array>
  /** Answers the questions of others. @throws for one that cannot be answered: whoever asked gets no answer */
  answer(answer: (question: Uint8Array) => Uint8Array): void
  /** Tells all others. */
  push(page: Uint8Array): void
  onPush(listener: (box: string, page: Uint8Array) => void): void
  /** The same on a way of its own, that nothing else waits on. */
  pushUrgent(page: Uint8Array): void
  onUrgent(listener: (box: string, page: Uint8Array) => void): void
  /** Calls `listener` when the way to the others went or came back. */
  onLink(listener: () => void): () => void
}
