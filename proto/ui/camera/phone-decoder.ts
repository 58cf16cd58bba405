/**
 * The phone's own decoder (https://wicg.github.io/shape-detection-api/), where the browser has one: faster, and it spares the battery.
 * One that fails, does not answer, or does not read every kind of code is not asked again: the decoder in WebAssembly reads on.
 */
import type { CodeKind } from '../../code-kinds.ts'
import type { Found, Point } from './codes.ts'

/** The DOM's types do not have it. */
export interface NativeDetector {
  detect(image: ImageBitmap | VideoFrame): Promise<{ rawValue: string; cornerPoints: readonly Point[] }[]>
}

export interface NativeDetectorClass {
  new (options: { formats: string[] }): NativeDetector
  getSupportedFormats(): Promise<string[]>
}

export interface PhoneDecoder {
  /** @returns undefined where this phone does not read these kinds, or has failed: the frame is to be read by another decoder */
  read(frame: ImageBitmap | VideoFrame, kinds: readonly CodeKind[]): Promise<Found[] | undefined>
}

/** A frame takes a phone's decoder milliseconds. On phones that fetch it first it may never answer at all. */
const PATIENCE_MS = 1500

export function phoneDecoder(Detector: NativeDetectorClass | undefined, patienceMs = PATIENCE_MS): PhoneDecoder {
  let failed = Detector === undefined
  let opened: Promise<NativeDetector | undefined> | undefined
  let openedFor = ''

  const detectorFor = (kinds: readonly CodeKind[]) => {
    if (!opened || kinds.join() !== openedFor) {
      openedFor = kinds.join()
      opened = open(Detector, ['qr_code', ...kinds])
    }
    return opened
  }
  return {
    async read(frame, kinds) {
      if (failed) return undefined
      try {
        const codes = await within(
          patienceMs,
          detectorFor(kinds).then((detector) => detector?.detect(frame)),
        )
        return codes?.map(({ rawValue, cornerPoints }) => ({ text: rawValue, corners: cornerPoints }))
      } catch {
        failed = true
        return undefined
      }
    },
  }
}

async function open(Detector: NativeDetectorClass | undefined, formats: string[]): Promise<NativeDetector | undefined> {
  const supported = (await Detector?.getSupportedFormats()) ?? []
  return Detector && formats.every((format) => supported.includes(format)) ? new Detector({ formats }) : undefined
}

/** @throws when it takes longer */
async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer')), ms)
  })
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}
