/** The field and the buttons at the top of a screen that finds tickets. */
import './find-form.css'
import type { Signal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import { useId, useRef } from 'preact/hooks'

interface FindFormProps {
  label: string
  submit: string
  typed: Signal<string>
  isBusy: boolean
  /** Of the text, in characters. */
  maxLength?: number
  find: () => void
  /** More buttons. */
  children?: ComponentChildren
}

export function FindForm({ label, submit, typed, isBusy, maxLength, find, children }: FindFormProps): JSX.Element {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const onSubmit = (event: Event) => {
    event.preventDefault()
    find()
    // The next ticket is scanned or typed over this one.
    field.current?.select()
  }
  return (
    <form class="part-find" onSubmit={onSubmit}>
      <div class="part-field">
        <label for={id}>{label}</label>
        <input
          ref={field}
          id={id}
          value={typed.value}
          maxLength={maxLength}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          enterkeyhint="search"
          onInput={(event) => (typed.value = event.currentTarget.value)}
        />
      </div>
      <button type="submit" class="primary part-main" aria-busy={isBusy}>
        {submit}
      </button>
      {children}
    </form>
  )
}
