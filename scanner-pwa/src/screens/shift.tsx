/** The counts of this phone since it was handed over, and the way to hand it over. */
import { Facts } from '@gatehouse/proto/ui/facts.tsx'
import { VERDICT_CLASSES } from '@gatehouse/proto/ui/verdict-class.ts'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Scanner } from '../gate/model.ts'
import type { Model } from '../model.ts'
import { hashOf } from '../route.ts'
import { screenWords } from '../words/late.ts'
import { words } from '../words/words.ts'
import { Dialog } from './dialog.tsx'
import { Page } from './page.tsx'
import './shift.css'
import { Chip } from './chip.tsx'

type ShiftProps = Pick<Model, 'scanner' | 'now'>

const say = screenWords.shift
const ALSO = ['alone', 'supervised', 'undone', 'doubles', 'unsent', 'aside'] as const

export function ShiftScreen({ scanner, now }: ShiftProps): JSX.Element {
  const [handed, setHanded] = useState<string | null>(null)
  const shift = scanner.shift.value
  const total = VERDICT_CLASSES.reduce((sum, name) => sum + shift.byClass[name], 0)
  if (handed !== null) return <HandedOver text={handed} done={() => setHanded(null)} />
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
      <Facts class="shift-also" rows={ALSO.map((name) => [say[name], shift[name]])} />
      <HandOver scanner={scanner} now={now} done={setHanded} />
    </Page>
  )
}

function HandOver({ scanner, now, done }: ShiftProps & { done: (summary: string) => void }): JSX.Element {
  const [asking, setAsking] = useState(false)
  const { unsent } = scanner.shift.value
  const handOver = () => {
    setAsking(false)
    const place = scanner.checkpoint.peek()?.name ?? ''
    done(say.summary(scanner.handOver(), place, now.peek(), words.verdict.class))
  }
  return (
    <>
      <button type="button" class="primary big" onClick={() => setAsking(true)}>
        {say.handOver}
      </button>
      {asking && (
        <Dialog title={say.handOverTitle} onClose={() => setAsking(false)}>
          {unsent > 0 && <p class="warn shift-warn">{say.handOverUnsent(unsent)}</p>}
          <p>{say.handOverText}</p>
          <button type="button" class="primary big" onClick={handOver}>
            {say.handOverConfirm}
          </button>
        </Dialog>
      )}
    </>
  )
}

function SignOn({ scanner }: { scanner: Scanner }): JSX.Element {
  const { operator } = scanner.shift.value
  const [name, setName] = useState('')
  const wanted = scanner.signOnWanted.value
  if (operator !== null) {
    return (
      <p class="shift-operator">
        <span>
          {say.operator}: <b>{operator}</b>
        </span>
        {wanted ? (
          <a class="button" href={hashOf('sign-on')}>
            {say.change}
          </a>
        ) : (
          <button type="button" onClick={() => scanner.signOn(null)}>
            {say.signOff}
          </button>
        )}
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
  const [copied, setCopied] = useState(false)
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      // It stands on the screen all the same.
      () => undefined,
    )
  return (
    <Page title={say.handedOver}>
      <pre class="shift-summary" role="status">
        {text}
      </pre>
      <div class="stack">
        <button type="button" onClick={() => void copy()}>
          {copied ? say.copied : say.copy}
        </button>
        <button type="button" class="primary big" onClick={done}>
          {say.done}
        </button>
      </div>
    </Page>
  )
}
