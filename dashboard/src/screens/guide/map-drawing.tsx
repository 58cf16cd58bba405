/** The drawing of the map: a click, or Enter at the cross that arrow keys move, is a place on it. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import { guideWords } from '../../words/late.ts'
import type { Frame, Place, Shapes } from './map-draft.ts'

const say = guideWords.map
/** Pixels of the drawing that an arrow key moves the cross; with Shift, more. */
const STEP = 8
const LONG_STEP = 40

interface DrawingProps {
  shapes: Shapes
  frame: Frame
  gates: readonly { id: string; name: string }[]
  /** Of the path or border that is being drawn. */
  corners: readonly Place[]
  place: (x: number, y: number) => void
}

export function Drawing({ shapes, frame, gates, corners, place }: DrawingProps): JSX.Element {
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
      <path class="guide-map-corners" d={pathOf(corners, frame)} />
      {corners.map((corner, i) => {
        const [cx, cy] = frame.pixelOf(corner)
        return <circle key={i} class="guide-map-corner" cx={cx} cy={cy} r={5} />
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
