import { hkdfSync } from 'node:crypto'

/**
 * The password that the servers of the voters show each other, besides certificates with keys that are on the list of boxes. It is
 * another one in each epoch: a machine whose vote was taken away does not know the next.
 * @param eventSeed the seed of the event's key
 * @param event the event's id
 * @returns 24 bytes, base64url
 */
export function routeSecret(eventSeed: Uint8Array, event: string, epoch: number): string {
  const about = `gatehouse mesh routes ${epoch}`
  return Buffer.from(hkdfSync('sha256', eventSeed, event, about, 24)).toString('base64url')
}
