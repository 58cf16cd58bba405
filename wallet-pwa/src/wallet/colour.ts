/** The organiser chooses a tier's colour, light or dark. Text on it is black or white, whichever is readable. */

const NEUTRAL = '#4b5563'

/** A background, and the better of black and white as text on it, which always has at least 4.5:1 (WCAG 2.2). */
export function bandColours(colour: string | null): { ground: string; ink: '#000000' | '#ffffff' } {
  const ground = colour !== null && /^#[0-9a-f]{6}$/i.test(colour) ? colour : NEUTRAL
  const light = luminance(ground)
  return { ground, ink: (light + 0.05) / 0.05 > 1.05 / (light + 0.05) ? '#000000' : '#ffffff' }
}

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const c = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
