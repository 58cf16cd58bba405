// Places labels on a map so that they cover neither each other nor symbols.

import type { MapColours } from './venue-colours.ts'
import { type Pixel, tenths } from './venue-marks.ts'
import { escapeXml } from './xml-text.ts'

interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** The areas that are taken so far. Each method draws a label and takes the area where it drew it. */
export class Labels {
  readonly #width: number
  readonly #height: number
  readonly #colours: MapColours
  readonly #halo: string
  readonly #taken: Box[] = []

  constructor(width: number, height: number, colours: MapColours) {
    this.#width = width
    this.#height = height
    this.#colours = colours
    this.#halo = `paint-order="stroke" stroke="${colours.halo}" stroke-width="3" stroke-linejoin="round"`
  }

  /** Keeps labels off a symbol. */
  block([x, y]: Pixel, radius: number): void {
    this.#taken.push({ left: x - radius, top: y - radius, right: x + radius, bottom: y + radius })
  }

  /** The name of an area, near its middle. */
  area([x, y]: Pixel, name: string, colour: string): string {
    const half = widthOf(name, 15) / 2 + name.length * 0.75
    const offsets = [0, -22, 22, -44, 44, -66, 66]
    const spot = this.#freest(offsets.map((dy) => around(x, y + dy, half, 10)))
    return (
      `<text x="${mid(spot)}" y="${tenths((spot.top + spot.bottom) / 2 + 5)}" font-size="15" font-weight="700"` +
      ` letter-spacing="1.5" text-anchor="middle" fill="${colour}" ${this.#halo} aria-hidden="true">${escapeXml(name)}</text>`
    )
  }

  /** A dark sign beside a point. */
  badge([x, y]: Pixel, name: string): string {
    const half = widthOf(name, 13) / 2 + 8
    const near = [
      [0, -24],
      [0, 24],
      [half + 14, 0],
      [-half - 14, 0],
      [half + 8, -20],
      [-half - 8, -20],
      [half + 8, 20],
      [-half - 8, 20],
      [half, -42],
      [-half, -42],
      [half, 42],
      [-half, 42],
    ] as const
    const spot = this.#freest(near.map(([dx, dy]) => around(x + dx, y + dy, half, 10.5)))
    return (
      `<rect x="${tenths(spot.left)}" y="${tenths(spot.top)}" width="${tenths(spot.right - spot.left)}" height="21" rx="5"` +
      ` fill="${this.#colours.ink}" stroke="${this.#colours.bright}" stroke-width="1.2"/><text x="${mid(spot)}" y="${tenths(spot.top + 15)}" font-size="13"` +
      ` font-weight="600" fill="${this.#colours.bright}" text-anchor="middle" aria-hidden="true">${escapeXml(name)}</text>`
    )
  }

  /** The name of a path along its longest stretch; nothing where it is too short or would cover another label. */
  along(from: Pixel, to: Pixel, name: string): string {
    const [dx, dy] = [to[0] - from[0], to[1] - from[1]]
    const length = Math.sqrt(dx * dx + dy * dy)
    const half = widthOf(name, 10) / 2
    if (name === '' || length < 2 * half + 8) return ''
    const turn = dx < 0 || (dx === 0 && dy > 0) ? -1 : 1
    for (const share of [0.5, 0.35, 0.65]) {
      if (Math.min(share, 1 - share) * length < half + 4) continue
      const [x, y] = [from[0] + share * dx, from[1] + share * dy]
      const boxes = [-0.8, -0.4, 0, 0.4, 0.8].map((step) =>
        around(x + (step * half * dx) / length, y + (step * half * dy) / length, Math.max(6, half * 0.2), 6),
      )
      if (boxes.some((box) => this.#overlaps(box) > 0)) continue
      this.#taken.push(...boxes)
      const angle = tenths((Math.atan2(dy * turn, dx * turn) * 180) / Math.PI)
      return (
        `<text transform="translate(${tenths(x)} ${tenths(y)}) rotate(${angle})" y="3.4" font-size="10" fill="${this.#colours.wayName}"` +
        ` text-anchor="middle" ${this.#halo} aria-hidden="true">${escapeXml(name)}</text>`
      )
    }
    return ''
  }

  /** The first of the boxes that cover least. */
  #freest(boxes: readonly Box[]): Box {
    const [first, ...rest] = boxes.map((box) => ({ box, cost: this.#overlaps(box) }))
    const best = rest.reduce((least, next) => (next.cost < (least?.cost ?? 0) ? next : least), first)
    const box = best?.box ?? around(0, 0, 0, 0)
    this.#taken.push(box)
    return box
  }

  #overlaps({ left, top, right, bottom }: Box): number {
    const outside = left < 4 || top < 4 || right > this.#width - 4 || bottom > this.#height - 4
    const covered = this.#taken.filter(
      (box) => left < box.right && right > box.left && top < box.bottom && bottom > box.top,
    )
    return covered.length + (outside ? 100 : 0)
  }
}

function around(x: number, y: number, half: number, halfHeight: number): Box {
  return { left: x - half, top: y - halfHeight, right: x + half, bottom: y + halfHeight }
}

/** An estimate on the wide side: there is no DOM here to measure text with. */
function widthOf(text: string, size: number): number {
  return text.length * size * 0.6
}

function mid({ left, right }: Box): number {
  return tenths((left + right) / 2)
}
