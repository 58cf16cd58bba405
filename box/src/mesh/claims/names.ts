/** What things are called in the stream of claims. Pure. */
import { createHash } from 'node:crypto'

export interface ClaimNames {
  /** Of the stream. */
  stream: string
  /** What the stream listens on. */
  subjects: string[]
  /** Where the right `slot` of the ticket of this ref is claimed. */
  claimOf(ticketRef: string, slot: string): string
  /** Where this box finds out whether the stream still takes what it writes. */
  probeOf(box: string): string
}

/**
 * @param tag the event's, hex
 * @param epoch another arrangement of voters is another stream: nobody writes to the one before by mistake
 */
export function claimNames(tag: string, epoch: number): ClaimNames {
  const claims = `gh.${tag}.claim.${epoch}`
  const probes = `gh.${tag}.probe.${epoch}`
  return {
    stream: `CLAIM_${tag}_${epoch}`,
    subjects: [`${claims}.*`, `${probes}.*`],
    // Hashed: a slot may hold any characters, and a subject may not.
    claimOf: (ticketRef, slot) => `${claims}.${sha256(`${ticketRef}\0${slot}`)}`,
    probeOf: (box) => `${probes}.${sha256(box)}`,
  }
}

/** 128 bits, hex. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
