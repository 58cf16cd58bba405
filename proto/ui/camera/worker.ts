/**
 * Decodes frames beside the page: the phone's own decoder where it has one, ZXing in WebAssembly elsewhere. QR codes, and
 * what else the event's tickets have, because every other symbology costs time in each frame.
 */
import { prepareZXingModule } from 'zxing-wasm/reader'
import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url'
import type { CodeKind } from '../../code-kinds.ts'
import type { Found } from './codes.ts'
import type { Answer, FrameMessage } from './messages.ts'
import { type NativeDetectorClass, phoneDecoder } from './phone-decoder.ts'
import { readPixels } from './reader.ts'

/** False where it did not arrive, which the next frame is answered with. The package would fetch it from a CDN, and a gate has none. */
const arrived = prepareZXingModule({
  overrides: { locateFile: () => wasmUrl, printErr: (text: string) => console.warn(text) },
  fireImmediately: true,
}).then(
  () => true,
  () => false,
)

/** White on black, as some wallets draw at night, is looked for in some frames only: it doubles the work. */
const INVERTED_EVERY = 4
/** Phones' own decoders miss codes that are inverted or mirrored: of frames without a code, one in so many is read by ZXing too. */
const SECOND_LOOK_EVERY = 8
/** A picture larger than this is read smaller: a code that is held up fills a good part of it. */
const MOST_PIXELS_ACROSS = 1280

const phone = phoneDecoder((self as { BarcodeDetector?: NativeDetectorClass }).BarcodeDetector)
let frames = 0
/** In which the phone's decoder has found nothing. */
let empty = 0
let canvas: OffscreenCanvas | undefined

self.addEventListener('message', ({ data }: MessageEvent<FrameMessage>) => void answer(data))

async function answer({ id, frame, kinds }: FrameMessage): Promise<void> {
  const startedAt = performance.now()
  const [width, height] = sizeOf(frame)
  try {
    const seen = await phone.read(frame, kinds)
    const isSure = seen && (seen.length > 0 || ++empty % SECOND_LOOK_EVERY !== 0)
    const found = isSure ? seen : await byWasm(frame, width, height, kinds, seen !== undefined).catch(unless(seen))
    send({ id, found, width, height, took: performance.now() - startedAt, by: isSure ? 'native' : 'wasm' })
  } catch {
    // Thrown on, the page would never hear of it: a rejection in a worker is no error of the worker.
    send({ id, failed: (await arrived) ? 'stopped' : 'absent' })
  } finally {
    frame.close()
  }
}

/** Where the phone's decoder works, nothing is missed by the second look that fails. */
function unless(seen: Found[] | undefined): (error: unknown) => Found[] {
  return (error) => {
    if (seen) return seen
    throw error
  }
}

function send(answer: Answer): void {
  self.postMessage(answer)
}

/** @param inverted looks for white on black in this frame, whichever it is */
async function byWasm(
  frame: ImageBitmap | VideoFrame,
  width: number,
  height: number,
  kinds: readonly CodeKind[],
  inverted: boolean,
): Promise<Found[]> {
  const scale = Math.min(1, MOST_PIXELS_ACROSS / Math.max(width, height))
  const [across, down] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))]
  canvas ??= new OffscreenCanvas(across, down)
  if (canvas.width !== across) canvas.width = across
  if (canvas.height !== down) canvas.height = down
  const context = canvas.getContext('2d', { willReadFrequently: true, alpha: false })
  if (!context) throw new Error('no canvas')
  context.drawImage(frame, 0, 0, across, down)
  const found = await readPixels(
    context.getImageData(0, 0, across, down),
    kinds,
    frames++ % INVERTED_EVERY === 0 || inverted,
  )
  return found.map(({ text, corners }) => ({
    text,
    corners: corners.map(({ x, y }) => ({ x: x / scale, y: y / scale })),
  }))
}

function sizeOf(frame: ImageBitmap | VideoFrame): [number, number] {
  return 'displayWidth' in frame ? [frame.displayWidth, frame.displayHeight] : [frame.width, frame.height]
}
