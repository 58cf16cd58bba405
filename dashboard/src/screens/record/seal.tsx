/** The newest seal, and a new one to photograph. */
import { Qr } from '@gatehouse/proto/ui/qr.tsx'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { Model } from '../../model.ts'
import { answered } from '../../session/answered.ts'
import { useOnce } from '../../widgets/once.ts'
import { actionWords as words } from '../../words/late.ts'
import { Copy, Note, Panel, Run } from '../parts/parts.tsx'

const say = words.record

export function SealPanel({ act, live, session, toasts }: Model): JSX.Element {
  const note = useSignal<string | null>(null)
  const sealing = useOnce(() =>
    act(async (actor) => {
      const sealed = await answered(session.client.POST('/v1/admin/seal', { body: { actor } }))
      note.value = sealed.checkpoint
      live.refresh()
      return say.sealed(sealed.size)
    }),
  )
  const { value } = live.stats
  const seal = value?.seal
  return (
    <Panel title={say.seal}>
      {value && seal && (
        <div>
          <p class="record-size">{say.size(seal.size)}</p>
          <p class="quiet">
            {seal.at && `${say.age(words.time.ago(live.boxNow.value - Date.parse(seal.at)))}. `}
            {say.ahead(value.entries - seal.size)}
          </p>
        </div>
      )}
      {seal?.refusal && (
        <Note tone="bad">
          {say.refusals[seal.refusal]} {say.refused}
        </Note>
      )}
      <div class="part-row">
        <Run work={sealing} class="primary part-main">
          {say.sealNow}
        </Run>
        {note.value === null && <p class="quiet">{say.noNote}</p>}
      </div>
      {note.value !== null && (
        <section class="record-note" aria-label={say.note}>
          <Qr text={note.value} label={say.noteLabel} />
          <div>
            <h3>{say.note}</h3>
            <p>{say.noteHow}</p>
            <code class="part-code">{note.value}</code>
            <div class="part-row">
              <Copy text={note.value} label={words.copy.text} toasts={toasts} />
            </div>
          </div>
        </section>
      )}
    </Panel>
  )
}
