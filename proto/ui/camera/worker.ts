/**
 * Decodes frames beside the page: the phone's own decoder where it has one, ZXing in WebAssembly elsewhere. QR codes, and
 * what else the event's tickets have, because every other symbology costs time in each frame.
 */
import { prepareZXingModule } from 'zxing-wasm/reader'
import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url'
import type { CodeKind } from '../../code-kinds.ts'
import type { Found, Point } from './codes.ts'
import type { Answer, FrameMessage } from './messages.ts'
import { readPixels } from './reader.ts'

/** False where it did not arrive, which the next frame is answered with. The package would fetch it from a CDN, and a gate has none. */
const arrived = prepareZXingModule({
  overrides: { locateFile: () => wasmUrl, printErr: (text: string) => console.warn(text) },
  fireImmediately: true,
}).then(
  () => true,
  () => false,
)

/** https://wicg.github.io/shape-detection-api/, which the DOM's types do not have. */
interface NativeDetector {
  detect(image: ImageBitmapSource): Promise<{ rawValue: string; cornerPoints: readonly Point[] }[]>
}
interface NativeDetectorClass {
  new (options: { formats: string[] }): NativeDetector
  getSupportedFormats(): Promise<string[]>
}

/** White on black, as some wallets draw at night, is looked for in some frames only: it doubles the work. */
const INVERTED_EVERY = 4
/** A picture larger than this is read smaller: a code that is held up fills a good part of it. */
const MOST_PIXELS_ACROSS = 1280

/** The phone's own decoder for these kinds. Undefined where it has none, or does not read all of them. */
let native: Promise<NativeDetector | undefined> | undefined
let nativeKinds = ''
let frames = 0
let canvas: OffscreenCanvas | undefined

self.addEventListener('message', ({ data }: MessageEvent<FrameMessage>) => void answer(data))

async function answer({ id, frame, kinds }: FrameMessage): Promise<void> {
  const startedAt = performance.now()
  const [width, height] = sizeOf(frame)
  try {
    const detector = await nativeFor(kinds)
    const found = detector ? await byPhone(detector, frame) : undefined
    send({
      id,
      found: found ?? (await byWasm(frame, width, height, kinds)),
      width,
      height,
      took: performance.now() - startedAt,
      by: found ? 'native' : 'wasm',
    })
  } catch {
    // Thrown on, the page would never hear of it: a rejection in a worker is no error of the worker.
    send({ id, failed: (await arrived) ? 'stopped' : 'absent' })
  } finally {
    frame.close()
  }
}

function send(answer: Answer): void {
  self.postMessage(answer)
}

function nativeFor(kinds: readonly CodeKind[]): Promise<NativeDetector | undefined> {
  if (!native || kinds.join() !== nativeKinds) {
    nativeKinds = kinds.join()
    native = nativeDetector(['qr_code', ...kinds])
  }
  return native
}

async function nativeDetector(wanted: string[]): Promise<NativeDetector | undefined> {
  const { BarcodeDetector } = self as { BarcodeDetector?: NativeDetectorClass }
  try {
    const formats = (await BarcodeDetector?.getSupportedFormats()) ?? []
    return BarcodeDetector && wanted.every((format) => formats.includes(format))
      ? new BarcodeDetector({ formats: wanted })
      : undefined
  } catch {
    return undefined
  }
}

/** Undefined: it failed, as it does on phones whose decoder is not installed yet; it is not asked again. */
async function byPhone(detector: NativeDetector, frame: ImageBitmap | VideoFrame): Promise<Found[] | undefined> {
  try {
    const codes = await detector.detect(frame)
    return codes.map(({ rawValue, cornerPoints }) => ({ text: rawValue, corners: cornerPoints }))
  } catch {
    native = Promise.resolve(undefined)
    return undefined
  }
}

async function byWasm(
  frame: ImageBitmap | VideoFrame,
  width: number,
  height: number,
  kinds: readonly CodeKind[],
): Promise<Found[]> {
  const scale = Math.min(1, MOST_PIXELS_ACROSS / Math.max(width, height))
  const [across, down] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))]
  canvas ??= new OffscreenCanvas(across, down)
  if (canvas.width !== across) canvas.width = across
  if (canvas.height !== down) canvas.height = down
  const context = canvas.getContext('2d', { willReadFrequently: true, alpha: false })
  if (!context) throw new Error('no canvas')
  context.drawImage(frame, 0, 0, across, down)
  const found = await readPixels(context.getImageData(0, 0, across, down), kinds, frames++ % INVERTED_EVERY === 0)
  return found.map(({ text, corners }) => ({
    text,
    corners: corners.map(({ x, y }) => ({ x: x / scale, y: y / scale })),
  }))
}

function sizeOf(frame: ImageBitmap | VideoFrame): [number, number] {
  return 'displayWidth' in frame ? [frame.displayWidth, frame.displayHeight] : [frame.width, frame.height]
}
