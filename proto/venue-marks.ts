// Draws the marks on a map, and the legend that explains them.

import type { MapWords } from './map-words/en.ts'
import { type Category, categoryOf } from './venue-categories.ts'
import type { MapColours } from './venue-colours.ts'
import type { VenueMap, VenuePlan } from './wire/venue.ts'
import { escapeXml } from './xml-text.ts'

export type Pixel = readonly [number, number]

/** pathway_mode of GTFS */
export const STAIRS = 2
export const ESCALATOR = 4
export const LIFT = 5
export const MARGIN = 28

/** Words and colours of a map. */
export interface Look {
  readonly words: MapWords
  readonly colours: MapColours
}

export function notStepFree({ notStepFree: colour }: MapColours): string {
  return `stroke="${colour}" stroke-width="2.4" stroke-dasharray="7 4"`
}

export function unverified({ unverified: colour }: MapColours): string {
  return `stroke="${colour}" stroke-width="2" stroke-dasharray="1 5" stroke-linecap="round"`
}

/** A tenth of a pixel is as fine as a screen shows. */
export function tenths(value: number): number {
  return Math.round(value * 10) / 10
}

export function liftSign(x: number, y: number, { ink, bright }: MapColours): string {
  return (
    `<rect x="${tenths(x - 7)}" y="${tenths(y - 7)}" width="14" height="14" rx="2.5" fill="${ink}"/>` +
    `<path d="M${x} ${tenths(y - 4.5)}l3 3.5h-6zM${x} ${tenths(y + 4.5)}l3 -3.5h-6z" fill="${bright}"/>`
  )
}

/** An amenity. @param edge the colour around it */
export function symbol(
  { letter, colour }: Category,
  [x, y]: Pixel,
  { radius, text: words, edge }: { radius: number; text: string; edge: string },
): string {
  const size = tenths(letter.length > 1 ? radius * 0.95 : radius * 1.35)
  return (
    `<g role="img" aria-label="${escapeXml(words)}"><title>${escapeXml(words)}</title>` +
    `<circle cx="${x}" cy="${y}" r="${radius}" fill="${colour}" stroke="${edge}" stroke-width="1.5"/>` +
    `<text x="${x}" y="${tenths(y + size * 0.36)}" font-size="${size}" font-weight="700" fill="#fff" text-anchor="middle"` +
    ` aria-hidden="true">${escapeXml(letter)}</text></g>`
  )
}

/** Explains the marks that are on this map. Hidden from screen readers, which read each mark's own title. */
export function drawLegend(
  { map, checkpoints }: VenuePlan & { map: VenueMap },
  { width, top, stepFree }: { width: number; top: number; stepFree: boolean },
  { words, colours }: Look,
): { svg: string; height: number } {
  const { ink, bright } = colours
  const nameOf = ({ key }: Category) => words.categories[key]
  const used = [
    ...new Map(map.amenities.map(({ category: of }) => [nameOf(categoryOf(of)), categoryOf(of)])).values(),
  ].sort((a, b) => (a.colour + nameOf(a) < b.colour + nameOf(b) ? -1 : 1))
  const modes = new Set(map.paths.map(({ mode }) => mode))
  const flight = (x: number, y: number) =>
    `<path d="M${x - 9} ${y}h18" stroke="${ink}" stroke-width="8" stroke-dasharray="1.6 2.2"/>`
  const dot = (fill: string, edge: string) => (x: number, y: number) =>
    `<circle cx="${x}" cy="${y}" r="4.6" fill="${fill}" stroke="${edge}" stroke-width="1.6"/>`
  const dashes = (style: string) => (x: number, y: number) => `<path d="M${x - 10} ${y}h20" ${style}/>`
  const rows: { name: string; draw: (x: number, y: number) => string }[] = [
    ...used.map((category) => ({
      name: nameOf(category),
      draw: (x: number, y: number) => symbol(category, [x, y], { radius: 9, text: nameOf(category), edge: bright }),
    })),
    ...(modes.has(STAIRS) ? [{ name: words.categories.stairs, draw: flight }] : []),
    ...(modes.has(LIFT)
      ? [{ name: words.categories.elevator, draw: (x: number, y: number) => liftSign(x, y, colours) }]
      : []),
    ...(stepFree ? [{ name: words.notStepFree, draw: dashes(notStepFree(colours)) }] : []),
    ...(stepFree ? [{ name: words.notVerified, draw: dashes(unverified(colours)) }] : []),
    { name: words.entrance, draw: dot(colours.entrance, bright) },
    ...(checkpoints.some(({ direction }) => direction === 'out') ? [{ name: words.exit, draw: dot(bright, ink) }] : []),
  ]
  const column = 178
  const columns = Math.max(1, Math.floor((width - 2 * MARGIN) / column))
  const height = Math.ceil(rows.length / columns) * 26 + 26
  const cells = rows.map(({ name, draw }, i) => {
    const [x, y] = [MARGIN + 10 + (i % columns) * column, top + 20 + Math.floor(i / columns) * 26]
    return `${draw(x, y)}<text x="${x + 17}" y="${y + 4.5}" font-size="13" fill="${ink}">${escapeXml(name)}</text>`
  })
  const rule = `<path d="M${MARGIN} ${top}H${width - MARGIN}" stroke="${colours.rule}"/>`
  return { svg: `<g aria-hidden="true">${rule}${cells.join('')}</g>`, height }
}
