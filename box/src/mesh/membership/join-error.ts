/** A box cannot join; the message says what to do. Nothing of the event is in place. */
export class JoinError extends Error {
  override readonly name = 'JoinError'
}
