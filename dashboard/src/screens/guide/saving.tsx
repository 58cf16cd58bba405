/** The box's findings in the draft, and the way to the disk and into force. */
import type { EventMistake } from '@gatehouse/proto/wire/guide.ts'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Model } from '../../model.ts'
import { useAttempt } from '../../widgets/attempt.ts'
import { reach } from '../../widgets/reach.ts'
import { guideWords } from '../../words/late.ts'
import { Note, Panel, Run, Said } from '../parts/parts.tsx'
import { applyEvent } from './apply.ts'
import type { Json } from './draft.ts'
import { placeOnForm } from './mistake-place.ts'
import { toldOf } from './mistakes.ts'
import type { Guiding } from './state.ts'

const say = guideWords.check

interface Props {
  model: Model
  state: Guiding
}

export function Saving({ model, state }: Props): JSX.Element {
  const { found, checked, isChanged, isOld, isKept, accepts, problem } = state
  const saving = useAttempt(async () => {
    await model.session.withActor()
    await state.save()
    model.toasts.toast(say.saved)
  })
  const answer = checked.value
  const isSound = answer !== null && answer.mistakes.length === 0
  const needsYes = isSound && answer.changes.length > 0
  return (
    <Panel title={say.title}>
      <Checked state={state} />
      {needsYes && (
        <>
          <p>{say.changes}</p>
          <ul>
            {answer.changes.map((change, i) => (
              <li key={i}>{guideWords.change[change.kind](change.name, change)}</li>
            ))}
          </ul>
          <label class="part-tick">
            <input type="checkbox" checked={accepts.value} onChange={() => (accepts.value = !accepts.value)} />
            {say.accept}
          </label>
        </>
      )}
      {(found.value?.other_boxes ?? 0) > 0 && <p class="quiet">{say.otherBoxes(found.value?.other_boxes ?? 0)}</p>}
      <Said bad={saving.problem.value ?? problem.value} />
      {isChanged.value && (
        <>
          <p class="quiet">{isKept.value ? say.kept : say.notKept}</p>
          <div class="part-row">
            <Run
              work={saving}
              class="primary part-main"
              disabled={!isSound || isOld.value || (needsYes && !accepts.value)}
            >
              {say.save}
            </Run>
            <button type="button" onClick={() => void discard(model, state)}>
              {say.discard}
            </button>
          </div>
        </>
      )}
      {!isChanged.value && found.value && !found.value.pending && <p class="quiet">{say.unchanged}</p>}
    </Panel>
  )
}

/** Asks first: the draft is nowhere else. */
export async function discard({ forms }: Pick<Model, 'forms'>, state: Guiding): Promise<void> {
  const form = { title: say.discardTitle, text: say.discardText, fields: [], submit: say.discard, danger: true }
  if ((await forms.ask(form)) !== null) state.discard()
}

function Checked({ state: { checked, draft } }: { state: Guiding }): JSX.Element {
  const answer = checked.value
  return (
    <div role="status">
      {answer === null && <p class="quiet">{say.checking}</p>}
      {answer?.mistakes.length === 0 && <Note tone="good">{say.good}</Note>}
      {answer && answer.mistakes.length > 0 && (
        <>
          <Note tone="bad">{say.mistakes(answer.mistakes.length)}</Note>
          <Places list={answer.mistakes} event={draft.value} />
        </>
      )}
      {answer && answer.warnings.length > 0 && (
        <>
          <p>{say.warnings}</p>
          <Places list={answer.warnings} event={draft.value} />
        </>
      )}
    </div>
  )
}

interface PlacesProps {
  list: readonly EventMistake[]
  /** The draft in the form; without one, places are those of the file. */
  event?: Json | null
}

export function Places({ list, event = null }: PlacesProps): JSX.Element {
  return (
    <ul>
      {list.map(toldOf).map(({ place, text }, i) => {
        const label = event === null ? undefined : placeOnForm(place, event, guideWords)
        return (
          <li key={i}>
            {label !== undefined ? <strong>{label}</strong> : place !== '' && <code>{place}</code>} {text}
          </li>
        )
      })}
    </ul>
  )
}

interface PendingProps {
  model: Model
  demo: boolean
  /** It comes after a press further down the page. */
  isNew: boolean
}

/** The event is on the disk, and the box runs with another one. */
export function Pending({ model, demo, isNew }: PendingProps): JSX.Element {
  const words = guideWords.pending
  const isGone = useSignal(false)
  const row = useRef<HTMLDivElement>(null)
  const reachNext = () => reach(row.current?.querySelector('button') ?? null)
  useEffect(() => {
    if (isNew) reachNext()
  }, [])
  useEffect(() => {
    if (isGone.value) reachNext()
  }, [isGone.value])
  const applying = useAttempt(async () => {
    isGone.value = await applyEvent(model.session, demo)
  })
  return (
    <Panel title={words.title} lead={words.text}>
      {demo && <p>{words.first}</p>}
      <Said bad={applying.problem.value} good={isGone.value ? words.applying : null} />
      <div class="part-row" ref={row}>
        {isGone.value ? (
          <button type="button" class="primary part-main" onClick={() => location.reload()}>
            {words.reload}
          </button>
        ) : (
          <Run work={applying} class="primary part-main">
            {words.apply}
          </Run>
        )}
      </div>
    </Panel>
  )
}
