/** An age file as text (`age -a`): base64 between two lines. A stream, because a backup does not fit into memory. */
import { Transform } from 'node:stream'
import { BackupError } from './manifest.ts'

export const ARMOR_BEGIN = '-----BEGIN AGE ENCRYPTED FILE-----'
const ARMOR_END = '-----END AGE ENCRYPTED FILE-----'
/** Characters of each line but the last. */
const COLUMNS = 64

/** @param archive what messages call it. The stream fails with a BackupError for a damaged armor */
export function dearmor(archive: string): Transform {
  let pending = ''
  let state: 'before' | 'full' | 'short' | 'after' = 'before'
  /** Bytes of the line; undefined for a line that is none. */
  const take = (line: string): Buffer | undefined => {
    if (state === 'before' && line === '') return Buffer.alloc(0)
    if (state === 'before' && line === ARMOR_BEGIN) {
      state = 'full'
      return Buffer.alloc(0)
    }
    if ((state === 'full' || state === 'short') && line === ARMOR_END) {
      state = 'after'
      return Buffer.alloc(0)
    }
    if (state === 'after' && line.trim() === '') return Buffer.alloc(0)
    if (state !== 'full' || line.length > COLUMNS) return undefined
    if (line.length < COLUMNS) state = 'short'
    const bytes = Buffer.from(line, 'base64')
    // Node ignores what is not base64, so that two texts could be one file.
    return bytes.length > 0 && bytes.toString('base64') === line ? bytes : undefined
  }
  const lines = (text: string): Buffer => {
    const parts = (pending + text).split('\n')
    pending = parts.pop() ?? ''
    const taken = parts.map((line) => take(line.endsWith('\r') ? line.slice(0, -1) : line))
    if (pending.length > COLUMNS + 1 || taken.includes(undefined)) throw damaged()
    return Buffer.concat(taken as Buffer[])
  }
  const damaged = () =>
    new BackupError(
      `${archive} has a damaged age armor (the lines between BEGIN and END), or is cut short: copy the whole file again.`,
    )
  return new Transform({
    transform(chunk: Buffer, _, done) {
      try {
        done(null, lines(chunk.toString('latin1')))
      } catch (error) {
        done(error as Error)
      }
    },
    flush(done) {
      try {
        const rest = lines('\n')
        done(state === 'after' ? null : damaged(), rest)
      } catch (error) {
        done(error as Error)
      }
    },
  })
}
