/** Archives that unpack to more than they may. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { createGzip, gzipSync } from 'node:zlib'
import { packTar, type TarSource } from 'modern-tar/fs'
import { BOUNDS, TooLargeError, UnpackBudget } from './bounds.ts'
import { unpackBackup } from './unpack.ts'

const MB = 1024 * 1024
const SMALL = { ...BOUNDS, total: 4 * MB, file: MB, files: 20, ratioFrom: 2 * MB }

describe('an archive', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-unpack-'))
    mkdirSync(join(folder, 'staging'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const unpack = (from: Readable, bounds = SMALL) => unpackBackup(from, 'a.tar.gz', join(folder, 'staging'), bounds)
  const packed = (sources: TarSource[]) => packTar(sources).compose(createGzip())
  const zeros = (target: string, size: number): TarSource => ({
    ...{ type: 'stream', target, size },
    content: Readable.from(chunksOf(size)),
  })
  const noise = (target: string, size: number): TarSource => ({
    ...{ type: 'content', target },
    content: crypto.getRandomValues(Buffer.alloc(Math.min(size, 65_536))),
  })
  /** The bytes that were written. */
  const written = () =>
    readdirSync(join(folder, 'staging'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
  const isTooMuch = (said: RegExp) => (error: unknown) => error instanceof TooLargeError && said.test(error.message)

  it('is refused by the size that it says, before a byte of it is written', async () => {
    await assert.rejects(unpack(packed([zeros('data/ledger.db', 5 * MB)])), isTooMuch(/unpacks to more than 4 MB/))
    await assert.rejects(
      unpack(packed([zeros('data/big', 2 * MB)])),
      isTooMuch(/^a\.tar\.gz is not a backup of a box: it has a file of more than 1 MB\.$/),
    )
    await assert.rejects(
      unpack(packed([zeros('manifest.json', 6 * MB)]), BOUNDS),
      isTooMuch(/a file of more than 4 MB/),
    )
    assert.equal(written(), 0)
  })

  it('is refused with too many files, and for all of them together', async () => {
    const many = Array.from({ length: 21 }, (_, i) => noise(`data/f${i}`, 10))
    await assert.rejects(unpack(packed(many)), isTooMuch(/more than 20 files/))
    const large = Array.from({ length: 6 }, (_, i) => zeros(`data/g${i}`, 900_000))
    await assert.rejects(unpack(packed(large)), isTooMuch(/unpacks to more than 4 MB|100 times its size/))
    assert.ok(written() <= 5 * MB)
  })

  it('is refused where its disk has no room for it', () => {
    const unpacked = new UnpackBudget('a.tar.gz', { bounds: BOUNDS, room: 100 * MB })
    unpacked.admit('data/ledger.db', 90 * MB)
    assert.throws(() => unpacked.admit('data/more', 20 * MB), isTooMuch(/more than there is room for here: free some/))
  })

  it('that is a bomb is refused early, wherever the bomb is', async () => {
    // As a file of its own size, inside of the bounds of a backup.
    await assert.rejects(unpack(packed([zeros('data/ledger.db', 300 * MB)]), BOUNDS), isTooMuch(/100 times its size/))
    assert.ok(written() < 80 * MB, `${written()} bytes`)
    // As endless blocks behind the last file, which no header counts; and as no archive at all.
    const end = gzipSync(Buffer.concat(await packTar([noise('data/a', 10)]).toArray()))
    const bomb = await Readable.from(chunksOf(300 * MB))
      .compose(createGzip())
      .toArray()
    for (const bytes of [[end, ...bomb], bomb] as Buffer[][]) {
      let read = 0
      const from = Readable.from(bytes).map((chunk: Buffer) => {
        read += chunk.length
        return chunk
      })
      await assert.rejects(unpack(from), (error: Error) => /is not a backup/.test(error.message))
      assert.ok(read < 200_000, `${read} bytes of it were read`)
    }
  })
})

function* chunksOf(size: number): Generator<Buffer> {
  const chunk = Buffer.alloc(65_536)
  for (let left = size; left > 0; left -= chunk.length) yield left >= chunk.length ? chunk : chunk.subarray(0, left)
}
