/** The box as a file: over the network, or onto the stick that is in it. */
import type { Appliance } from '@gatehouse/proto/wire/appliance.ts'
import { type Signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { Model } from '../../model.ts'
import { answered, Refused } from '../../session/answered.ts'
import type { Session } from '../../session/session.ts'
import { useAttempt } from '../../widgets/attempt.ts'
import { useOnce } from '../../widgets/once.ts'
import { actionWords as common, applianceWords as say } from '../../words/late.ts'
import { saidBy } from '../../words/said.ts'
import { type BoxFile, fetchFile } from '../parts/fetch-file.ts'
import { Panel, Progress, Run, Said } from '../parts/parts.tsx'
import { saveAs } from '../parts/save.ts'
import { blobOf } from '../record/receive.ts'
import { keysOf, mistakeIn, type Protection } from './protection.ts'
import { ProtectionForm, UNPROTECTED, useProtection } from './protection.tsx'
import type { Watched } from './state.ts'

/** Choice of its encryption. */
interface Protected {
  protection: Signal<Protection>
}

interface BackupProps {
  model: Model
  state: Watched
  machine: Appliance
}

export function BackupPanel({ model, state, machine }: BackupProps): JSX.Element {
  const protection = useProtection()
  return (
    <Panel title={say.backup} lead={say.backupLead}>
      <ProtectionForm protection={protection} />
      <Download session={model.session} protection={protection} />
      <ToStick model={model} state={state} machine={machine} protection={protection} />
    </Panel>
  )
}

function Download({ session, protection }: { session: Session } & Protected): JSX.Element {
  const received = useSignal<number | null>(null)
  const good = useSignal<string | null>(null)
  const downloading = useAttempt(async () => {
    good.value = null
    try {
      const keys = keysToSend(protection)
      // A backup holds the keys of the box: it is made only in somebody's name.
      const actor = await session.withActor()
      received.value = 0
      const { file, name } = await fetchBackup(session, { ...keys, actor }, (bytes) => (received.value = bytes))
      saveAs(file, name)
      forgetTyped(protection)
      good.value = say.downloaded(name, common.import.size(file.size))
    } finally {
      received.value = null
    }
  })
  return (
    <>
      <div class="part-row">
        <Run work={downloading}>{say.download}</Run>
      </div>
      {received.value !== null && <p>{say.downloading(common.import.size(received.value))}</p>}
      <Said good={good.value} bad={downloading.problem.value} />
    </>
  )
}

function fetchBackup(
  session: Session,
  { actor, ...keys }: ReturnType<typeof keysOf> & { actor: string },
  onProgress: (bytes: number) => void,
): Promise<BoxFile> {
  let bytes = 0
  const asked = session.client.POST('/v1/admin/backup', { body: { ...keys, actor }, parseAs: 'stream' })
  return fetchFile(asked, {
    name: keys.passphrase || keys.recipients ? 'gatehouse.backup.tar.gz.age' : 'gatehouse.backup.tar.gz',
    cutShort: say.cutShort,
    receive: (response) =>
      blobOf(response, (chunk) => {
        bytes += chunk.length
        onProgress(bytes)
      }),
  })
}

function ToStick({ model: { act, session }, state, machine, protection }: BackupProps & Protected): JSX.Element {
  const { stick, backup } = machine
  const isMoving = backup.state === 'making' || backup.state === 'copying'
  const writing = useOnce(() =>
    act(async (actor) => {
      const keys = keysToSend(protection)
      await answered(session.client.POST('/v1/admin/backup/usb', { body: { ...keys, actor } }))
      forgetTyped(protection)
      await state.read()
      return say.making
    }),
  )
  return (
    <>
      <p class="quiet">{stick ? say.hasStick : say.noStick}</p>
      <div class="part-row">
        <Run work={writing} disabled={!stick || isMoving}>
          {say.toStick}
        </Run>
      </div>
      {isMoving && (
        <div>
          <Progress
            text={backup.state === 'making' ? say.making : say.copying(backup.percent)}
            label={say.toStick}
            value={backup.percent}
            max={100}
          />
        </div>
      )}
      <Said
        good={backup.state === 'done' && stick ? say.done(backup.name) : null}
        bad={
          backup.state === 'failed'
            ? say.backupFailed(saidBy('machine', backup.reason_coded, backup.reason ?? ''))
            : null
        }
      />
    </>
  )
}

/** @throws Refused with what has to be corrected in the form */
function keysToSend(protection: Signal<Protection>) {
  const mistake = mistakeIn(protection.value)
  if (mistake) throw new Refused('bad_request', 0, say.protectionMistakes[mistake])
  return keysOf(protection.value)
}

/** A passphrase does not stay on a screen that somebody leaves open. The choice stays: the next backup is the same kind. */
function forgetTyped(protection: Signal<Protection>): void {
  const { way, recipients } = protection.peek()
  protection.value = { ...UNPROTECTED, way, recipients }
}
