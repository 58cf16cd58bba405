/** The decoder in its worker. */
import { createDecoder, type Decoder } from './decoder.ts'

export function openDecoder(): Decoder {
  return createDecoder(() => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'decoder' }))
}
