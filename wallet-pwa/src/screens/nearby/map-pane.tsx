/** The venue's map at the width that there is, or twice that to move about in. */
import { VenueMap } from '@gatehouse/proto/ui/venue-map.tsx'
import type { DrawingOptions } from '@gatehouse/proto/venue-drawing.ts'
import type { VenuePlan } from '@gatehouse/proto/wire/venue.ts'
import type { JSX } from 'preact'
import { useErrorBoundary, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Notice } from '../../pieces.tsx'
import { mapWords, screenWords } from '../../words/late.ts'

/** Pixels: narrower than that, the names on a map cover each other. */
const READABLE = 720

type MapProps = DrawingOptions & { plan: VenuePlan; title: string }

export function MapPane({ plan, ...options }: MapProps): JSX.Element {
  const frame = useRef<HTMLElement>(null)
  const [width, setWidth] = useState(0)
  // On a phone the whole map is for finding one's way about, and too small to read the names.
  const [whole, setWhole] = useState(false)
  const fits = whole || width >= READABLE
  useLayoutEffect(() => {
    if (!frame.current) return
    const observer = new ResizeObserver(([entry]) => setWidth(Math.round(entry?.contentRect.width ?? 0)))
    observer.observe(frame.current)
    return () => observer.disconnect()
  }, [])
  useLayoutEffect(() => {
    if (frame.current) centre(frame.current)
  }, [width > 0, fits, options.here, options.title])
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <section ref={frame} class="map-frame" tabIndex={0} aria-label={options.title}>
        {width > 0 && <Drawn plan={plan} {...options} width={fits ? width : READABLE} />}
      </section>
      {width < READABLE && (
        <button type="button" onClick={() => setWhole(!whole)}>
          {whole ? screenWords.nearby.larger : screenWords.nearby.whole}
        </button>
      )}
    </>
  )
}

/** Brings the way, or "you are here", into the middle, without moving the page. */
function centre(frame: HTMLElement): void {
  const here = (frame.querySelector('[data-route]') ?? frame.querySelector('[data-here]'))?.getBoundingClientRect()
  const { left, top, width, height } = frame.getBoundingClientRect()
  if (!here) return
  frame.scrollLeft += here.x + here.width / 2 - left - width / 2
  frame.scrollTop += here.y + here.height / 2 - top - height / 2
}

/** A map that was kept by another version of the wallet may be one that cannot be drawn. */
function Drawn(props: MapProps & { width: number }): JSX.Element {
  const [failed] = useErrorBoundary()
  if (failed) return <Notice tone="warn">{screenWords.nearby.badMap}</Notice>
  return <VenueMap {...props} words={mapWords} />
}
