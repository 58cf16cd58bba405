/** The box as a file: over the network, or onto the stick that is in it. */
import type { Appliance } from '@gatehouse/proto/wire/appliance.ts'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { answered, Refused, refusalOf, sentenceOf } from '../../session/answered.ts'
import { boxFetch, client, Dismissed, withActor } from '../../session/session.ts'
import { act } from '../../widgets/act.ts'
import { words as common } from '../../words/en-actions.ts'
import { words as say } from '../../words/en-appliance.ts'
import { once } from '../parts/once.ts'
import { Panel, Said } from '../parts/parts.tsx'
import { saveAs } from '../parts/save.ts'
import { nameIn } from '../record/receive.ts'
import type { Watched } from './state.ts'

export function BackupPanel({ state, machine }: { state: Watched; machine: Appliance }): JSX.Element {
  return (
    <Panel title={say.backup} lead={say.backupLead}>
      <Download />
      <ToStick state={state} machine={machine} />
    </Panel>
  )
}

function Download(): JSX.Element {
  const received = useSignal<number | null>(null)
  const good = useSignal<string | null>(null)
  const bad = useSignal<string | null>(null)
  const downloading = useMemo(
    () =>
      once(async () => {
        good.value = null
        bad.value = null
        try {
          // Nobody takes the keys of the box along without a name.
          const actor = await withActor()
          received.value = 0
          const { file, name } = await fetchBackup(actor, (bytes) => {
            received.value = bytes
          })
          saveAs(file, name)
          good.value = say.downloaded(name, common.import.size(file.size))
        } catch (error) {
          if (!(error instanceof Dismissed)) bad.value = sentenceOf(error)
        } finally {
          received.value = null
        }
      }),
    [],
  )
  return (
    <>
      <div class="part-row">
        <button type="button" aria-busy={downloading.busy.value} onClick={() => void downloading.run()}>
          {say.download}
        </button>
      </div>
      {received.value !== null && <p>{say.downloading(common.import.size(received.value))}</p>}
      <Said good={good.value} bad={bad.value} />
    </>
  )
}

/** @throws Refused also for a file that was cut short: nothing that looks like a backup is saved then */
async function fetchBackup(actor: string, onProgress: (bytes: number) => void): Promise<{ file: Blob; name: string }> {
  const unanswered = (error: unknown) => {
    throw error instanceof TypeError ? new Refused('unreachable', 0, say.cutShort) : error
  }
  const response = await boxFetch(`/v1/admin/backup?${new URLSearchParams({ actor })}`).catch(unanswered)
  if (!response.ok) throw refusalOf(response.status, await response.json().catch(() => null))
  let bytes = 0
  const counted = response.body?.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        bytes += chunk.length
        onProgress(bytes)
        controller.enqueue(chunk)
      },
    }),
  )
  const file = await new Response(counted ?? null).blob().catch(unanswered)
  return { file, name: nameIn(response.headers.get('content-disposition'), 'gatehouse.backup.tar.gz') }
}

function ToStick({ state, machine }: { state: Watched; machine: Appliance }): JSX.Element {
  const { stick, backup } = machine
  const isMoving = backup.state === 'making' || backup.state === 'copying'
  const writing = useMemo(
    () =>
      once(() =>
        act(async (actor) => {
          await answered(client.POST('/v1/admin/backup/usb', { body: { actor } }))
          await state.read()
          return say.making
        }),
      ),
    [],
  )
  return (
    <>
      <p class="quiet">{stick ? say.hasStick : say.noStick}</p>
      <div class="part-row">
        <button
          type="button"
          disabled={!stick || isMoving}
          aria-busy={writing.busy.value}
          onClick={() => void writing.run()}
        >
          {say.toStick}
        </button>
      </div>
      {isMoving && (
        <div>
          <p>{backup.state === 'making' ? say.making : say.copying(backup.percent)}</p>
          <progress
            class="part-progress"
            aria-label={say.toStick}
            max={100}
            {...(backup.percent !== null && { value: backup.percent })}
          />
        </div>
      )}
      <Said
        good={backup.state === 'done' && stick ? say.done(backup.name) : null}
        bad={backup.state === 'failed' ? say.backupFailed(backup.reason ?? '') : null}
      />
    </>
  )
}
