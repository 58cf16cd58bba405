/** The verdict over the whole screen: colour, shape, word; how sure it is; what it rests on; what to do next. */
import { Shape } from '@gatehouse/proto/ui/shape.tsx'
import type { JSX } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Scanner, ScanRecord } from '../../gate/model.ts'
import { certainty, spoken, sureness, verdictWords } from '../../words/verdict.ts'
import { words } from '../../words/words.ts'
import { Icon } from '../icon.tsx'
import { Details } from './details.tsx'
import { AnswerButton, GroupButton } from './details-actions.tsx'
import type { ScanFlow } from './flow.ts'
import { inkOn } from './ink.ts'
import { mayAdmit, mayUndo } from './may.ts'
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
        {shown && spoken(shown, scanner.pairing.value?.supervisor)}
      </div>
      {shown && <VerdictCard key={shown.scanId} record={shown} flow={flow} scanner={scanner} />}
    </>
  )
}

type CardProps = VerdictProps & { record: ScanRecord }

function VerdictCard({ record, flow, scanner }: CardProps): JSX.Element {
  const said = verdictWords(record, scanner.pairing.value?.supervisor)
  return (
    <section
      class="verdict"
      aria-label={words.verdict.label}
      data-class={record.failed ? 'failed' : record.undone ? 'undone' : record.class}
      data-verdict={record.verdict.verdict}
      data-sureness={sureness(record)}
      // The longest word decides how large all of them can be.
      style={{ '--letters': Math.max(4, ...said.word.split(' ').map((part) => part.length)) }}
    >
      <Tier record={record} />
      <div class="verdict-main">
        <Shape of={record.class} class="verdict-shape" />
        <p class="verdict-word">{said.word}</p>
        <div class="verdict-why">
          {said.fact && <p class="verdict-fact">{said.fact}</p>}
          {said.next && <p class="verdict-next">{said.next}</p>}
          {said.detail && <p class="verdict-detail">{said.detail}</p>}
        </div>
      </div>
      <Details record={record} />
      <Foot record={record} flow={flow} scanner={scanner} />
    </section>
  )
}

/** The kind of ticket, in the colour that its organiser chose. */
function Tier({ record }: { record: ScanRecord }): JSX.Element | null {
  const { tier_name: name, tier_colour: colour, seat_label: seat, occurrence } = record.verdict
  if (!name) return null
  return (
    <p class="verdict-tier" style={colour ? { background: colour, color: inkOn(colour) } : {}}>
      <b>{name}</b>
      {seat && <span class="verdict-seat">{seat}</span>}
      {isIn(record) && (occurrence ?? 0) > 1 && <span>{words.verdict.entry(occurrence ?? 0)}</span>}
    </p>
  )
}

type Decision = 'admit' | 'undo'

/** The verdict's certainty, the next code, and the decisions that a person may take against it. */
function Foot({ record, flow, scanner }: CardProps): JSX.Element {
  const [asking, setAsking] = useState<Decision | null>(null)
  const ask = (what: Decision) => {
    flow.pin()
    setAsking(what)
  }
  return (
    <>
      <div class="verdict-foot">
        <p class="verdict-sure">
          <Icon name={sureness(record) === 'confirmed' ? 'linked' : 'offline'} />
          {certainty(record)}
        </p>
        <div class="verdict-actions">
          <Next flow={flow} />
          <AnswerButton record={record} scanner={scanner} flow={flow} />
          {mayAdmit(record, scanner.pairing.value?.supervisor === true) && (
            <button type="button" onClick={() => ask('admit')}>
              {words.verdict.admit}
            </button>
          )}
          {mayUndo(record) && (
            <button type="button" onClick={() => ask('undo')}>
              {words.verdict.undo}
            </button>
          )}
          <GroupButton record={record} flow={flow} class="verdict-group" />
        </div>
      </div>
      {asking && (
        <ReasonDialog
          what={asking}
          decide={async (reason) => flow.replace(await scanner[asking](record.scanId, reason))}
          close={() => setAsking(null)}
        />
      )}
    </>
  )
}

/** Takes the focus, and gives it back when the verdict is gone. */
function Next({ flow }: { flow: ScanFlow }): JSX.Element {
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const before = document.activeElement
    button.current?.focus({ preventScroll: true })
    return () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true })
    }
  }, [])
  const waiting = flow.stage.value.waiting.length
  return (
    <button
      type="button"
      ref={button}
      class="verdict-clear"
      onClick={flow.clear}
      onKeyDown={(event) => event.key === 'Escape' && flow.clear()}
    >
      {words.verdict.next}
      {waiting > 0 && <small>{words.verdict.waiting(waiting)}</small>}
    </button>
  )
}

function isIn(record: ScanRecord): boolean {
  return record.class === 'admit' || record.class === 'exit'
}
