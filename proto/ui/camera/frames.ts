/** Passes frame after frame from a video to a decoder until it is stopped: at the decoder's own pace, never while hidden. */
import { inOrder } from './codes.ts'
import type { Decoder } from './decoder.ts'
import type { FrameMessage } from './messages.ts'
import { pauseAfter } from './throttle.ts'

export interface Sight {
  /** Nearest to the middle first. */
  texts: string[]
  /** The moment at which the camera took the frame, on the clock of `performance.now()`. */
  capturedAt: number
}

/** A camera that gives no frame for this long, ms, while the page is in view, hangs. */
export const FROZEN_AFTER_MS = 6000
/** The same for the first frame after the page was hidden: some phones give none after a call, and somebody stands in the lane. */
export const RETURN_MS = 1000

/**
 * @param sighted called for each frame with a code in it
 * @param options `frozen`: the camera gives no frame any more; `resting`: nothing is to be read for now
 */
export function readFrames(
  video: HTMLVideoElement,
  decoder: Decoder,
  sighted: (sight: Sight) => void,
  { frozen, resting }: { frozen: () => void; resting: () => boolean },
): () => void {
  let stopped = false
  let lastCodeAt = performance.now()
  let watchdog: ReturnType<typeof setTimeout> | undefined
  let waiting = false
  const watch = (ms: number) => {
    clearTimeout(watchdog)
    watchdog = setTimeout(() => document.visibilityState === 'visible' && frozen(), ms)
  }
  // A hidden page is given no frames, and the one that it waits for may never come.
  const seen = () => waiting && document.visibilityState === 'visible' && watch(RETURN_MS)
  document.addEventListener('visibilitychange', seen)

  const run = async () => {
    while (!stopped) {
      waiting = true
      watch(FROZEN_AFTER_MS)
      const capturedAt = await nextFrame(video)
      waiting = false
      clearTimeout(watchdog)
      if (stopped) return
      if (document.visibilityState !== 'visible') {
        await untilVisible()
        continue
      }
      if (resting()) {
        await sleep(100)
        continue
      }
      const frame = await grab(video)
      const answer = frame && (await decoder.decode(frame))
      if (stopped) return
      if (!answer) {
        await sleep(50)
        continue
      }
      const texts = inOrder(answer.found, answer)
      if (texts.length > 0) {
        lastCodeAt = performance.now()
        sighted({ texts, capturedAt })
      }
      const pause = pauseAfter(answer.took, performance.now() - lastCodeAt)
      // A timer is 4 ms at least: for less, the next frame of the camera is pause enough.
      if (pause >= 8) await sleep(pause)
    }
  }
  void run()
  return () => {
    stopped = true
    clearTimeout(watchdog)
    document.removeEventListener('visibilitychange', seen)
  }
}

/** Resolves at the next frame, to the moment at which it was taken. */
function nextFrame(video: HTMLVideoElement): Promise<number> {
  return new Promise((resolve) => {
    if ('requestVideoFrameCallback' in video) {
      video.requestVideoFrameCallback((now, { captureTime }) =>
        resolve(Math.min(captureTime ?? now, performance.now())),
      )
    } else {
      // Firefox before 132. Without a count of frames, each picture of the screen is one.
      const look = () => (ready(video) ? resolve(performance.now()) : requestAnimationFrame(look))
      requestAnimationFrame(look)
    }
  })
}

function ready(video: HTMLVideoElement): boolean {
  return video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA && video.videoWidth > 0
}

/** Undefined for the moment in which a stream ends. */
async function grab(video: HTMLVideoElement): Promise<FrameMessage['frame'] | undefined> {
  try {
    return typeof VideoFrame === 'function' ? new VideoFrame(video) : await createImageBitmap(video)
  } catch {
    return undefined
  }
}

function untilVisible(): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (document.visibilityState !== 'visible') return
      document.removeEventListener('visibilitychange', look)
      resolve()
    }
    document.addEventListener('visibilitychange', look)
    look()
  })
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
