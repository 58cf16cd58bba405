/** Questions to whoever sits here, one above the other; `forms.tsx` draws the topmost as a dialog. */
import { type ReadonlySignal, signal } from '@preact/signals'

export interface Field {
  name: string
  label: string
  /** Default `text`. A `choice` is a group of radio buttons, for up to five options. */
  kind?: 'text' | 'lines' | 'choice' | 'select' | 'number'
  options?: readonly { value: string; label: string }[]
  value?: string
  required?: boolean
  hint?: string
  /** Default 500, which is what the box takes. */
  maxLength?: number
  autocomplete?: 'name' | 'off'
  /** Sentences that a press fills in. */
  suggestions?: readonly string[]
}

export type Values = Readonly<Record<string, string>>

export interface Form {
  title: string
  text?: string
  fields: readonly Field[]
  /** What the main button says: the thing that happens, not "OK". */
  submit: string
  danger?: boolean
  /** Whose name it is recorded with, to be shown. */
  actor?: string
  /** Does it while the dialog stays open. What it throws is shown there, and what was typed stays. */
  send?: (values: Values) => Promise<void>
}

export interface OpenForm extends Form {
  id: number
  done: (values: Values | null) => void
}

const open = signal<readonly OpenForm[]>([])
/** Those that wait for an answer; the last one is on top. */
export const openForms: ReadonlySignal<readonly OpenForm[]> = open
const ids = { last: 0 }

/** Asks. Resolves with what was sent, or with null when it was closed. */
export function ask(form: Form): Promise<Values | null> {
  return new Promise((resolve) => {
    const id = ++ids.last
    const done = (values: Values | null) => {
      open.value = open.value.filter((other) => other.id !== id)
      resolve(values)
    }
    open.value = [...open.value, { ...form, id, done }]
  })
}

/** Closes every question unanswered: whoever it was asked of has signed out. */
export function dismissForms(): void {
  for (const form of open.value) form.done(null)
}
