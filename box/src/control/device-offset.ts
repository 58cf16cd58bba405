/** Offset of a device's clock from the box's, from a reading of its logical clock. Pure. */
import { parse } from '@gatehouse/proto/hlc.ts'

/** Ms, positive where the device is ahead; null without a reading, or for "0.0": what a person sends by hand has no clock. */
export function deviceOffset(deviceHlc: string | undefined, at: number): number | null {
  const reading = deviceHlc === undefined ? undefined : parse(deviceHlc)
  return reading && reading.ms > 0 ? reading.ms - at : null
}

/** True for "0.0": a scanner has a clock, and a person who tries a request out has none. */
export function isByHand(deviceHlc: string | undefined): boolean {
  return deviceHlc !== undefined && parse(deviceHlc)?.ms === 0
}
