import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { readSlotFile, writeSlotFile } from './slot-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-slot-file-'))
after(() => rmSync(folder, { recursive: true }))
const path = join(folder, 'slot.json')

describe('what is remembered of a slot', () => {
  it('is read back, for the same slot', async () => {
    assert.equal(await readSlotFile(path, 'a'), undefined)
    await writeSlotFile(path, 'a', { acknowledged: 0x1_0000_000fn, publication: '7' })
    assert.deepEqual(await readSlotFile(path, 'a'), { acknowledged: 0x1_0000_000fn, publication: '7' })
    assert.equal(await readSlotFile(path, 'b'), undefined)
    assert.deepEqual(readdirSync(folder), ['slot.json'])
    assert.match(readFileSync(path, 'utf8'), /"1\/F"/)
  })

  it('is nothing when it cannot be read', async () => {
    for (const text of [
      '',
      '{',
      '[]',
      'null',
      '{"identity":"a"}',
      '{"identity":"a","acknowledged":"x","publication":"7"}',
    ]) {
      writeFileSync(path, text)
      assert.equal(await readSlotFile(path, 'a'), undefined, text)
    }
  })

  it('is not an old one when a new one cannot be written', async () => {
    const gone = join(folder, 'gone', 'slot.json')
    await assert.rejects(writeSlotFile(gone, 'a', { acknowledged: 1n, publication: '7' }), { code: 'ENOENT' })
    assert.equal(await readSlotFile(gone, 'a'), undefined)
  })
})
