/** What this phone did since it was handed over, and handing it over. */
import { VERDICT_CLASSES } from '@gatehouse/proto/ui/verdict-class.ts'
import { type ReadonlySignal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Scanner } from '../model.ts'
import { words } from '../words/en.ts'
import { Dialog } from './dialog.tsx'
import { Page } from './page.tsx'
import './shift.css'
import { Chip } from './chip.tsx'

const say = words.shift

export function ShiftScreen({ scanner, now }: { scanner: Scanner; now: ReadonlySignal<number> }): JSX.Element {
  const asking = useSignal(false)
  const handed = useSignal<string | null>(null)
  const shift = scanner.shift.value
  const total = VERDICT_CLASSES.reduce((sum, name) => sum + shift.byClass[name], 0)
  if (handed.value !== null) {
    return (
      <HandedOver
        text={handed.value}
        done={() => {
          handed.value = null
        }}
      />
    )
  }
  return (
    <Page title={say.title} lead={`${say.since(shift.since)}. ${say.total(total)}.`}>
      <SignOn scanner={scanner} />
      <h2>{say.counts}</h2>
      <ul class="plain-list shift-counts" aria-label={say.counts}>
        {VERDICT_CLASSES.map((name) => (
          <li key={name} data-class={name}>
            <Chip of={name} />
            <span>{words.verdict.class[name]}</span>
            <b>{shift.byClass[name]}</b>
          </li>
        ))}
      </ul>
      <h2>{say.also}</h2>
      <dl class="shift-also">
        {(['alone', 'supervised', 'undone', 'doubles', 'unsent', 'aside'] as const).map((name) => (
          <div key={name}>
            <dt>{say[name]}</dt>
            <dd>{shift[name]}</dd>
          </div>
        ))}
      </dl>
      <button
        type="button"
        class="primary big"
        onClick={() => {
          asking.value = true
        }}
      >
        {say.handOver}
      </button>
      {asking.value && (
        <Dialog
          title={say.handOverTitle}
          onClose={() => {
            asking.value = false
          }}
        >
          {shift.unsent > 0 && <p class="warn shift-warn">{say.handOverUnsent(shift.unsent)}</p>}
          <p>{say.handOverText}</p>
          <button
            type="button"
            class="primary big"
            onClick={() => {
              asking.value = false
              const place = scanner.checkpoint.peek()?.name ?? ''
              handed.value = say.summary(scanner.handOver(), place, now.peek())
            }}
          >
            {say.handOverConfirm}
          </button>
        </Dialog>
      )}
    </Page>
  )
}

function SignOn({ scanner }: { scanner: Scanner }): JSX.Element {
  const { operator } = scanner.shift.value
  const [name, setName] = useState('')
  if (operator !== null) {
    return (
      <p class="shift-operator">
        <span>
          {say.operator}: <b>{operator}</b>
        </span>
        <button type="button" onClick={() => scanner.signOn(null)}>
          {say.signOff}
        </button>
      </p>
    )
  }
  return (
    <form
      class="shift-sign-on"
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() !== '') scanner.signOn(name.trim())
        setName('')
      }}
    >
      <label>
        {say.name}
        <input
          value={name}
          maxLength={100}
          autocomplete="name"
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
      <button type="submit" disabled={name.trim() === ''}>
        {say.signOn}
      </button>
    </form>
  )
}

function HandedOver({ text, done }: { text: string; done: () => void }): JSX.Element {
  const copied = useSignal(false)
  return (
    <Page title={say.handedOver}>
      <pre class="shift-summary" role="status">
        {text}
      </pre>
      <div class="stack">
        <button
          type="button"
          onClick={() =>
            void navigator.clipboard.writeText(text).then(
              () => {
                copied.value = true
              },
              // It stands on the screen all the same.
              () => undefined,
            )
          }
        >
          {copied.value ? say.copied : say.copy}
        </button>
        <button type="button" class="primary big" onClick={done}>
          {say.done}
        </button>
      </div>
    </Page>
  )
}
