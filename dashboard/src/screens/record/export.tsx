/** The whole record as a file, with the key and the command to check it. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Model } from '../../model.ts'
import { answered } from '../../session/answered.ts'
import type { Session } from '../../session/session.ts'
import { useAttempt } from '../../widgets/attempt.ts'
import type { Toasts } from '../../widgets/toasts.ts'
import { actionWords as words } from '../../words/late.ts'
import { type BoxFile, fetchFile } from '../parts/fetch-file.ts'
import { Copy, Panel, Progress, Run, Said } from '../parts/parts.tsx'
import { saveAs } from '../parts/save.ts'
import { receive } from './receive.ts'

const say = words.record
const FILE = 'gatehouse-record.jsonl'

export function ExportPanel({ session, toasts }: Model): JSX.Element {
  const { fraction, exported, exporting } = useExport(session)
  const key = useSignal<string | null>(null)
  useEffect(() => {
    answered(session.client.GET('/v1/meta')).then(
      (meta) => (key.value = meta.verifier_key),
      () => {
        // The export itself will say that the box does not answer.
      },
    )
  }, [])
  const { value } = exported
  return (
    <Panel title={say.export} lead={say.exportLead}>
      <div class="part-row">
        <Run work={exporting} class="part-main">
          {say.exportRun}
        </Run>
        {value && (
          <button type="button" class="part-main" onClick={() => saveAs(value.file, value.name)}>
            {say.saveAgain}
          </button>
        )}
      </div>
      {fraction.value !== null && (
        <div>
          <Progress
            text={fraction.value === 0 ? say.exportBegun : say.exporting(Math.round(fraction.value * 100))}
            label={say.exportRun}
            value={fraction.value > 0 ? fraction.value : null}
          />
        </div>
      )}
      <Said
        good={value && say.exported(value.name, words.import.size(value.file.size))}
        bad={exporting.problem.value}
      />
      {key.value !== null && <Check file={value?.name ?? FILE} verifierKey={key.value} toasts={toasts} />}
    </Panel>
  )
}

/** The record on its way here, and what came of it. */
function useExport(session: Session) {
  const fraction = useSignal<number | null>(null)
  const exported = useSignal<BoxFile | null>(null)
  const exporting = useAttempt(async () => {
    exported.value = null
    try {
      const actor = await session.withActor()
      fraction.value = 0
      const asked = session.client.GET('/v1/admin/export', { params: { query: { actor } }, parseAs: 'stream' })
      exported.value = await fetchFile(asked, {
        name: FILE,
        cutShort: say.cutShort,
        receive: (response) =>
          receive(response, (part) => {
            // A record of a million entries comes in many thousand pieces: drawn by the hundredth.
            const hundredths = Math.floor(part * 100) / 100
            if (hundredths !== fraction.value) fraction.value = hundredths
          }),
      })
      saveAs(exported.value.file, exported.value.name)
    } finally {
      fraction.value = null
    }
  })
  return { fraction, exported, exporting }
}

interface CheckProps {
  file: string
  verifierKey: string
  toasts: Toasts
}

/** The key and the command with which the recipient checks the file. */
function Check({ file, verifierKey, toasts }: CheckProps): JSX.Element {
  const command = `node verify-export.ts ${file} --key '${verifierKey}'`
  return (
    <div class="record-check">
      <h3>{say.key}</h3>
      <p class="quiet">{say.keyHow}</p>
      <code class="part-code">{verifierKey}</code>
      <h3>{say.check}</h3>
      <p class="quiet">{say.checkHow}</p>
      <code class="part-code">{command}</code>
      <div class="part-row">
        <Copy text={verifierKey} label={say.copyKey} toasts={toasts} />
        <Copy text={command} label={say.copyCommand} toasts={toasts} />
      </div>
    </div>
  )
}
