/** Questions to whoever sits here, one above the other; `forms.tsx` draws the topmost as a dialog. */
import { type ReadonlySignal, signal } from '@preact/signals'

export interface Field {
  name: string
  label: string
  /** Default `text`. A `choice` is a group of radio buttons, for up to five options. */
  kind?: 'text' | 'secret' | 'lines' | 'choice' | 'select' | 'number'
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
  /** Text of the main button: the thing that happens, not "OK". */
  submit: string
  danger?: boolean
  /** Name that it is recorded with, to be shown. */
  actor?: string
  /** Does it while the dialog stays open. What it throws is shown there, and what was typed stays. */
  send?: (values: Values) => Promise<void>
}

export interface OpenForm extends Form {
  id: number
  done: (values: Values | null) => void
}

export interface Forms {
  /** Those that wait for an answer; the last one is on top. */
  open: ReadonlySignal<readonly OpenForm[]>
  /** Asks. Resolves with what was sent, or with null when it was closed. */
  ask(form: Form): Promise<Values | null>
  /** Closes every question unanswered: whoever it was asked of has signed out. */
  dismiss(): void
}

export function createForms(): Forms {
  const open = signal<readonly OpenForm[]>([])
  let lastId = 0
  return {
    open,
    ask: (form) =>
      new Promise((resolve) => {
        const id = ++lastId
        const done = (values: Values | null) => {
          open.value = open.value.filter((other) => other.id !== id)
          resolve(values)
        }
        open.value = [...open.value, { ...form, id, done }]
      }),
    dismiss() {
      for (const form of open.value) form.done(null)
    },
  }
}
