/** Names, and what stands for each, line by line. */
import type { ComponentChildren, JSX } from 'preact'

interface FactsProps {
  class: string
  /** One whose value is null or undefined is left out. */
  rows: readonly (readonly [name: string, value: ComponentChildren])[]
}

export function Facts({ class: name, rows }: FactsProps): JSX.Element {
  const known = rows.filter(([, value]) => value !== null && value !== undefined)
  return (
    <dl class={name}>
      {known.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
