/** Invites another box: the command to run there, and the invite as a QR code. */
import { Qr } from '@gatehouse/proto/ui/qr.tsx'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { Model } from '../../model.ts'
import { answered } from '../../session/answered.ts'
import { Dialog } from '../../widgets/dialog.tsx'
import { useOnce } from '../../widgets/once.ts'
import type { Toasts } from '../../widgets/toasts.ts'
import { actionWords as words } from '../../words/late.ts'
import { Copy, Panel, Run, useNow } from '../parts/parts.tsx'
import { leftOf } from '../scanners/invite.ts'

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

export function InviteBox({ askAndAct, session, toasts }: Model): JSX.Element {
  const shown = useSignal<Shown | null>(null)
  const inviting = useOnce(() =>
    askAndAct(
      {
        title: say.title,
        text: say.text,
        submit: say.submit,
        fields: [
          {
            name: 'as',
            label: say.kind,
            kind: 'choice',
            required: true,
            value: KINDS[0],
            options: KINDS.map((value) => ({ value, label: say.kinds[value] })),
          },
          { name: 'host', label: say.host },
          { name: 'reason', label: words.reason, required: true, suggestions: say.reasons },
        ],
      },
      async ({ as = '', host = '', reason = '' }, actor) => {
        const kind = KINDS.find((each) => each === as) ?? KINDS[0]
        const named = kind === 'voter' && host.trim() !== '' ? { host: host.trim() } : {}
        const body = { actor, reason: reason.trim(), as: kind, ...named, expires_in_seconds: SECONDS }
        const { invite } = await answered(session.client.POST('/v1/admin/mesh/invite', { body }))
        shown.value = { text: invite, kind, made: { at: Date.now(), seconds: SECONDS } }
        return say.made
      },
    ),
  )
  return (
    <Panel title={say.panel} lead={say.lead}>
      <div class="part-row">
        <Run work={inviting} class="primary part-main">
          {say.button}
        </Run>
      </div>
      {shown.value && <InviteShown shown={shown.value} toasts={toasts} close={() => (shown.value = null)} />}
    </Panel>
  )
}

interface InviteShownProps {
  shown: Shown
  toasts: Toasts
  close: () => void
}

function InviteShown({ shown: { text, kind, made }, toasts, close }: InviteShownProps): JSX.Element {
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
          {left > 0 && <Copy text={command} label={say.copy} toasts={toasts} />}
          <button type="button" class="part-main" onClick={close}>
            {say.close}
          </button>
        </div>
      </div>
    </Dialog>
  )
}
