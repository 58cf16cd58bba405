/** Draws the questions of `forms.ts`. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import { sentenceOf } from '../session/answered.ts'
import { words } from '../words/en.ts'
import { Dialog } from './dialog.tsx'
import { type Field, type OpenForm, openForms } from './forms.ts'

export function Forms(): JSX.Element {
  return (
    <>
      {openForms.value.map((form) => (
        <FormDialog key={form.id} form={form} />
      ))}
    </>
  )
}

function FormDialog({ form }: { form: OpenForm }): JSX.Element {
  const values = useSignal(Object.fromEntries(form.fields.map(({ name, value = '' }) => [name, value])))
  const problem = useSignal<string | null>(null)
  const busy = useSignal(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    if (busy.value) return
    busy.value = true
    problem.value = null
    try {
      await form.send?.(values.value)
      form.done(values.value)
    } catch (error) {
      problem.value = sentenceOf(error)
    } finally {
      busy.value = false
    }
  }
  return (
    <Dialog title={form.title} onClose={() => busy.value || form.done(null)}>
      <form class="dialog-body" onSubmit={submit}>
        {form.text && <p>{form.text}</p>}
        {form.fields.map((field) => (
          <FieldOf
            key={field.name}
            field={field}
            value={values.value[field.name] ?? ''}
            set={(value) => {
              values.value = { ...values.value, [field.name]: value }
            }}
          />
        ))}
        {form.actor && <p class="quiet">{words.widgets.recordedAs(form.actor)}</p>}
        <div role="alert">{problem.value && <p class="dialog-problem">{problem.value}</p>}</div>
        <div class="dialog-actions">
          <button type="button" onClick={() => busy.value || form.done(null)}>
            {words.widgets.cancel}
          </button>
          <button type="submit" class={form.danger ? 'danger' : 'primary'} aria-busy={busy.value}>
            {form.submit}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

interface FieldProps {
  field: Field
  value: string
  set: (value: string) => void
}

function FieldOf({ field, value, set }: FieldProps): JSX.Element {
  const id = useId()
  const { label, kind = 'text', options = [], required = false, hint, maxLength = 500, suggestions = [] } = field
  if (kind === 'choice')
    return (
      <fieldset class="dialog-field">
        <legend>{label}</legend>
        <div class="dialog-choices">
          {options.map((option) => (
            <label key={option.value} class="dialog-choice">
              <input
                type="radio"
                name={id}
                value={option.value}
                checked={option.value === value}
                required={required}
                onChange={() => set(option.value)}
              />
              {option.label}
            </label>
          ))}
        </div>
        {hint && <p class="quiet">{hint}</p>}
      </fieldset>
    )
  const shared = {
    ...{ id, name: field.name, value, required },
    ...(hint && { 'aria-describedby': `${id}-hint` }),
    onInput: (event: Event) => set((event.currentTarget as HTMLInputElement).value),
  }
  return (
    <div class="dialog-field">
      <label for={id}>{label}</label>
      {kind === 'lines' ? (
        <textarea {...shared} rows={3} maxLength={maxLength} />
      ) : kind === 'select' ? (
        <select {...shared}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      ) : kind === 'number' ? (
        <input {...shared} type="number" />
      ) : (
        <input {...shared} type="text" maxLength={maxLength} autocomplete={field.autocomplete ?? 'off'} />
      )}
      {hint && (
        <p class="quiet" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {suggestions.length > 0 && (
        <div class="dialog-suggestions">
          {suggestions.map((text) => (
            <button key={text} type="button" onClick={() => set(text)}>
              {text}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
