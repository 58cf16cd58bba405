/** Supervises the worker that decodes: a worker that fails or hangs is replaced, and only the frame that stopped it is lost. */
import { type ReadonlySignal, signal } from '@preact/signals'
import type { CodeKind } from '../../code-kinds.ts'
import type { Answer, Failure, FoundMessage, FrameMessage } from './messages.ts'

/** The part of a `Worker` that is used here. */
export interface WorkerLike {
  postMessage(message: FrameMessage, transfer: Transferable[]): void
  addEventListener(type: 'message', listener: (event: { data: Answer }) => void): void
  addEventListener(type: 'error' | 'messageerror', listener: () => void): void
  terminate(): void
}

export interface Decoder {
  /** Null when the frame was lost with its worker. Takes the frame over. */
  decode(frame: FrameMessage['frame']): Promise<FoundMessage | null>
  /** The last failure; null again once a frame was read. */
  failure: ReadonlySignal<Failure | null>
  close(): void
}

/** The first frame waits for 1 MB of WebAssembly to be fetched and compiled; later ones take milliseconds. */
const FIRST_FRAME_MS = 20_000
const FRAME_MS = 4000
const LONGEST_BACKOFF_MS = 5000

/** @param kinds of codes to read besides QR */
export function createDecoder(
  spawn: () => WorkerLike,
  kinds: () => readonly CodeKind[] = () => [],
  wait = delay,
): Decoder {
  const failure = signal<Failure | null>(null)
  let worker: WorkerLike | undefined
  let warm = false
  let failures = 0
  let frames = 0
  let closed = false
  /** Settles the frame that is being decoded; a failure ends its worker. */
  let settle: ((answer: FoundMessage | Failure) => void) | undefined

  const start = () => {
    const mine = spawn()
    listen(mine, (answer) => mine === worker && settle?.(answer))
    worker = mine
    warm = false
    return mine
  }
  const answerTo = (current: WorkerLike, frame: FrameMessage['frame']) => {
    const id = ++frames
    return new Promise<FoundMessage | Failure>((resolve) => {
      const late = setTimeout(() => resolve('stopped'), warm ? FRAME_MS : FIRST_FRAME_MS)
      settle = (found) => {
        // Of a frame before this one, which had been given up.
        if (typeof found === 'object' && found.id !== id) return
        clearTimeout(late)
        resolve(found)
      }
      current.postMessage({ id, frame, kinds: kinds() }, [frame])
    })
  }

  return {
    failure,
    async decode(frame) {
      if (failures > 0) await wait(Math.min(2 ** failures * 100, LONGEST_BACKOFF_MS))
      if (closed) {
        frame.close()
        return null
      }
      const current = worker ?? start()
      const answer = await answerTo(current, frame)
      settle = undefined
      if (closed) return null
      if (typeof answer === 'object') {
        warm = true
        failures = 0
        failure.value = null
        return answer
      }
      current.terminate()
      worker = undefined
      failures++
      failure.value = answer
      return null
    },
    close() {
      closed = true
      worker?.terminate()
      settle?.('stopped')
    },
  }
}

function listen(worker: WorkerLike, heard: (answer: FoundMessage | Failure) => void): void {
  worker.addEventListener('message', ({ data }) => heard('failed' in data ? data.failed : data))
  for (const type of ['error', 'messageerror'] as const) worker.addEventListener(type, () => heard('stopped'))
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
