/** The compiled venue as a picture: the same drawing as on the command line. */
import type { JSX } from 'preact'
import { type DrawingOptions, drawVenue } from '../venue-drawing.ts'
import type { VenueMap as Drawn, VenuePlan } from '../wire/venue.ts'
import { useDark } from './dark.ts'

/** Null for a venue that came without a map. */
export function VenueMap({
  plan,
  class: name,
  ...options
}: Omit<DrawingOptions, 'dark'> & { plan: VenuePlan; class?: string }): JSX.Element | null {
  const dark = useDark()
  if (!plan.map) return null
  // The drawing escapes every name in it, and holds neither script nor style.
  const svg = drawVenue(plan as VenuePlan & { map: Drawn }, { ...options, dark })
  return <div class={name} dangerouslySetInnerHTML={{ __html: svg }} />
}
