/**
 * A scanner's camera. Chromium plays a YUV4MPEG2 file in its place, and reads each frame from the file when
 * its time has come: written over in place, it shows something else from the next frame on.
 */
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { type Picture, qrPicture } from './picture.ts'

const WIDTH = 640
const HEIGHT = 480
/** The file plays over and over; more frames would only take longer to write. */
const FRAMES = 2
const FRAME_HEADER = Buffer.from('FRAME\n')

export class Camera implements Disposable {
  readonly path: string
  readonly #file: number
  readonly #header: Buffer

  /**
   * @param folder it leaves its file there
   * @param framesPerSecond each costs the processor a picture to decode and to draw
   */
  constructor(folder: string, framesPerSecond: number) {
    this.#header = Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F${framesPerSecond}:1 C420jpeg\n`)
    this.path = join(folder, 'camera.y4m')
    this.#file = openSync(this.path, 'w')
    this.show(null)
  }

  /** Flags for the browser's launch. One browser sees one file. */
  get flags(): string[] {
    const fakes = ['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream']
    return [...fakes, `--use-file-for-fake-video-capture=${this.path}`]
  }

  /** From the next frame on. @param scene a code's text, a picture that is held up, or null for an empty lane */
  show(scene: string | Picture | null): void {
    const frame = frameOf(typeof scene === 'string' ? qrPicture(scene) : scene)
    const bytes = Buffer.concat([this.#header, ...Array.from({ length: FRAMES }, () => frame)])
    writeSync(this.#file, bytes, 0, bytes.length, 0)
  }

  [Symbol.dispose](): void {
    closeSync(this.#file)
  }
}

/** As a hand holds it up: off the middle, tilted by a few degrees, in front of something that is not quite dark. */
const HELD = { x: 335, y: 228, size: 330, tilt: 0.09 }

/** One frame: luma, then chroma without colour. */
function frameOf(picture: Picture | null): Buffer {
  const luma = new Uint8Array(WIDTH * HEIGHT)
  const [cos, sin] = [Math.cos(HELD.tilt), Math.sin(HELD.tilt)]
  const scale = picture ? Math.max(picture.width, picture.height) / HELD.size : 0
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const at = y * WIDTH + x
      luma[at] = background(x, y)
      if (!picture) continue
      const [dx, dy] = [(x - HELD.x) * scale, (y - HELD.y) * scale]
      const grey = sample(picture, dx * cos + dy * sin + picture.width / 2, dy * cos - dx * sin + picture.height / 2)
      if (grey !== undefined) luma[at] = grey
    }
  }
  return Buffer.concat([FRAME_HEADER, luma, Buffer.alloc((WIDTH * HEIGHT) / 2, 128)])
}

function background(x: number, y: number): number {
  const grain = (x * 7919 + y * 104_729 + x * y) % 4
  return 60 + Math.round(30 * Math.sin(x / 90) * Math.cos(y / 70)) + grain
}

/** Between its four neighbours, as a lens draws it. Undefined beside the picture. */
function sample({ width, height, grey }: Picture, u: number, v: number): number | undefined {
  if (u < 0 || v < 0 || u >= width || v >= height) return undefined
  const [x, y] = [u - 0.5, v - 0.5]
  const [left, top] = [Math.floor(x), Math.floor(y)]
  const [fx, fy] = [x - left, y - top]
  const at = (i: number, j: number) =>
    grey[Math.min(height - 1, Math.max(0, j)) * width + Math.min(width - 1, Math.max(0, i))] ?? 0
  const upper = at(left, top) * (1 - fx) + at(left + 1, top) * fx
  const lower = at(left, top + 1) * (1 - fx) + at(left + 1, top + 1) * fx
  return Math.round(upper * (1 - fy) + lower * fy)
}
