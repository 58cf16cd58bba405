/** The shape of a verdict class, in the colour of the text around it. The word beside it is what a screen reader says. */
import type { JSX } from 'preact'
import './verdict-class.css'
import { VERDICT_SHAPE, type VerdictClass } from './verdict-class.ts'

export function Shape({ of, class: name }: { of: VerdictClass; class?: string }): JSX.Element {
  return (
    <svg class={name} viewBox="0 0 48 48" aria-hidden="true" focusable="false">
      <path d={VERDICT_SHAPE[of]} fill="currentColor" fill-rule="evenodd" />
    </svg>
  )
}
