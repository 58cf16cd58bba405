/** The compiled venue as a picture: the same drawing as on the command line. */
import type { JSX } from 'preact'
import { type DrawingOptions, drawVenue } from '../venue-drawing.ts'
import type { VenueMap as Drawn, VenuePlan } from '../wire/venue.ts'

/** Null for a venue that came without a map. */
export function VenueMap({
  plan,
  class: name,
  ...options
}: DrawingOptions & { plan: VenuePlan; class?: string }): JSX.Element | null {
  if (!plan.map) return null
  // The drawing escapes every name in it, and holds neither script nor style.
  const svg = drawVenue(plan as VenuePlan & { map: Drawn }, options)
  return <div class={name} dangerouslySetInnerHTML={{ __html: svg }} />
}
