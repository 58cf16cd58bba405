/**
 * Recognises a question that an app asks again because the answer never came. In proxy mode it sends nothing that tells its questions
 * apart, and a second question about an admitted ticket is answered "used": the person whose answer was lost is turned away.
 *
 * The rule: the same device, at the same checkpoint, about the same code, within 30 seconds, gets the first answer if, and only if,
 * the first connection was closed before the whole answer was handed to the network. That answer cannot have been read, because it is
 * one TLS record, and part of a record opens nothing. So one admission is shown once at most, and two people with one
 * code never both see it. An answer that was sent, and may have been lost on the radio, is not repeated: there the
 * second answer says "used", with the seconds since this very device admitted it, and a person decides.
 */
import { createHash } from 'node:crypto'
import { orderedUuid } from '@gatehouse/proto/ordered-uuid.ts'

const REPEATED_WITHIN_MS = 30_000
/** A form with questions is filled in within this: so long a rotating code counts as fresh for them. */
const ASKED_WITHIN_MS = 15 * 60_000
const ADMITTED_WITHIN_MS = 60_000
/** Of one device: the people whose questions are being asked. */
const MOST_ASKED = 8
/** Devices that are remembered. */
const MOST_DEVICES = 10_000

export interface Question {
  device: string
  checkpoint: string
  payload: string
  /** As the app has sent them, in any form that is the same for the same answers. */
  answers: string
  nonce?: string | null | undefined
}

/** Question about a ticket: the scan, and the ids of questions and options by the numbers that the app has for them. */
export interface Asked {
  scanId: string
  questions: ReadonlyMap<number, { id: string; options: ReadonlyMap<number, string> }>
}

interface Last {
  key: string
  scanId: string
  at: number
  /** The connection was closed before its answer was handed to the network. */
  lost: boolean
}

export interface Remembered {
  readonly scanId: string
  /** Tells that the answer cannot have been read. */
  readonly lose: () => void
}

export class Repeats {
  readonly #now: () => number
  readonly #last = new Map<string, Last>()
  readonly #admitted = new Map<string, { key: string; at: number }>()
  readonly #asked = new Map<string, Map<string, Asked & { at: number }>>()

  /** @param now milliseconds, monotonic */
  constructor(now: () => number) {
    this.#now = now
  }

  /** The scan that a question is: a new one, or the one whose answer was lost, or the one of its nonce. */
  begin(question: Question): Remembered {
    const { device, checkpoint, payload, answers, nonce } = question
    if (nonce) return { scanId: scanIdOf('nonce', device, checkpoint, nonce), lose: () => {} }
    const key = digestOf(checkpoint, payload, answers)
    const at = this.#now()
    const before = this.#last.get(device)
    const isRepeated = before?.key === key && before.lost && at - before.at < REPEATED_WITHIN_MS
    const last: Last = {
      key,
      scanId: isRepeated ? before.scanId : orderedUuid(Date.now()),
      at: isRepeated ? before.at : at,
      lost: false,
    }
    this.#last.delete(device)
    this.#last.set(device, last)
    dropOldest(this.#last, MOST_DEVICES)
    return {
      scanId: last.scanId,
      lose: () => {
        last.lost = true
      },
    }
  }

  /** Remembers what was asked about a code, for the question that brings the answers. */
  ask({ device, checkpoint, payload }: Omit<Question, 'answers'>, asked: Asked): void {
    const of = this.#asked.get(device) ?? new Map()
    this.#asked.delete(device)
    this.#asked.set(device, of)
    const key = digestOf(checkpoint, payload)
    of.delete(key)
    of.set(key, { ...asked, at: this.#now() })
    dropOldest(of, MOST_ASKED)
    dropOldest(this.#asked, MOST_DEVICES)
  }

  /** Remembers that the device was told to let this code in. */
  admit({ device, checkpoint, payload }: Omit<Question, 'answers'>): void {
    this.#admitted.set(device, { key: digestOf(checkpoint, payload), at: this.#now() })
    dropOldest(this.#admitted, MOST_DEVICES)
  }

  /** True if the last admission of the device, a minute ago at most, was of this code. */
  hasAdmitted({ device, checkpoint, payload }: Omit<Question, 'answers'>): boolean {
    const found = this.#admitted.get(device)
    return found?.key === digestOf(checkpoint, payload) && this.#now() - found.at < ADMITTED_WITHIN_MS
  }

  asked({ device, checkpoint, payload }: Omit<Question, 'answers'>): Asked | undefined {
    const found = this.#asked.get(device)?.get(digestOf(checkpoint, payload))
    return found && this.#now() - found.at < ASKED_WITHIN_MS ? found : undefined
  }
}

function dropOldest(map: Map<string, unknown>, most: number): void {
  if (map.size <= most) return
  const [oldest] = map.keys()
  if (oldest !== undefined) map.delete(oldest)
}

function scanIdOf(...parts: string[]): string {
  return `ps-${digestOf(...parts).slice(0, 32)}`
}

function digestOf(...parts: string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}
