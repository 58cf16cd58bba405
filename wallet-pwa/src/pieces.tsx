/** Components that several screens use. */
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Icon } from './icons.tsx'
import { words } from './words/words.ts'

interface NoticeProps {
  tone: 'info' | 'good' | 'warn' | 'bad'
  live?: boolean
  children: ComponentChildren
}

/** One thing to know, with its sign. `live`: it appears while somebody reads, and a screen reader says it. */
export function Notice({ tone, live, children }: NoticeProps): JSX.Element {
  return (
    <div class={`notice notice-${tone}`} {...(live && { role: 'status' })}>
      <Icon of={tone} />
      <div>{children}</div>
    </div>
  )
}

interface SheetProps {
  label: string
  close: () => void
  class?: string
  children: ComponentChildren
}

/** A dialog over the page. Escape, and a press beside it, close it; the focus goes back to where it was. */
export function Sheet({ label, close, class: name = 'sheet', children }: SheetProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const opener = document.activeElement
    dialog.current?.showModal()
    return () => {
      if (opener instanceof HTMLElement) opener.focus()
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a dialog closes by Escape of itself; the press beside it is for a thumb
    <dialog
      ref={dialog}
      class={name}
      aria-label={label}
      onClose={close}
      onClick={(event) => event.target === dialog.current && close()}
    >
      {children}
    </dialog>
  )
}

interface BlankProps {
  title: string
  text: string
  children?: ComponentChildren
}

/** In place of what cannot be shown, and what to do about it. */
export function Blank({ title, text, children }: BlankProps): JSX.Element {
  return (
    <section class="blank" role="status">
      <h1 tabIndex={-1}>{title}</h1>
      <p>{text}</p>
      {children}
    </section>
  )
}

export function Retry({ ask }: { ask: () => unknown }): JSX.Element {
  return (
    <button type="button" class="primary big" onClick={() => void ask()}>
      {words.tryAgain}
    </button>
  )
}
