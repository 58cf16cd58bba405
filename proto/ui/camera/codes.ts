/** The codes that a decoder found in a frame, in the order in which a person would want them scanned. */

export interface Point {
  x: number
  y: number
}

/** A code and its corners, in the pixels of its frame. */
export interface Found {
  text: string
  corners: readonly Point[]
}

/** A scan request takes 1 KiB; what is longer is a poster's code, not a ticket's. */
const MOST_BYTES = 1024

/** The texts, the one nearest to the middle of the frame first: that is the one that is held up, and the only one that may count. */
export function inOrder(found: readonly Found[], { width, height }: { width: number; height: number }): string[] {
  const distance = ({ corners }: Found) => {
    const n = Math.max(1, corners.length)
    const x = corners.reduce((sum, corner) => sum + corner.x, 0) / n
    const y = corners.reduce((sum, corner) => sum + corner.y, 0) / n
    return Math.hypot(x - width / 2, y - height / 2)
  }
  const texts = found
    .map((one) => ({ text: one.text, distance: distance(one) }))
    .sort((a, b) => a.distance - b.distance)
    .map(({ text }) => text)
    .filter((text) => text !== '' && new TextEncoder().encode(text).length <= MOST_BYTES)
  return [...new Set(texts)]
}
