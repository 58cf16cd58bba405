/** Reads made pictures, and counts. */
import { CODE_KINDS, type CodeKind } from '../../code-kinds.ts'
import { draw, type Held, noiseFrame, seeded, symbolOf, UPRIGHT, WAYS } from './pictures.testing.ts'
import { readPixels } from './reader.ts'

export const KINDS: readonly (CodeKind | 'qr')[] = ['qr', ...CODE_KINDS]

export interface Rate {
  kind: CodeKind | 'qr'
  way: string
  read: number
  of: number
  /** Texts that were read and do not stand there. */
  wrong: string[]
}

/** @param each pictures of a kind held in one way: six make 300 */
export async function readRates(each: number, seed = 25): Promise<Rate[]> {
  const random = seeded(seed)
  const rates: Rate[] = []
  for (const kind of KINDS) {
    for (const [way, held] of Object.entries(WAYS)) {
      const rate: Rate = { kind, way, read: 0, of: each, wrong: [] }
      for (let n = 0; n < each; n++) {
        const text = `T${Math.floor(random() * 1e12)}`
        const picture = draw([{ symbol: await symbolOf(kind, text), how: heldAs(kind, held(random)) }], random)
        const texts = (await readPixels(picture, CODE_KINDS, true)).map((found) => found.text)
        if (texts.includes(text)) rate.read++
        rate.wrong.push(...texts.filter((other) => other !== text))
      }
      rates.push(rate)
    }
  }
  return rates
}

/** Codes with bars are wide, and people hold them nearer. */
function heldAs(kind: Rate['kind'], way: Partial<Held>): Held {
  const how = { ...UPRIGHT, ...way }
  return kind === 'code_128' || kind === 'pdf417' ? { ...how, across: how.across * 1.6 } : how
}

/** @returns what was read in frames that have no code */
export async function readNoise(frames: number, seed = 26): Promise<string[]> {
  const random = seeded(seed)
  const read: string[] = []
  for (let n = 0; n < frames; n++) {
    for (const { text } of await readPixels(noiseFrame(random), CODE_KINDS, n % 4 === 0)) read.push(text)
  }
  return read
}
