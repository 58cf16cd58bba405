import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { it } from 'node:test'
import { memberHeader, memberOf } from './member-header.ts'

const NOW = 1_800_000_000_000

it('names the member that has signed it for this box a moment ago, and nobody for any other', () => {
  const [north, thief] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')]
  const asking = { event: 'fair', to: 'south', by: 'north', at: NOW }
  const read = { event: 'fair', to: 'south', now: NOW + 60_000 }
  const keyOf = (id: string) => (id === 'north' ? north.publicKey : undefined)
  const header = memberHeader(asking, north.privateKey)
  assert.equal(memberOf(header, { ...read, keyOf }), 'north')
  assert.equal(memberOf(header, { ...read, to: 'east', keyOf }), undefined, 'another box')
  assert.equal(memberOf(header, { ...read, event: 'other', keyOf }), undefined, 'another event')
  assert.equal(memberOf(header, { ...read, now: NOW + 300_001, keyOf }), undefined, 'too old')
  assert.equal(memberOf(header, { ...read, keyOf: () => undefined }), undefined, 'no member')
  assert.equal(memberOf(memberHeader(asking, thief.privateKey), { ...read, keyOf }), undefined, 'another key')
  assert.equal(memberOf(header.replace(/^north/, 'south'), { ...read, keyOf: () => north.publicKey }), undefined)
  for (const text of [undefined, '', 'north', `${header} `, header.replace(/ .* /, ' 1e99 '), [header]]) {
    assert.equal(memberOf(text, { ...read, keyOf }), undefined)
  }
})
