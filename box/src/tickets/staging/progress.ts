/**
 * Progress of the rows of an import, as `staged_imports.done` has it: first its new tickets in the order of the file, then what the
 * runs of names stand for. The later of two is the greater one.
 */

/** The next row that may be a new ticket, and how many of those before it are. */
export interface NextRow {
  n: number
  places: number
}

/** A name, and one byte more. */
const BYTES = 24
/** After the import's number: 0 for a row, otherwise the kind of a name. */
const KIND_AT = 6

/** @returns undefined when every new ticket has its row */
export function nextRow(done: Buffer | null): NextRow | undefined {
  // Before this form, tickets came in the order of their refs. A row that is moved again stays as it is.
  if (done?.length !== BYTES) return { n: 0, places: 0 }
  if (done[KIND_AT] !== 0) return undefined
  return { n: done.readUInt32BE(KIND_AT + 1), places: done.readUInt32BE(KIND_AT + 5) }
}

export function beforeRow(ofImport: number, { n, places }: NextRow): Buffer {
  const done = Buffer.alloc(BYTES)
  done.writeUIntBE(ofImport, 0, KIND_AT)
  done.writeUInt32BE(n, KIND_AT + 1)
  done.writeUInt32BE(places, KIND_AT + 5)
  return done
}

/** @param first of a run of names: those after it come next */
export function afterRun(first: Buffer): Buffer {
  return Buffer.concat([first], BYTES)
}
