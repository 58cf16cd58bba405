/** One field of the forms of an event. */
import type { JSX } from 'preact'
import { useId } from 'preact/hooks'

interface TextProps {
  label: string
  value: string
  set: (value: string) => void
  type?: 'text' | 'number' | 'color' | 'datetime-local' | 'time'
  list?: readonly string[]
  hint?: string
}

export function Text({ label, value, set, type = 'text', list, hint }: TextProps): JSX.Element {
  const id = useId()
  return (
    <div class="part-field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type={type}
        value={value}
        autocomplete="off"
        {...(list && { list: `${id}-list` })}
        {...(hint !== undefined && { 'aria-describedby': `${id}-hint` })}
        onInput={(event) => set(event.currentTarget.value)}
      />
      {list && (
        <datalist id={`${id}-list`}>
          {list.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
      {hint !== undefined && (
        <p class="quiet" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}
