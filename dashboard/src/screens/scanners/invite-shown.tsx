/** An invite as large as the screen, white whatever the theme, until the phone is in or the time is over. */

import { Qr } from '@gatehouse/proto/ui/qr.tsx'
import type { Invite } from '@gatehouse/proto/wire/admin.ts'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { Dialog } from '../../widgets/dialog.tsx'
import type { Toasts } from '../../widgets/toasts.ts'
import { actionWords as words } from '../../words/late.ts'
import { Copy, useNow } from '../parts/parts.tsx'
import type { Read } from '../parts/read.ts'
import { cameIn, hostOfOwn, leftOf, linkOf } from './invite.ts'
import type { Device } from './listed.ts'

const say = words.devices.shown
const LOOK_EVERY_MS = 2_000
const URGENT_MS = 60_000

export type Roster = Read<readonly Device[]>

/** An invite that is held up. */
export interface ShownInvite {
  invite: Invite
  /** For pretixSCAN: what a person types where the app reads no QR code. */
  typed?: { url: string; token: string }
  name: string
  checkpoints: readonly string[]
  /** By this device's clock, Unix ms, and for how long. */
  made: { at: number; seconds: number }
  /** Ids of the devices that were paired before. */
  before: ReadonlySet<string>
}

interface InviteShownProps {
  shown: ShownInvite
  roster: Roster
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
    <Dialog title={say.title(name)} onClose={close} class="invite-shown">
      <div class="invite-body">
        {open && (
          <>
            <Qr class="invite-qr" text={link} label={say.label} />
            {/* Read out as it begins and ends, not every second. */}
            <p class="invite-left" data-urgent={left < URGENT_MS} role="timer">
              {say.left(words.time.clock(left))}
            </p>
            {own !== null && <p class="part-problem">{say.own(own)}</p>}
            <p class="quiet">{typed ? say.howApp : say.how}</p>
            {invite.trust_page !== null && (
              <p>
                {words.trustFirst} <code>{invite.trust_page}</code>
              </p>
            )}
            {typed && (
              <p class="invite-typed">
                {say.typed} <code>{typed.url}</code> <code>{typed.token}</code>
              </p>
            )}
          </>
        )}
        <div role="status">
          {paired.value !== null && <p class="invite-paired">{say.paired(paired.value)}</p>}
          {paired.value === null && left === 0 && <p class="invite-paired">{say.over}</p>}
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
