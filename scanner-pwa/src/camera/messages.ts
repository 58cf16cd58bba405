/** Between the page and the worker that decodes. */
import type { Found } from './codes.ts'

export interface FrameMessage {
  id: number
  /** Handed over, not copied; whoever has it closes it. */
  frame: ImageBitmap | VideoFrame
}

export type Answer = FoundMessage | FailedMessage

/** `absent`: its WebAssembly did not arrive. `stopped`: it broke, on this frame or another. */
export type Failure = 'absent' | 'stopped'

export interface FailedMessage {
  id: number
  failed: Failure
}

export interface FoundMessage {
  id: number
  found: Found[]
  width: number
  height: number
  /** Ms that the decoder worked. */
  took: number
  /** Which decoder it was. */
  by: 'native' | 'wasm'
}
