/** The verdict over the whole screen: colour, shape, word; how sure it is; what it rests on; what to do next. */
import { Shape } from '@gatehouse/proto/ui/shape.tsx'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Scanner, ScanRecord } from '../../model.ts'
import { words } from '../../words/en.ts'
import { certainty, spoken, sureness, verdictWords } from '../../words/en-verdict.ts'
import { Icon } from '../icon.tsx'
import type { ScanFlow } from './flow.ts'
import { inkOn } from './ink.ts'
import { ReasonDialog } from './reason.tsx'
import './verdict.css'

interface VerdictProps {
  flow: ScanFlow
  scanner: Scanner
}

/** Always drawn, so that a screen reader knows the place where verdicts are said. */
export function VerdictLayer({ flow, scanner }: VerdictProps): JSX.Element {
  const { shown } = flow.stage.value
  return (
    <>
      <div role="alert" class="visually-hidden">
        {shown && spoken(shown)}
      </div>
      {shown && <VerdictCard key={shown.scanId} record={shown} flow={flow} scanner={scanner} />}
    </>
  )
}

function VerdictCard({ record, flow, scanner }: VerdictProps & { record: ScanRecord }): JSX.Element {
  const next = useRef<HTMLButtonElement>(null)
  const asking = useSignal<'admit' | 'undo' | null>(null)
  useLayoutEffect(() => {
    const before = document.activeElement
    next.current?.focus({ preventScroll: true })
    return () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true })
    }
  }, [])

  const { verdict, undone } = record
  const { word, fact, next: todo, detail } = verdictWords(record)
  const waiting = flow.stage.value.waiting.length
  const isIn = record.class === 'admit' || record.class === 'exit'
  const mayAdmit = scanner.pairing.value?.supervisor === true && !isIn && !record.supervised && !record.failed
  const mayUndo = record.class === 'admit' && !undone
  const sure = sureness(record)
  const ask = (what: 'admit' | 'undo') => {
    flow.pin()
    asking.value = what
  }

  return (
    <section
      class="verdict"
      aria-label={words.verdict.label}
      data-class={record.failed ? 'failed' : undone ? 'undone' : record.class}
      data-verdict={verdict.verdict}
      data-sureness={sure}
      // The longest word decides how large all of them can be.
      style={{ '--letters': Math.max(4, ...word.split(' ').map((part) => part.length)) }}
    >
      {verdict.tier_name && (
        <p
          class="verdict-tier"
          style={verdict.tier_colour ? { background: verdict.tier_colour, color: inkOn(verdict.tier_colour) } : {}}
        >
          <b>{verdict.tier_name}</b>
          {verdict.seat_label && <span class="verdict-seat">{verdict.seat_label}</span>}
          {isIn && (verdict.occurrence ?? 0) > 1 && <span>{words.verdict.entry(verdict.occurrence ?? 0)}</span>}
        </p>
      )}
      <div class="verdict-main">
        <Shape of={record.class} class="verdict-shape" />
        <p class="verdict-word">{word}</p>
        <div class="verdict-why">
          {fact && <p class="verdict-fact">{fact}</p>}
          {todo && <p class="verdict-next">{todo}</p>}
          {detail && <p class="verdict-detail">{detail}</p>}
        </div>
      </div>
      <div class="verdict-foot">
        <p class="verdict-sure">
          <Icon name={sure === 'confirmed' ? 'linked' : 'alone'} />
          {certainty(record)}
        </p>
        <div class="verdict-actions">
          <button
            type="button"
            ref={next}
            class="verdict-clear"
            onClick={flow.clear}
            onKeyDown={(event) => event.key === 'Escape' && flow.clear()}
          >
            {words.verdict.next}
            {waiting > 0 && <small>{words.verdict.waiting(waiting)}</small>}
          </button>
          {mayAdmit && (
            <button type="button" onClick={() => ask('admit')}>
              {words.verdict.admit}
            </button>
          )}
          {mayUndo && (
            <button type="button" onClick={() => ask('undo')}>
              {words.verdict.undo}
            </button>
          )}
        </div>
      </div>
      {asking.value && (
        <ReasonDialog
          what={asking.value}
          decide={async (reason) =>
            flow.replace(
              asking.value === 'admit'
                ? await scanner.admit(record.scanId, reason)
                : await scanner.undo(record.scanId, reason),
            )
          }
          close={() => {
            asking.value = null
          }}
        />
      )}
    </section>
  )
}
