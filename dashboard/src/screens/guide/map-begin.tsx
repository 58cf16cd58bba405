/** The beginning of a map of nothing: where the venue is, and how wide. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { guideWords } from '../../words/late.ts'
import { Said } from '../parts/parts.tsx'
import { Text } from './fields.tsx'
import type { Place } from './map-draft.ts'
import { placeIn } from './map-edit.ts'

const say = guideWords.map.draw
const USUAL_METRES = '400'
const [LEAST_METRES, MOST_METRES] = [20, 20_000]

export function BeginMap({ begin }: { begin: (middle: Place, metres: number) => void }): JSX.Element {
  const [middle, metres] = [useSignal(''), useSignal(USUAL_METRES)]
  const fault = useSignal<string | null>(null)
  const start = () => {
    const place = placeIn(middle.value)
    fault.value = place ? null : say.noPlace
    if (place) begin(place, Math.min(MOST_METRES, Math.max(LEAST_METRES, Number(metres.value) || 0)))
  }
  const locate = () =>
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude, longitude } }) => {
        middle.value = `${latitude.toFixed(6)}, ${longitude.toFixed(6)}`
        fault.value = null
      },
      () => (fault.value = say.notHere),
    )
  return (
    <details>
      <summary>{say.begin}</summary>
      <div class="guide-row">
        <Text label={say.middle} value={middle.value} set={(text) => (middle.value = text)} hint={say.middleHint} />
        <Text label={say.width} type="number" value={metres.value} set={(text) => (metres.value = text)} />
      </div>
      <Said bad={fault.value} />
      <div class="part-row">
        <button type="button" onClick={start}>
          {say.begin}
        </button>
        {'geolocation' in navigator && (
          <button type="button" onClick={locate}>
            {say.here}
          </button>
        )}
      </div>
    </details>
  )
}
