/** The software of the box: what its two slots hold, a new version, and the way back. */
import '../../widgets/file-field.css'
import { unstarted } from '@gatehouse/proto/slots.ts'
import type { Slot, UpdateState } from '@gatehouse/proto/wire/appliance.ts'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useId, useMemo, useRef } from 'preact/hooks'
import { answered, Refused, sentenceOf } from '../../session/answered.ts'
import { client, Dismissed, token, withActor } from '../../session/session.ts'
import { act } from '../../widgets/act.ts'
import { words as common } from '../../words/en-actions.ts'
import { words as say } from '../../words/en-appliance.ts'
import { type Upload, upload } from '../import/upload.ts'
import { once } from '../parts/once.ts'
import { Panel, Said } from '../parts/parts.tsx'
import { isMoving } from './busy.ts'
import { leaveUnstarted, restart, rollBack } from './restart.ts'
import type { Watched } from './state.ts'
import { refusalOf } from './update-file.ts'

export function UpdatePanel({ state }: { state: Watched }): JSX.Element | null {
  const update = state.update.value
  if (update === null) return null
  const other = update.slots.find((slot) => !slot.running)
  const moving = isMoving(update.state)
  // Whatever became of an attempt after it.
  const waiting = moving ? undefined : unstarted(update.slots)
  return (
    <Panel title={say.software}>
      <Slots slots={update.slots} />
      <Progress update={update} waiting={waiting} />
      {waiting && (
        <div class="part-row">
          <button type="button" class="primary part-main" onClick={() => void restart(say.restartUpdate)}>
            {say.restart}
          </button>
          <button type="button" onClick={() => void leaveUnstarted().then(state.read)}>
            {say.unstart}
          </button>
        </div>
      )}
      <SendFile state={state} />
      {!moving && update.usb.length > 0 && <Stick state={state} update={update} />}
      {!moving && !waiting && other?.state === 'good' && (
        <div class="part-row">
          <button type="button" class="danger" onClick={() => void rollBack(other.version)}>
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

/** What the box says of it, whoever began it. */
function Progress({ update, waiting }: { update: UpdateState; waiting: Slot | undefined }): JSX.Element {
  const { state, percent, reason } = update
  return (
    <>
      {(state === 'checking' || state === 'installing' || state === 'uploading') && (
        <div>
          <p>{state === 'checking' ? say.states.checking : say.states[state](percent)}</p>
          <progress
            class="part-progress"
            aria-label={say.software}
            max={100}
            {...(state !== 'checking' && percent !== null && { value: percent })}
          />
        </div>
      )}
      <Said
        good={waiting ? say.states.ready(waiting.version) : null}
        bad={state === 'failed' ? say.failed(reason ?? '') : null}
      />
    </>
  )
}

function SendFile({ state }: { state: Watched }): JSX.Element {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const file = useSignal<File | null>(null)
  const problem = useSignal<string | null>(null)
  const underWay = useSignal<Upload<UpdateState> | null>(null)
  // A file that nobody watches any more is given up: the box keeps nothing of it.
  useEffect(() => () => underWay.peek()?.cancel(), [])
  const sending = useMemo(
    () =>
      once(async () => {
        const { value } = file
        if (value === null) return
        problem.value = null
        try {
          const url = `/v1/admin/update?${new URLSearchParams({ actor: await withActor() })}`
          // How far it is, the box says; this page reads it every second.
          underWay.value = upload<UpdateState>(url, { file: value, token: token.value ?? '', onProgress: () => {} })
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
      }),
    [],
  )
  const moving = isMoving(state.update.value?.state)
  return (
    <div class="file-field">
      <label for={id}>{say.choose}</label>
      <input
        ref={field}
        id={id}
        type="file"
        accept=".update"
        aria-describedby={`${id}-hint`}
        disabled={moving || sending.busy.value}
        onChange={(event) => {
          const chosen = event.currentTarget.files?.[0] ?? null
          const refusal = chosen && refusalOf(chosen)
          problem.value = refusal ? say[refusal] : null
          file.value = refusal ? null : chosen
        }}
      />
      <p class="quiet" id={`${id}-hint`}>
        {file.value ? `${file.value.name}, ${common.import.size(file.value.size)}` : say.chooseHint}
      </p>
      <Said bad={problem.value} />
      <div class="part-row">
        {file.value && underWay.value === null && (
          <button
            type="button"
            class="primary part-main"
            disabled={moving}
            aria-busy={sending.busy.value}
            onClick={() => void sending.run()}
          >
            {say.send}
          </button>
        )}
        {underWay.value && (
          <button type="button" onClick={() => underWay.value?.cancel()}>
            {say.cancel}
          </button>
        )}
      </div>
    </div>
  )
}

function sentence(error: unknown): string | null {
  if (error instanceof Dismissed) return null
  const code = error instanceof Refused ? error.code : ''
  if (code === 'cancelled') return say.cancelled
  return code === 'unreachable' ? say.unanswered : sentenceOf(error)
}

function Stick({ state, update }: { state: Watched; update: UpdateState }): JSX.Element {
  const installing = useMemo(
    () =>
      once((name: string) =>
        act(async (actor) => {
          await answered(client.POST('/v1/admin/update/usb', { body: { name, actor } }))
          await state.read()
          return say.states.checking
        }),
      ),
    [],
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
