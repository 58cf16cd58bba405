import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { HmacKey } from './hmac.ts'

const bytes = (maxLength: number) => fc.uint8Array({ maxLength })

describe('HMAC-SHA-256', () => {
  it('is that of RFC 4231', () => {
    const digest = (key: Buffer, message: Buffer) => new HmacKey(key).digest(message).toString('hex')
    assert.equal(
      digest(Buffer.alloc(20, 0x0b), Buffer.from('Hi There')),
      'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
    )
    // A key longer than a block.
    assert.equal(
      digest(Buffer.alloc(131, 0xaa), Buffer.from('Test Using Larger Than Block-Size Key - Hash Key First')),
      '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
    )
  })

  it('is that of OpenSSL, for every message in turn and every key', () => {
    const message = fc.oneof(bytes(100), bytes(5000), fc.string({ unit: 'binary', maxLength: 2000 }), fc.constant(''))
    fc.assert(
      fc.property(bytes(150), fc.array(message, { minLength: 1 }), (key, messages) => {
        const ours = new HmacKey(key)
        const theirs = messages.map((each) => createHmac('sha256', key).update(each).digest('hex'))
        assert.deepEqual(
          messages.map((each) => ours.digest(each).toString('hex')),
          theirs,
        )
        // An earlier result is not written over.
        const [first, second] = [ours.digest('first'), ours.digest('second')]
        assert.notDeepEqual(first, second)
        assert.deepEqual(first, ours.digest('first'))
      }),
    )
  })
})
