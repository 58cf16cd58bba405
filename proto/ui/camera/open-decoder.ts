/** The decoder in its worker. */
import type { CodeKind } from '../../code-kinds.ts'
import { createDecoder, type Decoder } from './decoder.ts'

/** @param kinds of codes to read besides QR, asked for at each frame */
export function openDecoder(kinds: () => readonly CodeKind[] = () => []): Decoder {
  return createDecoder(
    () => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'decoder' }),
    kinds,
  )
}
