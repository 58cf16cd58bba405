/** Components that the screens of actions share. */
import './parts.css'
import { useSignal } from '@preact/signals'
import { type ComponentChildren, Fragment, type JSX } from 'preact'
import { useEffect, useId } from 'preact/hooks'
import type { Once } from '../../widgets/once.ts'
import type { Toasts } from '../../widgets/toasts.ts'
import { actionWords as words } from '../../words/late.ts'
import type { Pages } from '../log/pages.ts'

interface PageProps {
  title: string
  lead?: string
  children: ComponentChildren
}

export function Page({ title, lead, children }: PageProps): JSX.Element {
  return (
    <div class="part-page">
      <header class="part-head">
        <div>
          <h1>{title}</h1>
          {lead && <p class="part-lead quiet">{lead}</p>}
        </div>
      </header>
      {children}
    </div>
  )
}

/** A part of a screen, with a heading of its own. */
export function Panel({ title, lead, class: name = '', children }: PageProps & { class?: string }): JSX.Element {
  const id = useId()
  return (
    <section class={`part-panel ${name}`} aria-labelledby={id}>
      <header>
        <h2 id={id} class="part-title">
          {title}
        </h2>
        {lead && <p class="part-lead quiet">{lead}</p>}
      </header>
      {children}
    </section>
  )
}

interface OneOf<V extends string> {
  label: string
  options: readonly { value: V; label: string }[]
  value: V
  set: (value: V) => void
}

/** One of a few, each to press. @param inline the label beside them: for a filter */
export function Choices<V extends string>(props: OneOf<V> & { inline?: boolean }): JSX.Element {
  const { label, options, value, set, inline } = props
  const name = useId()
  return (
    <fieldset class={inline ? 'part-choices part-choices-inline' : 'part-choices'}>
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input type="radio" name={name} checked={option.value === value} onChange={() => set(option.value)} />
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}

/** One of many, in a list that opens. */
export function Select<V extends string>({ label, options, value, set }: OneOf<V>): JSX.Element {
  const id = useId()
  return (
    <div class="part-field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => set(event.currentTarget.value as V)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  )
}

/** Terms and what stands for each. @param rows term, value and, where the value has one, its class */
export function Facts({ rows }: { rows: readonly (readonly [string, ComponentChildren, string?])[] }): JSX.Element {
  return (
    <dl class="part-facts">
      {rows.map(([term, value, name]) => (
        <Fragment key={term}>
          <dt>{term}</dt>
          <dd class={name}>{value}</dd>
        </Fragment>
      ))}
    </dl>
  )
}

/** A result or a problem, beside what was pressed; a screen reader says it when it comes. */
export function Said({ good, bad }: { good?: string | null; bad?: string | null }): JSX.Element {
  return (
    <div class="part-said" role="status">
      {good && <Note tone="good">{good}</Note>}
      {bad && <Note tone="bad">{bad}</Note>}
    </div>
  )
}

export function Note({ tone, children }: { tone: 'good' | 'bad'; children: ComponentChildren }): JSX.Element {
  return (
    <p class="part-note" data-tone={tone}>
      {children}
    </p>
  )
}

interface ProgressProps {
  text: ComponentChildren
  label: string
  /** Null where nobody knows how far it is. */
  value: number | null
  max?: number
}

export function Progress({ text, label, value, max = 1 }: ProgressProps): JSX.Element {
  return (
    <>
      <p>{text}</p>
      <progress class="part-progress" aria-label={label} max={max} {...(value !== null && { value })} />
    </>
  )
}

interface RunProps {
  work: Once<[]>
  class?: string
  disabled?: boolean
  children: ComponentChildren
}

/** A button that does it, and is busy until it is done. */
export function Run({ work: { busy, run }, class: name, disabled, children }: RunProps): JSX.Element {
  return (
    <button type="button" class={name} disabled={disabled} aria-busy={busy.value} onClick={() => void run()}>
      {children}
    </button>
  )
}

interface CopyProps {
  text: string
  label: string
  toasts: Toasts
}

export function Copy({ text, label, toasts: { toast } }: CopyProps): JSX.Element {
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => toast(words.copy.done),
      () => toast(words.copy.failed, 'bad'),
    )
  return (
    <button type="button" onClick={() => void copy()}>
      {label}
    </button>
  )
}

/** The end of a list that comes in pages: what is under way, what failed, and how to go on. */
export function ListEnd<T, C>({ list, none }: { list: Pages<T, C>; none: string }): JSX.Element {
  const { rows, state, problem } = list
  const empty = rows.value.length === 0
  return (
    <div class="part-end">
      <div role="status">
        {state.value === 'loading' && <p class="quiet">{words.list.loading}</p>}
        {state.value === 'more' && empty && <p class="quiet">{words.list.searching}</p>}
        {state.value === 'end' && <p class="quiet">{empty ? none : words.list.end}</p>}
        {problem.value && <p class="bad">{problem.value}</p>}
      </div>
      {(state.value === 'more' || state.value === 'failed') && (
        <button type="button" onClick={() => void list.more()}>
          {state.value === 'failed' ? words.list.again : words.list.more}
        </button>
      )}
    </div>
  )
}

/** Unix ms by this device's clock, once a second. */
export function useNow(): number {
  const now = useSignal(Date.now())
  useEffect(() => {
    const timer = setInterval(() => {
      now.value = Date.now()
    }, 1000)
    return () => clearInterval(timer)
  }, [])
  return now.value
}
