/** Looking tickets up, for a supervisor. What was found is on this screen alone, and gone when it is left. */
import { isEnough, LONGEST_LOOK_UP } from '@gatehouse/proto/look-up.ts'
import type { FoundTicket, LookUpAnswer } from '@gatehouse/proto/wire/desk.ts'
import type { JSX } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { type Scanner, ScannerError } from '../../gate/model.ts'
import { hashOf } from '../../route.ts'
import { lookUpWords as say } from '../../words/late.ts'
import { createAttempt } from '../attempt.ts'
import { Page } from '../page.tsx'
import { Problem } from '../problem.tsx'
import './look-up.css'

export function LookUpScreen({ scanner }: { scanner: Scanner }): JSX.Element {
  const [attempt] = useState(createAttempt)
  const [found, setFound] = useState<LookUpAnswer | null>(null)
  const find = (text: string) => {
    setFound(null)
    return attempt.run(async () => {
      if (!isEnough(text)) throw new ScannerError(say.few)
      setFound(await scanner.lookUp(text.trim()))
    })
  }
  const isSignedOn = scanner.shift.value.operator !== null
  const isAlone = scanner.link.value.state === 'offline'
  return (
    <Page title={say.title} lead={say.lead} back="scan">
      <div role="status">{isAlone && <p class="warn look-up-alone">{say.offline}</p>}</div>
      {isSignedOn ? (
        <Find find={find} isBusy={attempt.busy.value} />
      ) : (
        <>
          <p>{say.signOn}</p>
          <a class="button primary big" href={hashOf('shift')}>
            {say.toShift}
          </a>
        </>
      )}
      <Problem text={attempt.problem.value} />
      <div role="status">
        {attempt.busy.value && <p>{say.busy}</p>}
        {found?.tickets.length === 0 && <p>{found.indexing ? say.reading : say.nothing}</p>}
      </div>
      {found && found.tickets.length > 0 && <Results {...found} />}
    </Page>
  )
}

function Find({ find, isBusy }: { find: (text: string) => unknown; isBusy: boolean }): JSX.Element {
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const hint = useId()
  useEffect(() => field.current?.focus(), [])
  return (
    <search>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          find(text)
          // The next name is typed over this one.
          field.current?.select()
        }}
      >
        <label>
          {say.field}
          <input
            ref={field}
            value={text}
            maxLength={LONGEST_LOOK_UP}
            autocomplete="off"
            autocapitalize="words"
            autocorrect="off"
            spellcheck={false}
            enterkeyhint="search"
            aria-describedby={hint}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <span id={hint} class="hint">
          {say.hint}
        </span>
        <button type="submit" class="primary big" aria-busy={isBusy}>
          {say.find}
        </button>
      </form>
    </search>
  )
}

function Results({ tickets, more, indexing }: LookUpAnswer): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null)
  const list = useId()
  // A screen reader reads on from here, and a phone's keyboard gives way to the list.
  useEffect(() => heading.current?.focus(), [])
  return (
    <section aria-labelledby={list}>
      <h2 ref={heading} id={list} tabIndex={-1} class="look-up-found">
        {say.results(tickets.length)}
      </h2>
      {more && <p>{say.more}</p>}
      {indexing && <p class="warn">{say.reading}</p>}
      <ul class="plain-list">
        {tickets.map((ticket) => (
          <Found key={ticket.ticket} {...ticket} />
        ))}
      </ul>
    </section>
  )
}

function Found({ holder, tier_name: tier, seat, order, state, inside }: FoundTicket): JSX.Element {
  return (
    <li class="look-up-ticket">
      <b>{holder ?? say.unnamed}</b>
      <span>{[tier, seat, order && say.order(order)].filter(Boolean).join(' · ')}</span>
      <span>
        <span class={state === 'valid' ? 'good' : 'bad'}>{say.states[state]}</span>
        {' · '}
        {inside ? say.inside : say.outside}
      </span>
    </li>
  )
}
