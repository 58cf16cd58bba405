import './toast.css'
import type { JSX } from 'preact'
import { words } from '../words/en.ts'
import { closeToast, toasts } from './toasts.ts'

export function Toasts(): JSX.Element {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, tone }) => (
        <div key={id} class={`toast toast-${tone}`}>
          <span aria-hidden="true">{tone === 'good' ? '✓' : '!'}</span>
          <p>{text}</p>
          <button type="button" onClick={() => closeToast(id)} aria-label={words.widgets.closeNotice}>
            ×
          </button>
        </div>
      ))}
    </div>
  )
}
