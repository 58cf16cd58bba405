import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { refusalOf } from './update-file.ts'

describe('an update file', () => {
  it('is one by its name and size', () => {
    assert.equal(refusalOf({ name: 'gatehouse-0.2.0-arm64.update', size: 4e8 }), undefined)
    assert.equal(refusalOf({ name: 'A.UPDATE', size: 1024 ** 3 }), undefined)
    assert.equal(refusalOf({ name: 'a.update', size: 1024 ** 3 + 1 }), 'tooLarge')
    for (const name of ['gatehouse.img.zst', 'a.update.txt', 'update', ''])
      assert.equal(refusalOf({ name, size: 5 }), 'notUpdate', name)
    assert.equal(refusalOf({ name: 'a.update', size: 0 }), 'notUpdate')
  })
})
