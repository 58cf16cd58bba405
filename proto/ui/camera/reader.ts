/** The decoder in WebAssembly, over the pixels of a frame. The worker has it in browsers, and the tests and benches in Node. */
import { type ReaderOptions, readBarcodes } from 'zxing-wasm/reader'
import type { CodeKind } from '../../code-kinds.ts'
import type { Found } from './codes.ts'

const FORMATS = {
  aztec: 'Aztec',
  code_128: 'Code128',
  data_matrix: 'DataMatrix',
  pdf417: 'PDF417',
} as const satisfies Record<CodeKind, string>

const OPTIONS: ReaderOptions = { tryHarder: true, tryRotate: true, maxNumberOfSymbols: 6, textMode: 'Plain' }

/** Pixels, four bytes each, as a canvas has them. */
export interface Pixels {
  data: Uint8ClampedArray<ArrayBuffer>
  width: number
  height: number
}

/** @param kinds to be read besides QR @param inverted looks for white on black too, which doubles the work */
export async function readPixels(pixels: Pixels, kinds: readonly CodeKind[], inverted: boolean): Promise<Found[]> {
  const formats = ['QRCode' as const, ...kinds.map((kind) => FORMATS[kind])]
  const results = await readBarcodes(pixels as ImageData, { ...OPTIONS, formats, tryInvert: inverted })
  return results
    .filter(({ isValid }) => isValid)
    .map(({ text, position: { topLeft, topRight, bottomRight, bottomLeft } }) => ({
      text,
      corners: [topLeft, topRight, bottomRight, bottomLeft],
    }))
}
