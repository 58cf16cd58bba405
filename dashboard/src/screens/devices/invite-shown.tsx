/** An invite as large as the screen, white whatever the theme, until the phone is in or the time is over. */
import { Qr } from '@gatehouse/proto/ui/qr.tsx'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { Dialog } from '../../widgets/dialog.tsx'
import type { Toasts } from '../../widgets/toasts.ts'
import { actionWords as words } from '../../words/late.ts'
import { Copy, useNow } from '../parts/parts.tsx'
import type { RosterState, ShownInvite } from './devices.tsx'
import { cameIn, hostOfOwn, leftOf, linkOf } from './invite.ts'

const say = words.devices.shown
const LOOK_EVERY_MS = 2_000
const URGENT_MS = 60_000

interface InviteShownProps {
  shown: ShownInvite
  roster: RosterState
  toasts: Toasts
  close: () => void
}

export function InviteShown({ shown, roster, toasts, close }: InviteShownProps): JSX.Element {
  const { invite, typed, name, checkpoints, made, before } = shown
  const left = leftOf(made, useNow())
  const paired = useSignal<string | null>(null)
  useEffect(() => {
    const timer = setInterval(async () => {
      if (paired.value !== null) return
      await roster.read()
      paired.value = cameIn(before, checkpoints, roster.found.value ?? [])?.name ?? null
    }, LOOK_EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  const link = linkOf(invite)
  const open = paired.value === null && left > 0
  const own = hostOfOwn(typed?.url ?? link)
  return (
    <Dialog title={say.title(name)} onClose={close} class="devices-invite">
      <div class="devices-invite-body">
        {open && (
          <>
            <Qr class="devices-qr" text={link} label={say.label} />
            {/* Read out as it begins and ends, not every second. */}
            <p class="devices-left" data-urgent={left < URGENT_MS} role="timer">
              {say.left(words.time.clock(left))}
            </p>
            {own !== null && <p class="part-problem">{say.own(own)}</p>}
            <p class="quiet">{typed ? say.howApp : say.how}</p>
            {typed && (
              <p class="devices-typed">
                {say.typed} <code>{typed.url}</code> <code>{typed.token}</code>
              </p>
            )}
          </>
        )}
        <div role="status">
          {paired.value !== null && <p class="devices-paired">{say.paired(paired.value)}</p>}
          {paired.value === null && left === 0 && <p class="devices-paired">{say.over}</p>}
        </div>
        <div class="part-row">
          {open && !typed && <Copy text={link} label={words.copy.link} toasts={toasts} />}
          <button type="button" class="part-main" onClick={close}>
            {say.close}
          </button>
        </div>
      </div>
    </Dialog>
  )
}
