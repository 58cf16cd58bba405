/** Draws the questions of `forms.ts`. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import { words } from '../words/words.ts'
import { useAttempt } from './attempt.ts'
import { Dialog } from './dialog.tsx'
import type { Field, Forms, OpenForm } from './forms.ts'

export function FormList({ forms }: { forms: Forms }): JSX.Element {
  return (
    <>
      {forms.open.value.map((form) => (
        <FormDialog key={form.id} form={form} />
      ))}
    </>
  )
}

function FormDialog({ form }: { form: OpenForm }): JSX.Element {
  const values = useSignal(Object.fromEntries(form.fields.map(({ name, value = '' }) => [name, value])))
  const { busy, problem, run } = useAttempt(async () => {
    await form.send?.(values.value)
    form.done(values.value)
  })
  const submit = (event: Event) => {
    event.preventDefault()
    void run()
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
            set={(value) => (values.value = { ...values.value, [field.name]: value })}
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

function FieldOf(props: FieldProps): JSX.Element {
  return props.field.kind === 'choice' ? <Choice {...props} /> : <Entry {...props} />
}

function Choice({ field: { label, options = [], required = false, hint }, value, set }: FieldProps): JSX.Element {
  const id = useId()
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
}

function Entry({ field, value, set }: FieldProps): JSX.Element {
  const id = useId()
  const { label, kind = 'text', options = [], required = false, hint, maxLength = 500, suggestions = [] } = field
  const shared = {
    id,
    name: field.name,
    value,
    required,
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
      ) : kind === 'secret' ? (
        <input {...shared} type="password" maxLength={maxLength} autocomplete="off" />
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
