/** The tools with which a map is drawn: gates, paths, places and borders of zones, by a click or with arrow keys and Enter. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { guideWords } from '../../words/late.ts'
import { Select } from '../parts/parts.tsx'
import { type Json, listOf, textOf } from './draft.ts'
import { Text } from './fields.tsx'
import { type Frame, frameOf, type Place, shapesOf } from './map-draft.ts'
import { Drawing } from './map-drawing.tsx'
import { frameAround, larger, metresOf, snapped, withoutNearest, withPath, withPlace, withZone } from './map-edit.ts'
import type { Mapping } from './map-state.ts'

const say = guideWords.map
const WIDTH = 800
const TOOLS = ['gate', 'path', 'place', 'zone', 'remove'] as const
type Tool = (typeof TOOLS)[number]
const CATEGORIES = Object.keys(say.draw.categories) as (keyof typeof say.draw.categories)[]
/** Doublings of the frame: 64 times as wide is a town. */
const MOST_LARGER = 6

interface Props {
  state: Mapping
  event: Json
  collection: Json
}

export function MapTools({ state, event, collection }: Props): JSX.Element | null {
  const shapes = useMemo(() => shapesOf(collection), [collection])
  // It stays as it is while somebody draws: a drawing that moves under the pointer is hit beside.
  const begun = useMemo(() => {
    const { around } = state
    if (around.value) return frameAround(around.value.middle, around.value.metres, WIDTH)
    return frameOf({ ...shapes, gates: new Map() }, WIDTH) ?? frameOf(shapes, WIDTH)
  }, [state.loads.value])
  const doublings = useSignal(0)
  const frame = useMemo(() => begun && grown(begun, doublings.value), [begun, doublings.value])
  const gates = named(event, 'gates')
  const zones = named(event, 'zones')
  const [tool, corners, said] = [useSignal<Tool>('gate'), useSignal<readonly Place[]>([]), useSignal('')]
  const chosen = useSignal<string | null>(null)
  const zone = useSignal('')
  const [category, name] = [useSignal(CATEGORIES[0] ?? 'restroom'), useSignal('')]
  if (!frame) return null
  const gate = gates.find(({ id }) => id === chosen.value) ?? gates.find(({ id }) => !shapes.gates.has(id)) ?? gates[0]
  const zoneId = zones.some(({ id }) => id === zone.value) ? zone.value : (zones[0]?.id ?? '')

  const clicks: Readonly<Record<Tool, (x: number, y: number) => void>> = {
    gate: (x, y) => {
      if (!gate) return
      state.put(gate.id, frame.placeAt(x, y))
      said.value = say.placed(gate.name)
      // The next one that is missing: a person clicks one after the other.
      chosen.value = gates.find(({ id }) => id !== gate.id && !shapes.gates.has(id))?.id ?? gate.id
    },
    path: (x, y) => {
      corners.value = [...corners.value, snapped(shapes, frame, x, y)]
    },
    place: (x, y) => {
      state.change(withPlace(collection, category.value, name.value, frame.placeAt(x, y)))
      said.value = say.draw.done.place
      name.value = ''
    },
    zone: (x, y) => {
      corners.value = [...corners.value, frame.placeAt(x, y)]
    },
    remove: (x, y) => {
      const rest = withoutNearest(collection, frame, x, y)
      said.value = rest === collection ? say.draw.done.nothing : say.draw.done.remove
      if (rest !== collection) state.change(rest)
    },
  }
  const finish = () => {
    const isPath = tool.value === 'path'
    state.change(isPath ? withPath(collection, corners.value) : withZone(collection, zoneId, corners.value))
    said.value = isPath ? say.draw.done.path : say.draw.done.zone
    corners.value = []
  }
  const isLine = tool.value === 'path' || tool.value === 'zone'
  return (
    <div class="guide-map">
      <fieldset class="part-field">
        <legend>{say.draw.tool}</legend>
        <div class="part-row">
          {TOOLS.map((one) => (
            <label key={one} class="part-tick">
              <input
                type="radio"
                name="map-tool"
                checked={tool.value === one}
                onChange={() => {
                  tool.value = one
                  corners.value = []
                }}
              />
              {say.draw.tools[one]}
            </label>
          ))}
        </div>
        <p class="quiet">{tool.value === 'gate' ? say.gatesHint : say.draw.hints[tool.value]}</p>
      </fieldset>
      {tool.value === 'gate' && (
        <fieldset class="part-field">
          <legend>{say.gates}</legend>
          {gates.map(({ id, name: label }, i) => (
            <label key={id} class="part-tick">
              <input type="radio" name="gate-on-map" checked={gate?.id === id} onChange={() => (chosen.value = id)} />
              {i + 1}. {label} <span class="quiet">{shapes.gates.has(id) ? '' : say.unplaced}</span>
            </label>
          ))}
        </fieldset>
      )}
      {tool.value === 'place' && (
        <div class="guide-row">
          <Select
            label={say.draw.category}
            value={category.value}
            set={(one) => (category.value = one)}
            options={CATEGORIES.map((value) => ({ value, label: say.draw.categories[value] }))}
          />
          <Text label={say.draw.placeName} value={name.value} set={(text) => (name.value = text)} />
        </div>
      )}
      {tool.value === 'zone' && (
        <Select
          label={guideWords.zones.one}
          value={zoneId}
          set={(id) => (zone.value = id)}
          options={zones.map(({ id, name: label }) => ({ value: id, label }))}
        />
      )}
      <Drawing shapes={shapes} frame={frame} gates={gates} corners={corners.value} place={clicks[tool.value]} />
      <div class="part-row">
        {isLine && (
          <>
            <button type="button" disabled={corners.value.length < (tool.value === 'path' ? 2 : 3)} onClick={finish}>
              {say.draw.finish}
            </button>
            <button
              type="button"
              disabled={corners.value.length === 0}
              onClick={() => (corners.value = corners.value.slice(0, -1))}
            >
              {say.draw.back}
            </button>
          </>
        )}
        <button type="button" disabled={doublings.value >= MOST_LARGER} onClick={() => doublings.value++}>
          {say.draw.larger}
        </button>
        {doublings.value > 0 && (
          <button type="button" onClick={() => doublings.value--}>
            {say.draw.smaller}
          </button>
        )}
        <span class="quiet">{say.draw.wide(metresOf(frame))}</span>
      </div>
      <p role="status" class="quiet">
        {said.value}
      </p>
    </div>
  )
}

function grown(frame: Frame, doublings: number): Frame {
  return doublings === 0 ? frame : grown(larger(frame), doublings - 1)
}

function named(event: Json, section: 'zones' | 'gates'): { id: string; name: string }[] {
  return listOf(event, section).map((one) => ({ id: textOf(one, 'id'), name: textOf(one, 'name') }))
}
