/** A code that no camera reads any more, typed from the ticket. */
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { words } from '../../words/words.ts'
import { Dialog } from '../dialog.tsx'

export function TypedEntry({ submit, close }: { submit: (text: string) => void; close: () => void }): JSX.Element {
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  return (
    <Dialog title={words.scan.typeTitle} onClose={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (text.trim() !== '') submit(text.trim())
        }}
      >
        <label>
          {words.scan.typeLabel}
          <input
            ref={field}
            class="typed-field"
            value={text}
            maxLength={1024}
            autocomplete="off"
            autocapitalize="characters"
            autocorrect="off"
            spellcheck={false}
            enterkeyhint="go"
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="primary big" disabled={text.trim() === ''}>
          {words.scan.typeSubmit}
        </button>
      </form>
    </Dialog>
  )
}
