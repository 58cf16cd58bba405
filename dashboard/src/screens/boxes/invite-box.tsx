/** Inviting another box: one command there, with what stands here as text and as a QR code. */
import { Qr } from '@gatehouse/proto/ui/qr.tsx'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { answered } from '../../session/answered.ts'
import { client } from '../../session/session.ts'
import { askAndAct } from '../../widgets/act.ts'
import { Dialog } from '../../widgets/dialog.tsx'
import { words } from '../../words/en-actions.ts'
import { leftOf } from '../devices/invite.ts'
import { once } from '../parts/once.ts'
import { Copy, Panel, useNow } from '../parts/parts.tsx'

const say = words.boxes.invite
const KINDS = ['box', 'voter', 'data-centre'] as const
type Kind = (typeof KINDS)[number]
const SECONDS = 3600

interface Shown {
  text: string
  kind: Kind
  /** By this device's clock, Unix ms. */
  made: { at: number; seconds: number }
}

export function InviteBox(): JSX.Element {
  const shown = useSignal<Shown | null>(null)
  const inviting = useMemo(
    () =>
      once(() =>
        askAndAct(
          {
            ...{ title: say.title, text: say.text, submit: say.submit },
            fields: [
              {
                ...{ name: 'as', label: say.kind, kind: 'choice', required: true, value: KINDS[0] },
                options: KINDS.map((value) => ({ value, label: say.kinds[value] })),
              },
              { name: 'reason', label: words.reason, required: true, suggestions: say.reasons },
            ],
          },
          async ({ as = '', reason = '' }, actor) => {
            const kind = KINDS.find((each) => each === as) ?? KINDS[0]
            const body = { actor, reason: reason.trim(), as: kind, expires_in_seconds: SECONDS }
            const { invite } = await answered(client.POST('/v1/admin/mesh/invite', { body }))
            shown.value = { text: invite, kind, made: { at: Date.now(), seconds: SECONDS } }
            return say.made
          },
        ),
      ),
    [],
  )
  return (
    <Panel title={say.panel} lead={say.lead}>
      <div class="part-row">
        <button
          type="button"
          class="primary part-main"
          aria-busy={inviting.busy.value}
          onClick={() => void inviting.run()}
        >
          {say.button}
        </button>
      </div>
      {shown.value && <InviteShown shown={shown.value} close={() => (shown.value = null)} />}
    </Panel>
  )
}

function InviteShown({ shown: { text, kind, made }, close }: { shown: Shown; close: () => void }): JSX.Element {
  const left = leftOf(made, useNow())
  const command = `gatehouse mesh ${kind === 'voter' ? 'voter' : 'join'} '${text}'`
  return (
    <Dialog title={say.shown} onClose={close} class="boxes-invite">
      <div class="boxes-invite-body">
        {left > 0 ? (
          <>
            <Qr class="boxes-qr" text={text} label={say.label} />
            <p class="boxes-left" role="timer">
              {say.left(words.time.clock(left))}
            </p>
            <p>{say.secret}</p>
            <p>{say.how}</p>
            <code class="part-code">{command}</code>
          </>
        ) : (
          <p role="status">{say.over}</p>
        )}
        <div class="part-row">
          {left > 0 && <Copy text={command} label={say.copy} />}
          <button type="button" class="part-main" onClick={close}>
            {say.close}
          </button>
        </div>
      </div>
    </Dialog>
  )
}
