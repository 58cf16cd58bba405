/** Scanners: invites to hold up to a phone, and every device that was paired with one. */
import './devices.css'
import type { components } from '@gatehouse/proto/client.ts'
import type { Invite } from '@gatehouse/proto/wire/admin.ts'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Model } from '../../model.ts'
import { answered } from '../../session/answered.ts'
import { actionWords as words } from '../../words/late.ts'
import { Page } from '../parts/parts.tsx'
import { type Read, useRead } from '../parts/read.ts'
import { InviteForm } from './invite-form.tsx'
import { InviteShown } from './invite-shown.tsx'
import { Roster } from './roster.tsx'

export type Device = components['schemas']['Devices']['devices'][number]

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

export type RosterState = Read<readonly Device[]>

export function Screen(model: Model): JSX.Element {
  const { client } = model.session
  const shown = useSignal<ShownInvite | null>(null)
  const roster = useRead(async () => (await answered(client.GET('/v1/admin/devices'))).devices)
  useEffect(() => void roster.read(), [])
  return (
    <Page title={words.devices.title}>
      {model.session.may('invite') && <InviteForm model={model} roster={roster} shown={shown} />}
      <Roster model={model} roster={roster} />
      {shown.value && (
        <InviteShown shown={shown.value} roster={roster} toasts={model.toasts} close={() => (shown.value = null)} />
      )}
    </Page>
  )
}
