/** Receives a large file over the network, onto the disk that also has the ledger. */
import { createHash } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { GatehouseError } from '../errors.ts'

export interface ReceiveOptions {
  /** Size in bytes according to the sender; undefined if unknown. */
  length: number | undefined
  /** Largest accepted size in bytes. */
  most: number
  /** Bytes of the disk that have to stay free for the ledger. */
  reserve: number
  /** Free bytes of the disk. */
  free: () => Promise<number>
  onProgress: (bytes: number) => void
  /** After this time without data the sender is regarded as gone, in milliseconds. */
  idleMs?: number
}

/** After each of these portions free space is checked and the file is synced, so that a scan's fsync does not wait for a whole bundle. */
const LOOK_BYTES = 8 * 1024 * 1024

/**
 * Writes the data durably to `path`; if it is not complete, nothing is left there.
 * @throws GatehouseError `too_large`, `ledger_unavailable` without enough space, `bad_request` if the data ended early
 */
export async function receive(
  from: Readable,
  path: string,
  { length, most, reserve, free, onProgress, idleMs = 30_000 }: ReceiveOptions,
): Promise<{ bytes: number; sha256: string }> {
  if ((length ?? 0) > most) throw tooLarge(most)
  if ((await free()) - (length ?? 0) < reserve) throw noRoom()
  const hash = createHash('sha256')
  const idle = setTimeout(() => from.destroy(new Error('idle')), idleMs)
  let bytes = 0
  let whole = false
  const file = await open(path, 'wx', 0o600)
  try {
    let looked = 0
    for await (const chunk of from as AsyncIterable<Buffer>) {
      idle.refresh()
      bytes += chunk.length
      if (bytes > most) throw tooLarge(most)
      hash.update(chunk)
      await file.writeFile(chunk)
      onProgress(bytes)
      if (bytes - looked < LOOK_BYTES) continue
      looked = bytes
      await file.datasync()
      if ((await free()) < reserve) throw noRoom()
    }
    if (bytes === 0)
      throw new GatehouseError('bad_request', 'The file is empty: choose it again.', { reason: 'file_empty' })
    if (length !== undefined && bytes !== length) throw cutShort()
    await file.sync()
    whole = true
    return { bytes, sha256: hash.digest('hex') }
  } catch (error) {
    if (error instanceof GatehouseError) throw error
    throw (error as NodeJS.ErrnoException).code === 'ENOSPC' ? noRoom(error) : cutShort(error)
  } finally {
    clearTimeout(idle)
    await file.close()
    if (!whole) await rm(path, { force: true })
  }
}

function tooLarge(most: number): GatehouseError {
  const message = `The file is larger than ${Math.floor(most / 1e6)} MB: this is not an update.`
  return new GatehouseError('too_large', message, { reason: 'update_too_large' })
}

function noRoom(cause?: unknown): GatehouseError {
  const message = 'There is not enough free room in the box for this file: take a larger card.'
  return new GatehouseError('ledger_unavailable', message, { reason: 'no_room', cause })
}

function cutShort(cause?: unknown): GatehouseError {
  return new GatehouseError('bad_request', 'The file did not arrive whole: send it again.', {
    reason: 'file_cut_off',
    cause,
  })
}
