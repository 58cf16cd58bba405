import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodePage } from '../src/mesh/replication/envelope.ts'
import { forgedPage, LIES, spellingsOf } from './attacks.ts'

test('every lie is a page that a box would take if its owner had signed it', () => {
  const about = {
    box: 'box-0',
    index: 7,
    at: Date.parse('2026-07-04T12:00:00Z'),
    device: 'dev-1',
    ticket: '0'.repeat(32),
  }
  for (const lie of LIES) {
    const [entry] = decodePage(forgedPage(lie, about), 'box-0').entries
    assert.deepEqual([entry?.kind, entry?.index], [lie, 7])
  }
})

test('a name is found in whatever surrounds it, also in base64', () => {
  const found = (bytes: Buffer) => spellingsOf('Quillfeather').some((spelling) => bytes.includes(spelling))
  for (let before = 0; before < 6; before++) {
    const text = `${'-'.repeat(before)}Quillfeather, Ada`
    assert.ok(found(Buffer.from(text)))
    assert.ok(found(Buffer.from(JSON.stringify({ row: Buffer.from(text).toString('base64') }))), `${before}`)
  }
  assert.ok(!found(Buffer.from('Quill, Feather')))
})
