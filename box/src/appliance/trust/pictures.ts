/** A step as a phone shows it, drawn small: the screen's title, and the line or the switch to press. SVG without styles. Pure. */
import { type Html, html } from '../../seal/report/html.ts'
import type { Step } from './words/en.ts'

/** Letters that fit across the drawing; longer lines are set narrower. */
const ACROSS = 22
const WIDTH = 96

/** Nothing for a step that no screen shows. */
export function drawStep({ title, mark, on }: Step): Html | undefined {
  if (title === undefined || mark === undefined) return undefined
  return html`<svg viewBox="0 0 128 132" aria-hidden="true">
<rect class="phone" x="2" y="2" width="124" height="140" rx="14"/>
${line(title, { y: 24, kind: 'name' })}
<rect class="row" x="10" y="36" width="108" height="18" rx="5"/>
<rect class="bar" x="18" y="43" width="52" height="4" rx="2"/>
<rect class="row marked" x="10" y="60" width="108" height="26" rx="5"/>
${line(mark, { y: 76, kind: 'mark', width: on ? 64 : WIDTH })}
${on ? SWITCH : TAP}
<rect class="row" x="10" y="92" width="108" height="18" rx="5"/>
<rect class="bar" x="18" y="99" width="66" height="4" rx="2"/>
</svg>`
}

const SWITCH = html`<rect class="switch" x="88" y="66" width="24" height="14" rx="7"/><circle class="knob" cx="105" cy="73" r="5"/>`
const TAP = html`<circle class="tap" cx="112" cy="86" r="9"/>`

function line(text: string, { y, kind, width = WIDTH }: { y: number; kind: string; width?: number }): Html {
  const most = Math.floor((ACROSS * width) / WIDTH)
  const fit = text.length > most ? html` textLength="${width}" lengthAdjust="spacingAndGlyphs"` : undefined
  return html`<text class="${kind}" x="16" y="${y}"${fit}>${text}</text>`
}
