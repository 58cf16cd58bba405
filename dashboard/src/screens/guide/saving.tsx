/** What the box says of the draft, and the way to the disk and into force. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { Model } from '../../model.ts'
import { answered } from '../../session/answered.ts'
import { useAttempt } from '../../widgets/attempt.ts'
import { guideWords } from '../../words/late.ts'
import { Note, Panel, Run, Said } from '../parts/parts.tsx'
import type { Guiding } from './state.ts'

const say = guideWords.check

interface Props {
  model: Model
  state: Guiding
}

export function Saving({ model, state }: Props): JSX.Element {
  const { found, checked, isChanged, isOld, accepts, problem } = state
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
          <p class="quiet">{say.kept}</p>
          <div class="part-row">
            <Run
              work={saving}
              class="primary part-main"
              disabled={!isSound || isOld.value || (needsYes && !accepts.value)}
            >
              {say.save}
            </Run>
            <button type="button" onClick={state.discard}>
              {say.discard}
            </button>
          </div>
        </>
      )}
      {!isChanged.value && found.value && !found.value.pending && <p class="quiet">{say.unchanged}</p>}
    </Panel>
  )
}

function Checked({ state: { checked } }: { state: Guiding }): JSX.Element {
  const answer = checked.value
  return (
    <div role="status">
      {answer === null && <p class="quiet">{say.checking}</p>}
      {answer?.mistakes.length === 0 && <Note tone="good">{say.good}</Note>}
      {answer && answer.mistakes.length > 0 && (
        <>
          <Note tone="bad">{say.mistakes(answer.mistakes.length)}</Note>
          <Places list={answer.mistakes} />
        </>
      )}
      {answer && answer.warnings.length > 0 && (
        <>
          <p>{say.warnings}</p>
          <Places list={answer.warnings} />
        </>
      )}
    </div>
  )
}

export function Places({ list }: { list: readonly { path: string; message: string }[] }): JSX.Element {
  return (
    <ul>
      {list.map(({ path, message }, i) => (
        <li key={i}>
          {path !== '' && <code>{path}</code>} {message}
        </li>
      ))}
    </ul>
  )
}

/** The event is on the disk, and the box runs with another one. */
export function Pending({ model, demo }: { model: Model; demo: boolean }): JSX.Element {
  const words = guideWords.pending
  const isGone = useSignal(false)
  const applying = useAttempt(async () => {
    const actor = await model.session.withActor()
    const { restarting } = await answered(model.session.client.POST('/v1/admin/event/apply', { body: { actor } }))
    isGone.value = restarting
  })
  return (
    <Panel title={words.title} lead={words.text}>
      {demo && <p>{words.first}</p>}
      <Said bad={applying.problem.value} good={isGone.value ? words.applying : null} />
      <div class="part-row">
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
