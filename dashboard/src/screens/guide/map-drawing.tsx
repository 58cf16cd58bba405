/** The drawing of the map on which gates are put: by a click, or with arrow keys and Enter. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useId, useMemo } from 'preact/hooks'
import { guideWords } from '../../words/late.ts'
import { type Json, listOf, textOf } from './draft.ts'
import { type Frame, frameOf, type Place, type Shapes, shapesOf } from './map-draft.ts'

const say = guideWords.map
const WIDTH = 800
/** Pixels of the drawing that an arrow key moves the cross; with Shift, more. */
const STEP = 8
const LONG_STEP = 40

interface Props {
  collection: Json
  event: Json
  put: (gate: string, at: Place) => void
}

export function GatesOnMap({ collection, event, put }: Props): JSX.Element | null {
  const shapes = useMemo(() => shapesOf(collection), [collection])
  // It stays as it is while gates are put on it: a drawing that moves under the pointer is hit beside.
  const frame = useMemo(
    () => frameOf({ ...shapes, gates: new Map() }, WIDTH) ?? frameOf(shapes, WIDTH),
    [shapes.lines.length],
  )
  const gates = listOf(event, 'gates').map((gate) => ({ id: textOf(gate, 'id'), name: textOf(gate, 'name') }))
  const chosen = useSignal<string | null>(null)
  const said = useSignal('')
  if (!frame) return null
  const gate = gates.find(({ id }) => id === chosen.value) ?? gates.find(({ id }) => !shapes.gates.has(id)) ?? gates[0]
  const place = (x: number, y: number) => {
    if (!gate) return
    put(gate.id, frame.placeAt(x, y))
    said.value = say.placed(gate.name)
    // The next one that is missing: a person clicks one after the other.
    chosen.value = gates.find(({ id }) => id !== gate.id && !shapes.gates.has(id))?.id ?? gate.id
  }
  return (
    <div class="guide-map">
      <fieldset class="part-field">
        <legend>{say.gates}</legend>
        <p class="quiet">{say.gatesHint}</p>
        {gates.map(({ id, name }, i) => (
          <label key={id} class="part-tick">
            <input type="radio" name="gate-on-map" checked={gate?.id === id} onChange={() => (chosen.value = id)} />
            {i + 1}. {name} <span class="quiet">{shapes.gates.has(id) ? '' : say.unplaced}</span>
          </label>
        ))}
      </fieldset>
      <Drawing shapes={shapes} frame={frame} gates={gates} place={place} />
      <p role="status" class="quiet">
        {said.value}
      </p>
    </div>
  )
}

interface DrawingProps {
  shapes: Shapes
  frame: Frame
  gates: readonly { id: string; name: string }[]
  place: (x: number, y: number) => void
}

function Drawing({ shapes, frame, gates, place }: DrawingProps): JSX.Element {
  const { width, height } = frame
  const cross = useSignal<readonly [number, number]>([width / 2, height / 2])
  const hint = useId()
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.shiftKey ? LONG_STEP : STEP
    const [x, y] = cross.value
    const moves: Readonly<Record<string, readonly [number, number]>> = {
      ...{ ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] },
    }
    const move = moves[event.key]
    if (move) {
      cross.value = [Math.min(width, Math.max(0, x + move[0])), Math.min(height, Math.max(0, y + move[1]))]
    } else if (event.key === 'Enter' || event.key === ' ') place(x, y)
    else return
    event.preventDefault()
  }
  const onClick = (event: MouseEvent & { currentTarget: SVGSVGElement }) => {
    const box = event.currentTarget.getBoundingClientRect()
    const at = [
      ((event.clientX - box.left) / box.width) * width,
      ((event.clientY - box.top) / box.height) * height,
    ] as const
    cross.value = at
    place(...at)
  }
  const [x, y] = cross.value
  return (
    <svg
      class="guide-map-drawing"
      viewBox={`0 0 ${width} ${height}`}
      role="application"
      aria-label={say.drawing}
      aria-describedby={hint}
      // In SVG, names of attributes have no capitals.
      tabindex={0}
      onClick={onClick}
      onKeyDown={onKeyDown}
    >
      <desc id={hint}>{say.gatesHint}</desc>
      <path class="guide-map-areas" d={shapes.areas.map((area) => `${pathOf(area, frame)}Z`).join('')} />
      <path class="guide-map-lines" d={shapes.lines.map((line) => pathOf(line, frame)).join('')} />
      {shapes.points.length < 2000 &&
        shapes.points.map((point, i) => {
          const [cx, cy] = frame.pixelOf(point)
          return <circle key={i} class="guide-map-point" cx={cx} cy={cy} r={3} />
        })}
      {gates.map(({ id, name }, i) => {
        const at = shapes.gates.get(id)
        if (!at) return null
        const [cx, cy] = frame.pixelOf(at)
        return (
          <g key={id} class="guide-map-gate" transform={`translate(${tenth(cx)} ${tenth(cy)})`}>
            <title>{name}</title>
            <circle r={12} />
            <text y={5} text-anchor="middle">
              {i + 1}
            </text>
          </g>
        )
      })}
      <path class="guide-map-cross" d={`M${x - 14} ${y}h28M${x} ${y - 14}v28`} />
    </svg>
  )
}

function pathOf(places: readonly Place[], frame: Frame): string {
  return places
    .map((place, i) => {
      const [x, y] = frame.pixelOf(place)
      return `${i === 0 ? 'M' : 'L'}${tenth(x)} ${tenth(y)}`
    })
    .join('')
}

const tenth = (pixels: number) => Math.round(pixels * 10) / 10
