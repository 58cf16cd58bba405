/** The software of the box: what its two slots hold, a new version, and the way back. */
import { unstarted } from '@gatehouse/proto/slots.ts'
import type { Slot, UpdateState } from '@gatehouse/proto/wire/appliance.ts'
import { type Signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Model } from '../../model.ts'
import { answered, Refused, sentenceOf } from '../../session/answered.ts'
import { Dismissed } from '../../session/session.ts'
import { FileField } from '../../widgets/file-field.tsx'
import { useOnce } from '../../widgets/once.ts'
import { actionWords as common, applianceWords as say } from '../../words/late.ts'
import { saidBy } from '../../words/said.ts'
import { type Upload, upload } from '../import/upload.ts'
import { Panel, Progress, Run, Said } from '../parts/parts.tsx'
import { isMoving } from './busy.ts'
import { leaveUnstarted, restart, rollBack } from './restart.ts'
import type { Watched } from './state.ts'
import { refusalOf } from './update-file.ts'

interface UpdateProps {
  model: Model
  state: Watched
}

interface SendProps extends UpdateProps {
  /** The version that is wanted although it is older than the one that runs. */
  older: Signal<string | undefined>
}

export function UpdatePanel({ model, state }: UpdateProps): JSX.Element | null {
  const older = useSignal<string>()
  const update = state.update.value
  if (update === null) return null
  const other = update.slots.find((slot) => !slot.running)
  const moving = isMoving(update.state)
  // A failed attempt after it leaves it waiting.
  const waiting = moving ? undefined : unstarted(update.slots)
  return (
    <Panel title={say.software}>
      <Slots slots={update.slots} />
      <State update={update} waiting={waiting} />
      {waiting && (
        <div class="part-row">
          <button type="button" class="primary part-main" onClick={() => void restart(model, say.restartUpdate)}>
            {say.restart}
          </button>
          <button type="button" onClick={() => void leaveUnstarted(model).then(state.read)}>
            {say.unstart}
          </button>
        </div>
      )}
      {update.older && update.version !== null && <Older version={update.version} older={older} />}
      <SendFile model={model} state={state} older={older} />
      {!moving && update.usb.length > 0 && <Stick model={model} state={state} older={older} update={update} />}
      {!moving && !waiting && other?.state === 'good' && (
        <div class="part-row">
          <button type="button" class="danger" onClick={() => void rollBack(model, other.version)}>
            {say.rollback(other.version)}
          </button>
        </div>
      )}
    </Panel>
  )
}

function Slots({ slots }: { slots: readonly Slot[] }): JSX.Element {
  if (slots.length === 0) return <p class="quiet">{say.none_known}</p>
  return (
    <ul class="appliance-slots">
      {slots.map((slot) => (
        <li key={slot.name} data-running={slot.running}>
          <strong>{say.slot(slot.name)}</strong>
          <span>{say.version(slot.version)}</span>
          {slot.running && <span>{say.running}</span>}
          {slot.next && !slot.running && <span>{say.next}</span>}
          {slot.state === 'bad' && !slot.running && <span class="warn">{say.slotBad}</span>}
        </li>
      ))}
    </ul>
  )
}

/** The box's state of the update, whichever page began it. */
function State({ update, waiting }: { update: UpdateState; waiting: Slot | undefined }): JSX.Element {
  const { state, percent, reason, reason_coded } = update
  return (
    <>
      {(state === 'checking' || state === 'installing' || state === 'uploading') && (
        <div>
          <Progress
            text={state === 'checking' ? say.states.checking : say.states[state](percent)}
            label={say.software}
            value={state === 'checking' ? null : percent}
            max={100}
          />
        </div>
      )}
      <Said
        good={waiting ? say.states.ready(waiting.version) : null}
        bad={state === 'failed' ? say.failed(saidBy('machine', reason_coded, reason ?? '')) : null}
      />
    </>
  )
}

/** An older version is refused at first: it may have a hole that the one that runs has not. */
function Older({ version, older }: { version: string; older: SendProps['older'] }): JSX.Element {
  return (
    <label class="part-tick">
      <input
        type="checkbox"
        checked={older.value === version}
        onChange={({ currentTarget }) => {
          older.value = currentTarget.checked ? version : undefined
        }}
      />
      {say.older(version)}
    </label>
  )
}

/** A file on its way to the box. */
function useSending({ session: { client, withActor } }: Model, state: Watched, older: SendProps['older']) {
  const field = useRef<HTMLInputElement>(null)
  const file = useSignal<File | null>(null)
  const problem = useSignal<string | null>(null)
  const underWay = useSignal<Upload<UpdateState> | null>(null)
  // A file that nobody watches any more is given up: the box keeps nothing of it.
  useEffect(() => () => underWay.peek()?.cancel(), [])
  const sending = useOnce(async () => {
    const { value } = file
    if (value === null) return
    problem.value = null
    try {
      const actor = await withActor()
      const query = older.value === undefined ? { actor } : { actor, older: older.value }
      // The box reports the progress; this page reads it every second.
      underWay.value = upload(
        value,
        (request) => client.POST('/v1/admin/update', { params: { query }, ...request }),
        () => {},
      )
      setTimeout(() => void state.read(), 300)
      await underWay.value.answer
      file.value = null
      if (field.current) field.current.value = ''
    } catch (error) {
      problem.value = sentence(error)
    } finally {
      underWay.value = null
      await state.read()
    }
  })
  return { field, file, problem, underWay, sending }
}

function SendFile({ model, state, older }: SendProps): JSX.Element {
  const { field, file, problem, underWay, sending } = useSending(model, state, older)
  const moving = isMoving(state.update.value?.state)
  const choose = (chosen: File | null) => {
    const refusal = chosen && refusalOf(chosen)
    problem.value = refusal ? say[refusal] : null
    file.value = refusal ? null : chosen
  }
  return (
    <FileField
      field={field}
      label={say.choose}
      accept=".update"
      hint={say.chooseHint}
      file={file.value}
      disabled={moving || sending.busy.value}
      choose={choose}
    >
      <Said bad={problem.value} />
      <div class="part-row">
        {file.value && underWay.value === null && (
          <Run work={sending} class="primary part-main" disabled={moving}>
            {say.send}
          </Run>
        )}
        {underWay.value && (
          <button type="button" onClick={() => underWay.value?.cancel()}>
            {say.cancel}
          </button>
        )}
      </div>
    </FileField>
  )
}

function sentence(error: unknown): string | null {
  if (error instanceof Dismissed) return null
  const code = error instanceof Refused ? error.code : ''
  if (code === 'cancelled') return say.cancelled
  return code === 'unreachable' ? say.unanswered : sentenceOf(error)
}

function Stick({ model: { act, session }, state, older, update }: SendProps & { update: UpdateState }): JSX.Element {
  const installing = useOnce((name: string) =>
    act(async (actor) => {
      const body = older.value === undefined ? { name, actor } : { name, actor, older: older.value }
      await answered(session.client.POST('/v1/admin/update/usb', { body }))
      await state.read()
      return say.states.checking
    }),
  )
  return (
    <div>
      <h3>{say.stick}</h3>
      <ul class="appliance-slots">
        {update.usb.map(({ name, bytes }) => (
          <li key={name}>
            <span>{`${name}, ${common.import.size(bytes)}`}</span>
            <button type="button" aria-busy={installing.busy.value} onClick={() => void installing.run(name)}>
              {say.install(name)}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
