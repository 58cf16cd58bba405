/** The venue's map at the width that there is, or twice that to move about in. */
import { VenueMap } from '@gatehouse/proto/ui/venue-map.tsx'
import type { DrawingOptions } from '@gatehouse/proto/venue-drawing.ts'
import type { VenuePlan } from '@gatehouse/proto/wire/venue.ts'
import type { JSX } from 'preact'
import { useErrorBoundary, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Notice } from '../../pieces.tsx'
import { words } from '../../words/en.ts'

type MapProps = DrawingOptions & { plan: VenuePlan; title: string }

export function MapPane({ plan, ...options }: MapProps): JSX.Element {
  const frame = useRef<HTMLElement>(null)
  const [width, setWidth] = useState(0)
  const [large, setLarge] = useState(false)
  useLayoutEffect(() => {
    if (!frame.current) return
    const observer = new ResizeObserver(([entry]) => setWidth(Math.round(entry?.contentRect.width ?? 0)))
    observer.observe(frame.current)
    return () => observer.disconnect()
  }, [])
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <section ref={frame} class="map-frame" tabIndex={0} aria-label={options.title}>
        {width > 0 && <Drawn plan={plan} {...options} width={large ? 2 * width : width} />}
      </section>
      <button type="button" aria-pressed={large} onClick={() => setLarge(!large)}>
        {large ? words.nearby.smaller : words.nearby.larger}
      </button>
    </>
  )
}

/** A map that was kept by another version of the wallet may be one that cannot be drawn. */
function Drawn(props: MapProps & { width: number }): JSX.Element {
  const [failed] = useErrorBoundary()
  if (failed) return <Notice tone="warn">{words.nearby.badMap}</Notice>
  return <VenueMap {...props} />
}
