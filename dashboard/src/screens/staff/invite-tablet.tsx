/** A link that pairs a tablet with somebody: asked for, and shown once. */
import { Qr } from '@gatehouse/proto/ui/qr.tsx'
import type { StaffPerson } from '@gatehouse/proto/wire/staff.ts'
import type { Signal } from '@preact/signals'
import type { JSX } from 'preact'
import type { Model } from '../../model.ts'
import { answered } from '../../session/answered.ts'
import { Dialog } from '../../widgets/dialog.tsx'
import { staffWords as say, actionWords as words } from '../../words/late.ts'
import { Copy } from '../parts/parts.tsx'

export interface ShownLink {
  /** Of the person. */
  name: string
  link: string
  expiresAt: string
  trustPage: string | null
}

export function inviteTablet(
  { askAndAct, session: { client } }: Model,
  { id, name }: StaffPerson,
  shown: Signal<ShownLink | null>,
): Promise<boolean> {
  const fields = [{ name: 'device', label: say.inviteDevice, required: true, maxLength: 80 }]
  const form = { title: say.inviteNamed(name), text: say.inviteText, submit: say.invite, fields }
  return askAndAct(form, async ({ device = '' }, actor) => {
    const body = { device: device.trim(), actor }
    const made = await answered(client.POST('/v1/admin/staff/{id}/invite', { params: { path: { id } }, body }))
    shown.value = { name, link: made.link, expiresAt: made.expires_at, trustPage: made.trust_page }
    return say.inviteMade
  })
}

export function LinkShown({
  shown,
  toasts,
}: {
  shown: Signal<ShownLink | null>
  toasts: Model['toasts']
}): JSX.Element | null {
  const { value } = shown
  if (value === null) return null
  const close = () => {
    shown.value = null
  }
  return (
    <Dialog title={say.inviteNamed(value.name)} onClose={close}>
      <Qr text={value.link} label={say.inviteLabel(value.name)} />
      <p>{say.inviteHow(words.time.at(value.expiresAt))}</p>
      <code class="part-code">{value.link}</code>
      {value.trustPage !== null && (
        <p>
          {words.trustFirst} <code>{value.trustPage}</code>
        </p>
      )}
      <div class="part-row">
        <Copy text={value.link} label={say.inviteCopy} toasts={toasts} />
        <button type="button" class="part-main" onClick={close}>
          {say.inviteDone}
        </button>
      </div>
    </Dialog>
  )
}
