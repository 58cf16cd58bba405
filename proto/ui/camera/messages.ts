/** The messages between the page and the worker that decodes. */
import type { CodeKind } from '../../code-kinds.ts'
import type { Found } from './codes.ts'

export interface FrameMessage {
  id: number
  /** To be read besides QR. */
  kinds: readonly CodeKind[]
  /** Transferred, not copied; the worker closes it. */
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
  /** The phone's own decoder, or the one in WebAssembly. */
  by: 'native' | 'wasm'
}
