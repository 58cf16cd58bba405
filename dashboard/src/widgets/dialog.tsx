/** A dialog over everything: the browser's own, so that focus stays in it, Escape closes it, and what is behind is inert. */
import './dialog.css'
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { words } from '../words/words.ts'

interface DialogProps {
  title: string
  onClose: () => void
  children: ComponentChildren
  class?: string
}

/** Open for as long as it is drawn. `onClose` is asked for, by Escape or the button; whoever draws it takes it away. */
export function Dialog({ title, onClose, children, class: name = '' }: DialogProps): JSX.Element {
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const dialog = ref.current
    const before = document.activeElement
    dialog?.showModal()
    // The focus starts at the answer; the browser would put it on the button that closes the dialog.
    dialog?.querySelector<HTMLElement>('.dialog-body :is(input, select, textarea)')?.focus()
    return () => {
      dialog?.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={ref}
      class={`dialog ${name}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <div class="dialog-head">
        <h2 id={titleId}>{title}</h2>
        <button type="button" class="dialog-close" onClick={onClose} aria-label={words.widgets.close}>
          ×
        </button>
      </div>
      {children}
    </dialog>
  )
}
