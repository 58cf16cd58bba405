/** Pictures in grey, as a camera sees them: QR codes drawn from text, and screenshots read from PNG. */
import { inflateSync } from 'node:zlib'
import { encode } from 'uqr'

/** One byte a pixel, row by row: 0 is black. */
export interface Picture {
  readonly width: number
  readonly height: number
  readonly grey: Uint8Array
}

/** A code as it is printed: dark on white, with its quiet zone. @throws when `text` is too long for a QR code */
export function qrPicture(text: string): Picture {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const grey = Uint8Array.from(data.flatMap((row) => row.map((dark) => (dark ? 25 : 235))))
  return { width: size, height: size, grey }
}

const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])

/** Reads a screenshot: 8 bits a channel, RGB or RGBA, not interlaced (PNG, third edition). @throws for any other file */
export function pngPicture(png: Buffer): Picture {
  if (!png.subarray(0, 8).equals(SIGNATURE)) throw new Error('not a PNG')
  const data: Buffer[] = []
  let [width, height, channels] = [0, 0, 0]
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at)
    const type = png.toString('latin1', at + 4, at + 8)
    const body = png.subarray(at + 8, at + 8 + length)
    if (type === 'IHDR') {
      ;[width, height] = [body.readUInt32BE(0), body.readUInt32BE(4)]
      const [depth, colour, , , interlace] = body.subarray(8)
      if (depth !== 8 || (colour !== 2 && colour !== 6) || interlace !== 0)
        throw new Error('no screenshot writes such a PNG')
      channels = colour === 6 ? 4 : 3
    }
    if (type === 'IDAT') data.push(body)
    at += length + 12
  }
  const bytes = unfilter(inflateSync(Buffer.concat(data)), width * channels, height, channels)
  const grey = new Uint8Array(width * height)
  for (let i = 0; i < grey.length; i++) {
    const [r = 0, g = 0, b = 0] = bytes.subarray(i * channels, i * channels + 3)
    grey[i] = 0.299 * r + 0.587 * g + 0.114 * b
  }
  return { width, height, grey }
}

/** Section 9: each row was written as what it differs by from its left, its upper, or both neighbours. */
function unfilter(raw: Buffer, stride: number, height: number, step: number): Uint8Array {
  const out = new Uint8Array(stride * height)
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)]
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x
      const left = x >= step ? (out[at - step] ?? 0) : 0
      const up = y > 0 ? (out[at - stride] ?? 0) : 0
      const corner = x >= step && y > 0 ? (out[at - stride - step] ?? 0) : 0
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter ?? 0] ?? 0
      out[at] = (raw[y * (stride + 1) + 1 + x] ?? 0) + guess
    }
  }
  return out
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)]
  if (a <= b && a <= c) return left
  return b <= c ? up : corner
}
