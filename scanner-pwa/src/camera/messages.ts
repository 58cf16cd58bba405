/** Between the page and the worker that decodes. */
import type { Found } from './codes.ts'

export interface FrameMessage {
  id: number
  /** Handed over, not copied; whoever has it closes it. */
  frame: ImageBitmap | VideoFrame
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
