import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { GatehouseError } from '../errors.ts'
import { type ReceiveOptions, receive } from './receive.ts'

describe('a file that comes in', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-receive-'))
  })
  after(() => rmSync(folder, { recursive: true }))
  const options: ReceiveOptions = {
    ...{ length: undefined, most: 20_000_000, reserve: 100, free: async () => 1e9, onProgress: () => {} },
  }
  const path = () => join(folder, 'file')
  const fails = async (from: Readable, more: Partial<ReceiveOptions>, code: string) => {
    await assert.rejects(receive(from, path(), { ...options, ...more }), (error) => {
      assert.ok(error instanceof GatehouseError)
      assert.equal(error.code, code)
      return true
    })
    assert.ok(!existsSync(path()), 'nothing is left')
  }
  const parts = (...sizes: number[]) => Readable.from(sizes.map((size) => Buffer.alloc(size, size)))

  it('is there as it was sent, with its digest', async () => {
    const seen: number[] = []
    const { bytes, sha256 } = await receive(parts(3, 4), path(), {
      ...options,
      length: 7,
      onProgress: (n) => seen.push(n),
    })
    const there = readFileSync(path())
    assert.deepEqual([bytes, there, seen], [7, Buffer.from([3, 3, 3, 4, 4, 4, 4]), [3, 7]])
    assert.equal(sha256, createHash('sha256').update(there).digest('hex'))
    rmSync(path())
  })

  it('is nothing when it is too large, too short, too long, or empty', async () => {
    await fails(parts(1), { length: 20_000_001 }, 'too_large')
    await fails(parts(15_000_000, 15_000_000), {}, 'too_large')
    await fails(parts(3), { length: 4 }, 'bad_request')
    await fails(parts(5), { length: 4 }, 'bad_request')
    await fails(parts(), {}, 'bad_request')
    await fails(
      Readable.from(
        (async function* () {
          yield Buffer.alloc(5)
          throw new Error('aborted')
        })(),
      ),
      {},
      'bad_request',
    )
  })

  it('leaves the disk its reserve, said beforehand or found on the way', async () => {
    await fails(parts(10), { length: 10, free: async () => 109 }, 'ledger_unavailable')
    let free = 1000
    const shrinking = async () => (free -= 500)
    await fails(parts(9_000_000, 9_000_000), { free: shrinking }, 'ledger_unavailable')
  })

  it('is given up when nothing comes any more', async () => {
    await fails(new Readable({ read() {} }), { idleMs: 20 }, 'bad_request')
  })
})
