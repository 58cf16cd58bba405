/** The problem with what was asked for, which a screen reader says when it comes; empty while there is none. */
import type { JSX } from 'preact'

export function Problem({ text, class: name }: { text: string | null; class?: string }): JSX.Element | null {
  if (!text) return null
  return (
    <p role="alert" class={name ? `bad ${name}` : 'bad'}>
      {text}
    </p>
  )
}
