import './toast.css'
import type { JSX } from 'preact'
import { words } from '../words/words.ts'
import type { Toasts } from './toasts.ts'

export function ToastList({ toasts: { shown, close } }: { toasts: Toasts }): JSX.Element {
  const { value } = shown
  return (
    <div class="toasts" role="status" aria-live="polite">
      {value && (
        <div key={value.id} class={`toast toast-${value.tone}`}>
          <span aria-hidden="true">{value.tone === 'good' ? '✓' : '!'}</span>
          <p>{value.text}</p>
          <button type="button" onClick={() => close(value.id)} aria-label={words.widgets.closeNotice}>
            ×
          </button>
        </div>
      )}
    </div>
  )
}
