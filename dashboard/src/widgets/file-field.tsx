/** A file to choose, and what was chosen. */
import './file-field.css'
import type { ComponentChildren, JSX, RefObject } from 'preact'
import { useId } from 'preact/hooks'
import { actionWords as words } from '../words/late.ts'

interface FileFieldProps {
  field: RefObject<HTMLInputElement | null>
  label: string
  accept: string
  /** Stands there while there is no file. */
  hint: string
  file: File | null
  disabled: boolean
  choose: (file: File | null) => void
  children?: ComponentChildren
}

export function FileField(props: FileFieldProps): JSX.Element {
  const { field, label, accept, hint, file, disabled, choose, children } = props
  const id = useId()
  return (
    <div class="file-field">
      <label for={id}>{label}</label>
      <input
        ref={field}
        id={id}
        type="file"
        accept={accept}
        aria-describedby={`${id}-hint`}
        disabled={disabled}
        onChange={(event) => choose(event.currentTarget.files?.[0] ?? null)}
      />
      <p class="quiet" id={`${id}-hint`}>
        {file ? `${file.name}, ${words.import.size(file.size)}` : hint}
      </p>
      {children}
    </div>
  )
}
