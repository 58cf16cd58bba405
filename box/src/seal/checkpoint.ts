/** A log's checkpoint (C2SP tlog-checkpoint): name, number of entries and root, in a signed note. */
import { fromBase64, toBase64 } from '@gatehouse/proto/base64.ts'
import { NoteError, type NoteKey, openNote, type Signer, signNote } from './note.ts'

export interface Checkpoint {
  /** Name of the log: `gatehouse/<event>/<box>`. */
  readonly origin: string
  /** Entries. */
  readonly size: number
  /** RFC 6962, 32 bytes. */
  readonly root: Uint8Array
}

/** The note's origin is the signer's name. */
export function signCheckpoint({ size, root }: Omit<Checkpoint, 'origin'>, signer: Signer): string {
  return signNote(`${signer.name}\n${size}\n${toBase64(root)}\n`, signer)
}

/**
 * The checkpoint in a note signed with this key, of the log with the key's name.
 * @throws NoteError for any other note
 */
export function openCheckpoint(note: string, key: NoteKey): Checkpoint {
  const checkpoint = parseCheckpoint(openNote(note, key))
  if (checkpoint.origin !== key.name) throw new NoteError('wrong_origin')
  return checkpoint
}

/** Lines after the third are extensions; they are signed as well. */
function parseCheckpoint(text: string): Checkpoint {
  const lines = text.split('\n').slice(0, -1)
  const [origin, size = '', rootText = ''] = lines
  if (origin === undefined || lines.length < 3 || lines.includes('')) throw new NoteError('bad_lines')
  if (!/^(0|[1-9][0-9]*)$/.test(size) || !Number.isSafeInteger(Number(size))) throw new NoteError('bad_size')
  const root = fromBase64(rootText)
  if (root?.length !== 32) throw new NoteError('bad_root')
  return { origin, size: Number(size), root }
}
