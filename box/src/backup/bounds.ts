/**
 * Bounds of what an archive unpacks to. A file of 10 MB can say that it is 10 GB: it is refused by its sizes before a byte of it is
 * written, and by what really comes out where the sizes lie.
 */
import { Transform } from 'node:stream'
import { BackupError, DATA, MANIFEST } from './manifest.ts'

export interface Bounds {
  /** Bytes of all files together. */
  readonly total: number
  /** Bytes of one file; the ledger alone may have the total. */
  readonly file: number
  readonly files: number
  /** An archive may unpack to this many times its own size, from `ratioFrom` bytes on. A ledger packs to a third or a tenth. */
  readonly ratio: number
  readonly ratioFrom: number
}

const MB = 1024 * 1024

export const BOUNDS: Bounds = {
  total: 32 * 1024 * MB,
  file: 512 * MB,
  // As many as a manifest may name, and itself.
  files: 10_001,
  ratio: 100,
  ratioFrom: 64 * MB,
}

/** A manifest of the most files has less. */
const LARGEST_MANIFEST = 4 * MB
/** Tar's own headers and padding: two blocks a file, and the end. */
const TAR_BYTES = 1024

/** An archive unpacks to more than it may. Nothing was put in place. */
export class TooLargeError extends BackupError {}

/** Bounds what one archive may unpack to: files, bytes, and the ratio to its own size. */
export class UnpackBudget {
  readonly #archive: string
  readonly #bounds: Bounds
  /** Bytes that the disk has for it. */
  readonly #room: number
  #packed = 0
  #bytes = 0
  #claimed = 0
  #files = 0

  constructor(archive: string, options: { bounds: Bounds; room: number }) {
    this.#archive = archive
    this.#bounds = options.bounds
    this.#room = options.room
  }

  /** Before the file is made, by what its header says. @throws TooMuch */
  admit(name: string, size: number): void {
    const { total, file, files } = this.#bounds
    this.#files++
    this.#claimed += size
    if (this.#files > files) throw this.#tooMuch(`has more than ${files} files`)
    if (this.#claimed > total) throw this.#tooMuch(`unpacks to more than ${inWords(total)}`)
    const most = name === MANIFEST ? LARGEST_MANIFEST : name === `${DATA}/ledger.db` ? total : file
    if (size > most) throw this.#tooMuch(`has a file of more than ${inWords(most)}`)
    if (this.#claimed > this.#room) {
      throw new TooLargeError(
        `${this.#archive} unpacks to more than there is room for here: free some space, and try again.`,
      )
    }
  }

  /** Stands before the decompression: how much the archive itself has. */
  packed(): Transform {
    return counting((bytes) => {
      this.#packed += bytes
    })
  }

  /** Stands behind it, and ends the whole as soon as too much has come out. */
  unpacked(): Transform {
    const { total, files, ratio, ratioFrom } = this.#bounds
    return counting((bytes) => {
      this.#bytes += bytes
      if (this.#bytes > total + files * TAR_BYTES) throw this.#tooMuch(`unpacks to more than ${inWords(total)}`)
      if (this.#bytes > ratioFrom && this.#bytes > ratio * this.#packed) {
        throw this.#tooMuch(`unpacks to more than ${ratio} times its size`)
      }
    })
  }

  #tooMuch(why: string): TooLargeError {
    return new TooLargeError(`${this.#archive} is not a backup of a box: it ${why}.`)
  }
}

/** @param see throws what the stream ends with */
function counting(see: (bytes: number) => void): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        see(chunk.length)
        done(null, chunk)
      } catch (error) {
        done(error as Error)
      }
    },
  })
}

function inWords(bytes: number): string {
  return bytes >= 1024 * MB ? `${Math.round(bytes / 1024 / MB)} GB` : `${Math.max(1, Math.round(bytes / MB))} MB`
}
