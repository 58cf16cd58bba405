/**
 * Bounds the ticket files that are in memory. Each is there whole, from its first byte until it has been read, and they are read one
 * after the other: twenty large ones at once, of a stolen session, would be five gigabytes.
 */
import { GatehouseError } from '../errors.ts'

/** One that is read, and those that wait for it. */
const MOST_FILES = 4
/** A usual file is read in less; the largest takes a few times as long. */
const AGAIN_SECONDS = 5

/** The place of one file: free again once nobody holds it. */
export interface Place {
  /** @returns lets go, once however often it is called */
  hold(): () => void
}

export class FilePlaces {
  readonly #mostBytes: number
  #files = 0
  #bytes = 0

  /** @param mostBytes of all files together, which is the most of a single one too */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  /**
   * Takes a place, before the file is read from the network. It is held from then on.
   * @param length in bytes, as the sender says it; undefined for one that does not, whose file may be the largest
   * @throws GatehouseError `too_large`, and `rate_limited` where enough files are here
   */
  take(length: number | undefined): Place {
    const bytes = length ?? this.#mostBytes
    if (bytes > this.#mostBytes) {
      throw new GatehouseError('too_large', `The file is larger than ${this.#mostBytes / 1024 ** 2} MiB: split it.`)
    }
    if (this.#files >= MOST_FILES || this.#bytes + bytes > this.#mostBytes) {
      throw new GatehouseError('rate_limited', 'Other ticket files are being read: try again in a moment.', {
        retryAfterSeconds: AGAIN_SECONDS,
      })
    }
    this.#files++
    this.#bytes += bytes
    return placeOf(() => {
      this.#files--
      this.#bytes -= bytes
    })
  }
}

function placeOf(free: () => void): Place {
  let holders = 0
  let isFree = false
  return {
    hold() {
      if (isFree) throw new Error('The place has been given up.')
      holders++
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        holders--
        isFree = holders === 0
        if (isFree) free()
      }
    },
  }
}
