// Draws a compiled plan as SVG text: the same picture on the command line, in the wallet and in the control room. It needs no
// DOM and no style sheet, so that it can be written to a file, or inserted into a page whose policy allows no inline style. No
// meaning depends on colour alone, and every symbol has a title for screen readers.

import { mapWords as english, type MapWords } from './map-words/en.ts'
import { categoryOf, nameIn } from './venue-categories.ts'
import { NIGHT, PAPER } from './venue-colours.ts'
import { Labels } from './venue-labels.ts'
import {
  drawLegend,
  ESCALATOR,
  LIFT,
  type Look,
  liftSign,
  MARGIN,
  notStepFree,
  type Pixel,
  STAIRS,
  symbol,
  tenths,
  unverified,
} from './venue-marks.ts'
import type { MapEdge, Position, VenueMap, VenuePlan } from './wire/venue.ts'
import { escapeXml } from './xml-text.ts'

export interface DrawingOptions {
  /** Pixels; default 960. The height follows from the map. */
  readonly width?: number
  /** For screen readers and the window's tooltip. Default: "Map of" and the event's id. */
  readonly title?: string
  /** By zone id; the others take the next colour of a palette. */
  readonly zoneLooks?: Readonly<Record<string, ZoneLook>>
  /** Edges to highlight, as `nearby` gives them. */
  readonly route?: readonly number[]
  /** A gate or checkpoint to mark as "you are here". */
  readonly here?: string
  /** Marks paths with steps or slopes, and paths that nobody verified. */
  readonly stepFree?: boolean
  /** English when absent. */
  readonly words?: MapWords
  /** For a dark screen. */
  readonly dark?: boolean
}

export interface ZoneLook {
  /** `#rrggbb` */
  readonly colour: string
  /** 0 to 1 */
  readonly opacity: number
  /** With a border that stands out. */
  readonly marked: boolean
}

const PALETTE = ['#2f6f9f', '#8a5a9e', '#5b7f3a', '#b5652b', '#3a7d7c', '#a14a63', '#6a6f2f', '#4a5aa8'] as const
const FONT = `font-family="system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"`

/** The plan of a venue with a map, as SVG text. */
export function drawVenue(plan: VenuePlan & { map: VenueMap }, options: DrawingOptions = {}): string {
  const { map } = plan
  const width = Math.max(240, Math.round(options.width ?? 960))
  const view = viewOf(map, width)
  const look: Look = { words: options.words ?? english, colours: options.dark ? NIGHT : PAPER }
  const { words, colours } = look
  const labels = new Labels(width, view.height, colours)
  const radius = map.amenities.length > 60 ? 6 : map.amenities.length > 30 ? 9 : 11
  const title = escapeXml(options.title ?? look.words.mapOf(plan.event_id))

  const zoneNames = new Map(plan.zones.map(({ id, name }) => [id, name]))
  for (const { at } of map.amenities) labels.block(view.at(at), radius)
  for (const { at } of [...map.checkpoints, ...map.gates]) labels.block(view.at(at), 6)
  for (const edge of liftsOf(map)) labels.block(middle(pointsOf(map, edge).map(view.at)), 7)
  const zones = map.zones.map((zone, i) => {
    const given = options.zoneLooks?.[zone.id]
    const isGiven = given !== undefined && /^#[0-9a-f]{6}$/i.test(given.colour)
    const { colour, opacity, marked } = isGiven
      ? given
      : { colour: PALETTE[i % PALETTE.length] ?? colours.ink, opacity: options.dark ? 0.4 : 0.16, marked: false }
    const d = zone.polygons.flat().map((ring) => `${pathData(ring.map(view.at))}Z`)
    const name = zoneNames.get(zone.id) ?? zone.id
    const dash = zone.level ? ' stroke-dasharray="7 4"' : ''
    return {
      level: zone.level ?? 0,
      shape:
        `<path d="${d.join('')}" fill="${colour}" fill-opacity="${opacity}" fill-rule="evenodd" stroke="${marked ? colours.ink : colour}"` +
        ` stroke-width="${marked ? 6 : 2}"${dash}><title>${escapeXml(name)}</title></path>`,
      name: labels.area(view.at(zone.label), name, isGiven ? colours.ink : (colours.zoneName ?? colour)),
    }
  })
  zones.sort((a, b) => a.level - b.level)
  const paths = drawPaths(map, view, { ...options, look })
  const gates = drawGates(plan, view, { labels, look })
  const names = drawPathNames(map, view, labels)
  const legend = drawLegend(plan, { width, top: view.height, stepFree: options.stepFree ?? false }, look)
  const height = view.height + legend.height

  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`,
    ` role="group" aria-label="${title}" ${FONT}><title>${title}</title>`,
    `<rect width="${width}" height="${height}" fill="${colours.paper}"/>`,
    ...zones.map(({ shape }) => shape),
    paths,
    names,
    ...zones.map(({ name }) => name),
    ...map.amenities.map((amenity) => {
      const zone = amenity.zone === null ? undefined : (zoneNames.get(amenity.zone) ?? amenity.zone)
      const category = categoryOf(amenity.category)
      const texts = [nameIn(words, amenity.name), words.categories[category.key], zone]
      const text = texts.filter((word, i, all) => word && all.indexOf(word) === i).join(', ')
      return symbol(category, view.at(amenity.at), { radius, text, edge: colours.bright })
    }),
    gates,
    drawCheckpoints(plan, view, look),
    options.here === undefined ? '' : drawHere(plan, view, { here: options.here, look }),
    drawScale(view, colours.ink),
    legend.svg,
    '</svg>\n',
  ].join('')
}

/** The projection of a map to its drawing. */
export interface View {
  readonly height: number
  readonly pixelsPerMetre: number
  readonly at: (position: Position) => Pixel
}

/** The same for every drawing of this map at this width, so that other marks can be drawn over it. */
export function viewOf({ bounds: [west, south, east, north] }: VenueMap, width: number): View {
  const squeeze = Math.cos((((south + north) / 2) * Math.PI) / 180)
  const span = { x: Math.max((east - west) * squeeze, 1e-6), y: Math.max(north - south, 1e-6) }
  // A long, narrow venue would fill many screens: the map is at most one and a half times as high as wide.
  const scale = Math.min((width - 2 * MARGIN) / span.x, (1.5 * width) / span.y)
  const left = (width - span.x * scale) / 2
  return {
    height: Math.round(span.y * scale + 2 * MARGIN + 14),
    pixelsPerMetre: scale / 111_195,
    at: ([longitude, latitude]) => [
      tenths(left + (longitude - west) * squeeze * scale),
      tenths(MARGIN + (north - latitude) * scale),
    ],
  }
}

function drawPaths(
  map: VenueMap,
  view: View,
  { route = [], stepFree = false, look: { words, colours } }: DrawingOptions & { look: Look },
): string {
  const lines = map.edges.map((edge) => ({
    edge,
    d: pathData(pointsOf(map, edge).map(view.at)),
    mode: map.paths[edge.path]?.mode ?? 1,
    level: map.paths[edge.path]?.level ?? 0,
  }))
  lines.sort((a, b) => a.level - b.level)
  const wide = Math.min(9, Math.max(2.5, view.pixelsPerMetre * 3.2))
  const stroke = (d: string, colour: string, width: number, more = '') =>
    `<path d="${d}" stroke="${colour}" stroke-width="${tenths(width)}"${more}/>`
  const isFlight = (mode: number) => mode === STAIRS || mode === ESCALATOR
  const floors = [...new Set(lines.map(({ level }) => level))].map((floor) => {
    const here = lines.filter(({ level, mode }) => level === floor && mode !== LIFT)
    const all = here.map(({ d }) => d).join('')
    const flights = here.filter(({ mode }) => isFlight(mode)).map(({ d }) => d)
    return (
      stroke(all, colours.wayEdge, wide + 2.4) +
      stroke(all, colours.way, wide) +
      (flights.length > 0
        ? stroke(flights.join(''), colours.ink, wide, ' stroke-dasharray="1.6 2.2" stroke-linecap="butt"')
        : '')
    )
  })
  const marked = (test: (edge: MapEdge) => boolean) =>
    lines
      .filter(({ edge }) => test(edge))
      .map(({ d }) => d)
      .join('')
  const chosen = new Set(route)
  const onRoute = map.edges.flatMap((edge, i) => (chosen.has(i) ? [pathData(pointsOf(map, edge).map(view.at))] : []))
  return [
    '<g fill="none" stroke-linecap="round" stroke-linejoin="round">',
    ...floors,
    stepFree ? `<path d="${marked((edge) => edge.step_free === 'unverified')}" ${unverified(colours)}/>` : '',
    stepFree ? `<path d="${marked((edge) => edge.step_free === false)}" ${notStepFree(colours)}/>` : '',
    onRoute.length > 0
      ? stroke(onRoute.join(''), colours.bright, wide + 3) +
        stroke(onRoute.join(''), colours.route, wide, ' data-route=""')
      : '',
    '</g>',
    ...liftsOf(map).map((edge) => {
      const [x, y] = middle(pointsOf(map, edge).map(view.at))
      const name = map.paths[edge.path]?.name ?? words.categories.elevator
      return (
        `<g role="img" aria-label="${escapeXml(name)}"><title>${escapeXml(name)}</title>` +
        `${liftSign(x, y, colours)}</g>`
      )
    }),
  ].join('')
}

function liftsOf(map: VenueMap): MapEdge[] {
  return map.edges.filter(({ path }) => map.paths[path]?.mode === LIFT)
}

function drawPathNames(map: VenueMap, view: View, labels: Labels): string {
  const longest = new Map<number, { from: Pixel; to: Pixel; length: number }>()
  for (const edge of map.edges) {
    const points = pointsOf(map, edge).map(view.at)
    for (let i = 1; i < points.length; i++) {
      const [from, to] = [points[i - 1], points[i]]
      if (!from || !to) continue
      const length = Math.sqrt((to[0] - from[0]) ** 2 + (to[1] - from[1]) ** 2)
      if (length > (longest.get(edge.path)?.length ?? 0)) longest.set(edge.path, { from, to, length })
    }
  }
  return [...longest].map(([path, { from, to }]) => labels.along(from, to, map.paths[path]?.name ?? '')).join('')
}

function drawGates(
  { gates, map }: VenuePlan & { map: VenueMap },
  view: View,
  { labels, look: { colours } }: { labels: Labels; look: Look },
): string {
  const names = new Map(gates.map(({ id, name }) => [id, name]))
  const drawn = map.gates.map(({ id, at }) => {
    const [x, y] = view.at(at)
    const name = escapeXml(names.get(id) ?? id)
    return (
      `<g role="img" aria-label="${name}"><title>${name}</title>` +
      `<path d="M${x} ${tenths(y - 7)}l7 7l-7 7l-7 -7z" fill="${colours.ink}" stroke="${colours.bright}" stroke-width="1.5"/>` +
      `${labels.badge([x, y], names.get(id) ?? id)}</g>`
    )
  })
  return drawn.join('')
}

function drawHere(
  { map, gates, checkpoints }: VenuePlan & { map: VenueMap },
  view: View,
  { here, look: { words, colours } }: { here: string; look: Look },
): string {
  const place = [...map.checkpoints, ...map.gates].find(({ id }) => id === here)
  if (!place) return ''
  const [x, y] = view.at(place.at)
  const name = [...checkpoints, ...gates].find(({ id }) => id === here)?.name ?? here
  const text = escapeXml(words.here(name))
  return (
    `<g role="img" aria-label="${text}" data-here=""><title>${text}</title>` +
    `<circle cx="${x}" cy="${y}" r="13" fill="${colours.route}" fill-opacity="0.25"/>` +
    `<circle cx="${x}" cy="${y}" r="6.5" fill="${colours.route}" stroke="${colours.bright}" stroke-width="2.2"/></g>`
  )
}

/** Entrances are filled discs, exits are rings. */
function drawCheckpoints(
  plan: VenuePlan & { map: VenueMap },
  view: View,
  { words, colours: { entrance, bright, ink } }: Look,
): string {
  const known = new Map(plan.checkpoints.map((checkpoint) => [checkpoint.id, checkpoint]))
  return plan.map.checkpoints
    .map(({ id, at }) => {
      const [x, y] = view.at(at)
      const { name = id, direction = 'in' } = known.get(id) ?? {}
      const text = escapeXml(`${name} (${words.directions[direction]})`)
      const fill = direction === 'in' ? entrance : bright
      return (
        `<g role="img" aria-label="${text}"><title>${text}</title>` +
        `<circle cx="${x}" cy="${y}" r="4.6" fill="${fill}" stroke="${direction === 'in' ? bright : ink}" stroke-width="1.6"/></g>`
      )
    })
    .join('')
}

function drawScale({ height, pixelsPerMetre }: View, ink: string): string {
  const metres = [1000, 500, 200, 100, 50, 20, 10, 5].find((length) => length * pixelsPerMetre <= 140) ?? 5
  const y = height - 14
  const end = tenths(MARGIN + metres * pixelsPerMetre)
  return (
    `<g aria-hidden="true"><path d="M${MARGIN} ${y - 5}v5H${end}v-5" fill="none" stroke="${ink}" stroke-width="1.5"/>` +
    `<text x="${end + 6}" y="${y}" font-size="12" fill="${ink}">${metres} m</text>` +
    `<path d="M${end + 62} ${y + 1}v-15m-4 5l4 -5l4 5" fill="none" stroke="${ink}" stroke-width="1.5"/>` +
    `<text x="${end + 71}" y="${y}" font-size="12" fill="${ink}">N</text></g>`
  )
}

function pointsOf({ nodes }: VenueMap, { nodes: [a, b], line = [] }: MapEdge): Position[] {
  const end = (node: number): Position => [nodes[node]?.[0] ?? 0, nodes[node]?.[1] ?? 0]
  return [end(a), ...line, end(b)]
}

function pathData(points: readonly Pixel[]): string {
  return points.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${x} ${y}`).join('')
}

function middle(points: readonly Pixel[]): Pixel {
  const [a, b] = [points[0] ?? [0, 0], points.at(-1) ?? [0, 0]]
  return [tenths((a[0] + b[0]) / 2), tenths((a[1] + b[1]) / 2)]
}
