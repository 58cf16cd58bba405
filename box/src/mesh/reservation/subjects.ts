/** Names in the reservation stream. Pure. In the stream of version 0.1, whose records nobody signed, they said `claim` and `probe`. */
import { createHash } from 'node:crypto'

export interface StreamSubjects {
  /** The name of the stream. */
  stream: string
  /** The subjects that it stores. */
  subjects: string[]
  /** The subject of the right `slot` of the ticket with this ref. */
  rightSubject(ticketRef: string, slot: string): string
  /** The subject to which this box alone writes, to find out whether the stream accepts its writes. */
  probeSubject(box: string): string
}

/**
 * @param tag the event's, hex
 * @param epoch each set of voters has a stream of its own, so that nobody writes to an older one by mistake
 */
export function streamSubjects(tag: string, epoch: number): StreamSubjects {
  const rights = `gh.${tag}.rights.${epoch}`
  const probes = `gh.${tag}.probes.${epoch}`
  return {
    stream: `RIGHTS_${tag}_${epoch}`,
    subjects: [`${rights}.*`, `${probes}.*`],
    // Hashed: a slot may hold any characters, and a subject may not.
    rightSubject: (ticketRef, slot) => `${rights}.${shortHash(`${ticketRef}\0${slot}`)}`,
    probeSubject: (box) => `${probes}.${shortHash(box)}`,
  }
}

/** 128 bits of SHA-256, hex. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
