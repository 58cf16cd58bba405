import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { pngPicture, qrPicture } from './picture.ts'

const MASKS = [0, 1, 2, 3, 4] as const

/** A PNG whose rows are filtered in turn by each of the five ways there are. */
function png(width: number, height: number, channels: 3 | 4, pixels: Uint8Array): Buffer {
  const stride = width * channels
  const raw = Buffer.alloc((stride + 1) * height)
  for (let y = 0; y < height; y++) {
    const filter = MASKS[y % MASKS.length] ?? 0
    raw[y * (stride + 1)] = filter
    for (let x = 0; x < stride; x++) {
      const left = x < channels ? 0 : (pixels[y * stride + x - channels] ?? 0)
      const up = y === 0 ? 0 : (pixels[(y - 1) * stride + x] ?? 0)
      const corner = x < channels || y === 0 ? 0 : (pixels[(y - 1) * stride + x - channels] ?? 0)
      const nearest = [left, up, corner].toSorted(
        (a, b) => Math.abs(left + up - corner - a) - Math.abs(left + up - corner - b),
      )[0]
      const guess = [0, left, up, Math.floor((left + up) / 2), nearest ?? 0][filter] ?? 0
      raw[y * (stride + 1) + 1 + x] = ((pixels[y * stride + x] ?? 0) - guess) & 255
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, channels === 4 ? 6 : 2, 0, 0, 0], 8)
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(raw)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, body: Buffer): Buffer {
  const out = Buffer.alloc(12 + body.length)
  out.writeUInt32BE(body.length, 0)
  out.write(type, 4, 'latin1')
  body.copy(out, 8)
  out.writeUInt32BE(crc32(out.subarray(4, 8 + body.length)), 8 + body.length)
  return out
}

test('a screenshot is read as it was written, whatever its rows are filtered by', () => {
  const sizes = { width: fc.integer({ min: 1, max: 9 }), height: fc.integer({ min: 1, max: 12 }) }
  const image = fc
    .record({ ...sizes, channels: fc.constantFrom(3 as const, 4 as const) })
    .chain(({ width, height, channels }) => {
      const length = width * height * channels
      const pixels = fc.uint8Array({ minLength: length, maxLength: length })
      return fc.record({
        width: fc.constant(width),
        height: fc.constant(height),
        channels: fc.constant(channels),
        pixels,
      })
    })
  fc.assert(
    fc.property(image, ({ width, height, channels, pixels }) => {
      const picture = pngPicture(png(width, height, channels, pixels))
      assert.deepEqual([picture.width, picture.height], [width, height])
      for (const [i, grey] of picture.grey.entries()) {
        const [r = 0, g = 0, b = 0] = pixels.subarray(i * channels)
        assert.ok(Math.abs(grey - (0.299 * r + 0.587 * g + 0.114 * b)) <= 1)
      }
    }),
  )
})

test('what is no screenshot is refused', () => {
  assert.throws(() => pngPicture(Buffer.from('GIF89a, not a PNG')), /not a PNG/)
})

test('a code has its quiet zone', () => {
  const { width, height, grey } = qrPicture('DAY-1')
  assert.equal(width, height)
  assert.ok(grey.subarray(0, width * 4).every((value) => value > 200))
  assert.ok((grey[width * 4 + 4] ?? 255) < 100)
})
