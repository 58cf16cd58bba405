/** The newest seal, and a new one to photograph. */
import { Qr } from '@gatehouse/proto/ui/qr.tsx'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { boxNow, refresh, stats } from '../../live/live.ts'
import { answered } from '../../session/answered.ts'
import { client } from '../../session/session.ts'
import { act } from '../../widgets/act.ts'
import { words } from '../../words/en-actions.ts'
import { once } from '../parts/once.ts'
import { Copy, Panel } from '../parts/parts.tsx'

const say = words.record

export function SealPanel(): JSX.Element {
  const note = useSignal<string | null>(null)
  const sealing = useMemo(
    () =>
      once(() =>
        act(async (actor) => {
          const sealed = await answered(client.POST('/v1/admin/seal', { body: { actor } }))
          note.value = sealed.checkpoint
          refresh()
          return say.sealed(sealed.size)
        }),
      ),
    [],
  )
  const { value } = stats
  const seal = value?.seal
  return (
    <Panel title={say.seal}>
      {value && seal && (
        <div>
          <p class="record-size">{say.size(seal.size)}</p>
          <p class="quiet">
            {seal.at && `${say.age(words.time.ago(boxNow.value - Date.parse(seal.at)))}. `}
            {say.ahead(value.entries - seal.size)}
          </p>
        </div>
      )}
      {seal?.refusal && (
        <p class="part-note" data-tone="bad">
          {say.refusals[seal.refusal]} {say.refused}
        </p>
      )}
      <div class="part-row">
        <button
          type="button"
          class="primary part-main"
          aria-busy={sealing.busy.value}
          onClick={() => void sealing.run()}
        >
          {say.sealNow}
        </button>
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
              <Copy text={note.value} label={words.copy.text} />
            </div>
          </div>
        </section>
      )}
    </Panel>
  )
}
