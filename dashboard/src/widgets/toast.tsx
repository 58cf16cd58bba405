import './toast.css'
import type { JSX } from 'preact'
import { words } from '../words/words.ts'
import type { Toasts } from './toasts.ts'

export function ToastList({ toasts: { shown, close } }: { toasts: Toasts }): JSX.Element {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {/* One at a time: the newest; one that went wrong comes back after it, until it is closed. */}
      {shown.value.slice(-1).map(({ id, text, tone }) => (
        <div key={id} class={`toast toast-${tone}`}>
          <span aria-hidden="true">{tone === 'good' ? '✓' : '!'}</span>
          <p>{text}</p>
          <button type="button" onClick={() => close(id)} aria-label={words.widgets.closeNotice}>
            ×
          </button>
        </div>
      ))}
    </div>
  )
}
