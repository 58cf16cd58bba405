/** Who may scan: invites to hold up to a phone, and everybody who came in on one. */
import './devices.css'
import type { components } from '@gatehouse/proto/client.ts'
import type { Invite } from '@gatehouse/proto/wire/admin.ts'
import { type Signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { answered, sentenceOf } from '../../session/answered.ts'
import { client } from '../../session/session.ts'
import { words } from '../../words/en-actions.ts'
import { Page } from '../parts/parts.tsx'
import { InviteForm } from './invite-form.tsx'
import { InviteShown } from './invite-shown.tsx'
import { Roster } from './roster.tsx'

export type Device = components['schemas']['Devices']['devices'][number]

/** An invite that is held up. */
export interface ShownInvite {
  invite: Invite
  name: string
  checkpoints: readonly string[]
  /** By this device's clock, Unix ms, and for how long. */
  made: { at: number; seconds: number }
  /** Who was there before. */
  before: ReadonlySet<string>
}

export interface RosterState {
  devices: Signal<readonly Device[] | null>
  problem: Signal<string | null>
  read: () => Promise<void>
}

export function Screen(): JSX.Element {
  const shown = useSignal<ShownInvite | null>(null)
  const roster: RosterState = {
    devices: useSignal<readonly Device[] | null>(null),
    problem: useSignal<string | null>(null),
    async read() {
      try {
        roster.devices.value = (await answered(client.GET('/v1/admin/devices'))).devices
        roster.problem.value = null
      } catch (error) {
        roster.problem.value = sentenceOf(error)
      }
    },
  }
  useEffect(() => void roster.read(), [])
  return (
    <Page title={words.devices.title}>
      <InviteForm roster={roster} shown={shown} />
      <Roster roster={roster} />
      {shown.value && <InviteShown shown={shown.value} roster={roster} close={() => (shown.value = null)} />}
    </Page>
  )
}
