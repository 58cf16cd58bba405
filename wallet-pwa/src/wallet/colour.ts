/** The tier's colour is the organiser's: yellow as well as navy. What is written on it takes black or white, as one can read. */

const NEUTRAL = '#4b5563'

/** A ground, and ink with at least 4.5:1 on it (WCAG 2.2): the better of black and white always has. */
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
