/**
 * Pictures of codes as they are held before a camera, made from a seed: their answers are known, and the same seed makes the same
 * pictures. A photograph has more wrong with it than these have; what cannot be read here cannot be read there.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { prepareZXingModule as prepareReader } from 'zxing-wasm/reader'
import { prepareZXingModule as prepareWriter, writeBarcode } from 'zxing-wasm/writer'
import type { CodeKind } from '../../code-kinds.ts'
import type { Pixels } from './reader.ts'

export const WIDTH = 640
export const HEIGHT = 480

/** A code, one byte a module: 0 is dark. */
export interface Symbol {
  data: ArrayLike<number>
  width: number
  height: number
}

/** From 0 up to 1. */
export type Random = () => number

/** The WebAssembly of this installation, where the package would fetch it from elsewhere. */
export async function prepareCodes(): Promise<void> {
  const binary = (name: string) => {
    const bytes = readFileSync(fileURLToPath(import.meta.resolve(`zxing-wasm/${name}/zxing_${name}.wasm`)))
    return { overrides: { wasmBinary: new Uint8Array(bytes).buffer }, fireImmediately: true } as const
  }
  await Promise.all([prepareReader(binary('reader')), prepareWriter(binary('writer'))])
}

/** Mulberry32: small, and the same everywhere. */
export function seeded(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

const FORMATS = {
  qr: 'QRCode',
  aztec: 'AztecCode',
  code_128: 'Code128',
  data_matrix: 'DataMatrix',
  pdf417: 'PDF417',
} as const

export async function symbolOf(kind: CodeKind | 'qr', text: string): Promise<Symbol> {
  const { symbol, error } = await writeBarcode(text, { format: FORMATS[kind], ...(kind === 'qr' && { ecLevel: 'M' }) })
  if (error) throw new Error(`${kind}: ${error}`)
  return symbol
}

/** The way a code is held, and what happens to its light. */
export interface Held {
  /** Radians. */
  turn: number
  /** Radians away from the camera's plane, about the upright axis. */
  lean: number
  mirrored: boolean
  inverted: boolean
  /** Pixels beside the middle. */
  x: number
  y: number
  /** Pixels across, quiet zone included. */
  across: number
  /** Cracks over the screen. */
  cracks: number
  /** Levels of black and of white, 0 to 255. */
  black: number
  white: number
  /** The spot of a torch: how much brighter its middle is than its edge, as a share of white. */
  torch: number
  /** Standard deviation of the sensor's noise, levels. */
  noise: number
}

export const UPRIGHT: Held = {
  ...{ turn: 0.05, lean: 0, mirrored: false, inverted: false, x: 6, y: -9, across: 380 },
  ...{ cracks: 0, black: 25, white: 225, torch: 0, noise: 3 },
}

/** Every way to hold a code that the crews of a gate see, each a little different every time. */
export const WAYS: Readonly<Record<string, (random: Random) => Partial<Held>>> = {
  upright: () => ({}),
  'upside down': () => ({ turn: Math.PI + 0.04 }),
  turned: (random) => ({ turn: random() * 2 * Math.PI }),
  mirrored: () => ({ mirrored: true }),
  inverted: () => ({ inverted: true }),
  'cracked screen': (random) => ({ cracks: 2 + Math.floor(random() * 3) }),
  'dimmed screen': (random) => ({ black: 30, white: 60 + random() * 30, noise: 2 }),
  'at an angle': (random) => ({ lean: 0.5 + random() * 0.35, turn: random() * 0.3 }),
  'in the dark, with the torch': (random) => ({ black: 4, white: 70 + random() * 40, torch: 0.8, noise: 8 }),
  'far away': (random) => ({ across: 190 + random() * 40 }),
}

/** Draws codes into one frame. */
export function draw(held: readonly { symbol: Symbol; how: Held }[], random: Random): Pixels {
  const light = new Float32Array(WIDTH * HEIGHT).fill(48)
  for (const one of held) drawOne(light, one.symbol, one.how, random)
  const noise = Math.max(0, ...held.map(({ how }) => how.noise))
  return pixelsOf(light, noise, random)
}

/** Modules of white around a code: bars want ten, the others four at most. */
const QUIET = 10
/** Half of a crack's width, modules. */
const CRACK = 0.2

function drawOne(light: Float32Array, symbol: Symbol, how: Held, random: Random): void {
  const [wide, high] = [symbol.width + 2 * QUIET, symbol.height + 2 * QUIET]
  const scale = how.across / Math.max(wide, high)
  const cracks = Array.from({ length: how.cracks }, () => ({
    at: (random() - 0.5) * wide,
    slope: (random() - 0.5) * 2,
  }))
  const [cos, sin] = [Math.cos(how.turn), Math.sin(how.turn)]
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const [dx, dy] = [x - WIDTH / 2 - how.x, y - HEIGHT / 2 - how.y]
      const [across, down] = [dx * cos + dy * sin, dy * cos - dx * sin]
      // A code that leans away is narrower, and smaller on the side that is further off.
      const depth = 1 - (across * Math.sin(how.lean)) / 900
      const u = (how.mirrored ? -1 : 1) * (across / (scale * Math.cos(how.lean) * depth))
      const v = down / (scale * depth)
      if (Math.abs(u) > wide / 2 || Math.abs(v) > high / 2) continue
      const dark = isDark(symbol, Math.floor(u + wide / 2) - QUIET, Math.floor(v + high / 2) - QUIET) !== how.inverted
      const cracked = cracks.some(({ at, slope }) => Math.abs(u - at - slope * v) < CRACK)
      const spot = 1 - how.torch * Math.min(1, Math.hypot(dx, dy) / 330)
      light[y * WIDTH + x] = (cracked || !dark ? how.white : how.black) * (how.torch > 0 ? spot : 1)
    }
  }
}

function isDark({ data, width, height }: Symbol, column: number, row: number): boolean {
  return column >= 0 && row >= 0 && column < width && row < height && (data[row * width + column] ?? 255) < 128
}

/** As a sensor has it: every pixel is the mean of its neighbours, because no lens is sharp, with noise of its own. */
function pixelsOf(light: Float32Array, noise: number, random: Random, width = WIDTH): Pixels {
  const data = new Uint8ClampedArray(light.length * 4)
  for (let at = 0; at < light.length; at++) {
    const middle = light[at] ?? 0
    const beside = (i: number) => light[i] ?? middle
    const seen = middle * 0.6 + (beside(at - 1) + beside(at + 1) + beside(at - width) + beside(at + width)) * 0.1
    const level = seen + noise * (random() + random() + random() + random() - 2) * 1.73
    data.set([level, level, level, 255], at * 4)
  }
  return { data, width, height: light.length / width }
}

/** A frame without a code: noise, bars and blocks of any contrast, as clothes, fences and boards are. A quarter of a camera's size. */
export function noiseFrame(random: Random): Pixels {
  const [width, height] = [WIDTH / 2, HEIGHT / 2]
  const [cell, bars] = [2 + Math.floor(random() * 14), random() < 0.5]
  const cells = Array.from({ length: 997 }, () => (random() < 0.5 ? 20 : 80 + random() * 160))
  const light = Float32Array.from({ length: width * height }, (_, at) => {
    const [column, row] = [Math.floor((at % width) / cell), Math.floor(at / width / cell)]
    return cells[(bars ? column : column * 31 + row * 17) % cells.length] ?? 0
  })
  return pixelsOf(light, random() * 30, random, width)
}
