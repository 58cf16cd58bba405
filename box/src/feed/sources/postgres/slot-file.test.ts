import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { readSlotFile, writeSlotFile } from './slot-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-slot-file-'))
after(() => rmSync(folder, { recursive: true }))
const path = join(folder, 'slot.json')

const place = { system: '7412345678901234567', timeline: '2', database: '5', slot: 'changefeed' }
const known = { identity: 'a', place, acknowledged: 0x1_0000_000fn, publication: '7' }

describe('what is remembered of a slot', () => {
  it('is read back, with the place where the slot was', async () => {
    assert.equal(await readSlotFile(path), undefined)
    await writeSlotFile(path, known)
    assert.deepEqual(await readSlotFile(path), known)
    assert.deepEqual(readdirSync(folder), ['slot.json'])
    assert.match(readFileSync(path, 'utf8'), /"1\/F"/)
  })

  it('of the first version had its place in the identity', async () => {
    const identity = '7412345678901234567/2/5/changefeed'
    writeFileSync(path, JSON.stringify({ identity, acknowledged: '1/F', publication: '7' }))
    assert.deepEqual(await readSlotFile(path), { ...known, identity })
  })

  it('stops the feed when it cannot be read: what was delivered is not known', async () => {
    const broken = ['', '{', '[]', 'null', '{"identity":"a"}', '{"identity":"a","acknowledged":"x","publication":"7"}']
    const newer = '{"version":3,"identity":"a","acknowledged":"1/F","publication":"7"}'
    for (const text of [...broken, newer]) {
      writeFileSync(path, text)
      await assert.rejects(readSlotFile(path), /slot\.json cannot be read.*Remove the file to go on/)
    }
  })

  it('is not an old one when a new one cannot be written', async () => {
    const gone = join(folder, 'gone', 'slot.json')
    await assert.rejects(writeSlotFile(gone, known), { code: 'ENOENT' })
    assert.equal(await readSlotFile(gone), undefined)
  })
})
