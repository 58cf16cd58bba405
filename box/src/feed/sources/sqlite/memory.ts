/** What the feed remembers of a database, in a file of its own outside of it: a backup that is put back does not bring it along. */
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Value } from 'typebox/value'
import { readIfThere, replaceDurably } from '../../../durable-file.ts'
import type { SinkLog } from '../../sink.ts'
import { Memory } from './lives.ts'

/** Undefined when there is none that can be used; the log says why. */
export async function recall(path: string, log: SinkLog): Promise<Memory | undefined> {
  try {
    const text = await readIfThere(path)
    if (text === undefined) return undefined
    const memory: unknown = JSON.parse(text)
    if (Value.Check(Memory, memory)) return memory
  } catch {
    // Falls through: what is not ours, or not to be read, says nothing.
  }
  log.warn({ event: 'feed_memory_unreadable', path })
  return undefined
}

/** Never rejects: a full disk must not stop delivery. What is lost is that a backup put back now would go unnoticed. */
export async function remember(path: string, memory: Memory, log: SinkLog): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await replaceDurably(path, `${JSON.stringify(memory)}\n`)
  } catch (error) {
    log.warn({ event: 'feed_memory_not_written', err: error })
  }
}
