/** The worker that decodes, watched: one that fails or hangs is replaced, and the frame that killed it is lost alone. */
import { type ReadonlySignal, signal } from '@preact/signals'
import type { FoundMessage, FrameMessage } from './messages.ts'

/** What this needs of a `Worker`. */
export interface WorkerLike {
  postMessage(message: FrameMessage, transfer: Transferable[]): void
  addEventListener(type: 'message', listener: (event: { data: FoundMessage }) => void): void
  addEventListener(type: 'error' | 'messageerror', listener: () => void): void
  terminate(): void
}

export interface Decoder {
  /** Null when the frame was lost with its worker. Takes the frame over. */
  decode(frame: FrameMessage['frame']): Promise<FoundMessage | null>
  /** It failed a moment ago, and has read nothing since. */
  failing: ReadonlySignal<boolean>
  close(): void
}

/** The first frame waits for 1 MB of WebAssembly to be fetched and compiled; later ones take milliseconds. */
const FIRST_FRAME_MS = 20_000
const FRAME_MS = 4000
const LONGEST_BACKOFF_MS = 5000

export function createDecoder(spawn: () => WorkerLike, wait = delay): Decoder {
  const failing = signal(false)
  let worker: WorkerLike | undefined
  let warm = false
  let failures = 0
  let frames = 0
  let closed = false
  /** Settles the frame that is being decoded; null ends its worker. */
  let settle: ((answer: FoundMessage | null) => void) | undefined

  const start = () => {
    const mine = spawn()
    mine.addEventListener('message', ({ data }) => {
      if (mine === worker) settle?.(data)
    })
    for (const type of ['error', 'messageerror'] as const) {
      mine.addEventListener(type, () => {
        if (mine === worker) settle?.(null)
      })
    }
    worker = mine
    warm = false
    return mine
  }

  return {
    failing,
    async decode(frame) {
      if (failures > 0) await wait(Math.min(2 ** failures * 100, LONGEST_BACKOFF_MS))
      if (closed) {
        frame.close()
        return null
      }
      const id = ++frames
      const current = worker ?? start()
      const answer = await new Promise<FoundMessage | null>((resolve) => {
        const late = setTimeout(() => resolve(null), warm ? FRAME_MS : FIRST_FRAME_MS)
        settle = (found) => {
          // Of a frame before this one, which had been given up.
          if (found && found.id !== id) return
          clearTimeout(late)
          resolve(found)
        }
        current.postMessage({ id, frame }, [frame])
      })
      settle = undefined
      if (closed) return null
      if (answer) {
        warm = true
        failures = 0
        failing.value = false
        return answer
      }
      current.terminate()
      worker = undefined
      failures++
      failing.value = true
      return null
    },
    close() {
      closed = true
      worker?.terminate()
      settle?.(null)
    },
  }
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
