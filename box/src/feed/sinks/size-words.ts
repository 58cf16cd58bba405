/** Tells from a receiver's words whether it finds a message too large. */

/** The wording of the common gRPC libraries, such as "Received message larger than max (5000000 vs 4194304)". */
const SIZE =
  /\b(message|frame|payload|body|size|length|bytes)\b.*(larger than|too (large|big|long)|exceed|limit)|(larger than|exceed).*\b(size|length|bytes)\b/i
/** A limit on how often or how much at a time: the same message is good a little later. */
const RATE =
  /quota|\brate\b|\bper (second|minute|hour|day|client|user)\b|throttl|too many|requests|concurren|try again|retry/i

/** Tells if a receiver's words are about the size of one message. */
export function isAboutSize(text: string): boolean {
  return SIZE.test(text) && !RATE.test(text)
}
