/** A question over everything else. Open for as long as it is drawn. */
import type { ComponentChildren, JSX } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { words } from '../words/words.ts'

interface DialogProps {
  title: string
  /** On the button that closes it. */
  closing?: string
  onClose: () => void
  children: ComponentChildren
}

export function Dialog({ title, closing = words.cancel, onClose, children }: DialogProps): JSX.Element {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={ref}
      class="dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
      <button type="button" class="dialog-cancel" onClick={onClose}>
        {closing}
      </button>
    </dialog>
  )
}

/** While somebody answers a question, nothing is scanned behind it. */
export function dialogIsOpen(): boolean {
  return document.querySelector('dialog[open]') !== null
}
