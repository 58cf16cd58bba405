/** What the screens of actions are put together from. */
import './parts.css'
import { useSignal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useId } from 'preact/hooks'
import { toast } from '../../widgets/toasts.ts'
import { words } from '../../words/en-actions.ts'
import type { Pages } from '../log/pages.ts'

export function Page({
  title,
  lead,
  children,
}: {
  title: string
  lead?: string
  children: ComponentChildren
}): JSX.Element {
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
export function Panel({
  title,
  lead,
  class: name = '',
  children,
}: {
  title: string
  lead?: string
  class?: string
  children: ComponentChildren
}): JSX.Element {
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

/** One of a few, each to press. */
export function Choices<V extends string>({
  label,
  options,
  value,
  set,
  inline = false,
}: {
  label: string
  options: readonly { value: V; label: string }[]
  value: V
  set: (value: V) => void
  /** The label beside them: for a filter. */
  inline?: boolean
}): JSX.Element {
  const name = useId()
  return (
    <fieldset class={inline ? 'part-choices part-choices-inline' : 'part-choices'}>
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => {
              set(option.value)
            }}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}

/** What happened, or went wrong, where it was asked for; read out when it comes. */
export function Said({ good, bad }: { good?: string | null; bad?: string | null }): JSX.Element {
  return (
    <div class="part-said" role="status">
      {good && (
        <p class="part-note" data-tone="good">
          {good}
        </p>
      )}
      {bad && (
        <p class="part-note" data-tone="bad">
          {bad}
        </p>
      )}
    </div>
  )
}

export function Copy({ text, label }: { text: string; label: string }): JSX.Element {
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
