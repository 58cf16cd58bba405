/** A QR code: always dark on white with its quiet zone, whatever the theme, because scanners read no other reliably. */
import type { JSX } from 'preact'
import { encode } from 'uqr'

/** `label` is what a screen reader says in place of the picture. @throws when `text` is too long for a QR code */
export function Qr({ text, label, class: name }: { text: string; label: string; class?: string }): JSX.Element {
  // With error correction M a rotating code fits into QR version 7.
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <svg class={name} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <path d={`M0 0h${size}v${size}h-${size}z`} fill="#ffffff" />
      <path d={path} fill="#000000" />
    </svg>
  )
}
