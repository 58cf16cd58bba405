/** The form for how a backup is encrypted. What is typed is in no address, no storage and no form of the browser. */
import { type Signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import { applianceWords as say } from '../../words/late.ts'
import { Choices, Note } from '../parts/parts.tsx'
import { type Protection, strengthOf, WAYS } from './protection.ts'

export const UNPROTECTED: Protection = { way: 'passphrase', passphrase: '', again: '', recipients: '' }

export function useProtection(): Signal<Protection> {
  return useSignal(UNPROTECTED)
}

export function ProtectionForm({ protection }: { protection: Signal<Protection> }): JSX.Element {
  const { value } = protection
  const set = (change: Partial<Protection>) => {
    protection.value = { ...protection.peek(), ...change }
  }
  return (
    <>
      <Choices
        label={say.protect}
        options={WAYS.map((way) => ({ value: way, label: say.ways[way] }))}
        value={value.way}
        set={(way) => set({ way })}
      />
      {value.way === 'passphrase' && (
        <>
          <Secret label={say.passphrase} value={value.passphrase} set={(passphrase) => set({ passphrase })}>
            {value.passphrase === '' ? say.passphraseHint : say.strength[strengthOf(value.passphrase)]}
          </Secret>
          <Secret label={say.passphraseAgain} value={value.again} set={(again) => set({ again })}>
            {say.passphraseLost}
          </Secret>
        </>
      )}
      {value.way === 'recipients' && <Recipients value={value.recipients} set={(recipients) => set({ recipients })} />}
      {value.way === 'none' && <Note tone="bad">{say.worth}</Note>}
    </>
  )
}

interface TypedProps {
  value: string
  set: (value: string) => void
}

function Secret({ label, value, set, children }: TypedProps & { label: string; children: string }): JSX.Element {
  const id = useId()
  return (
    <div class="part-field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="password"
        autocomplete="new-password"
        spellcheck={false}
        maxLength={1000}
        aria-describedby={`${id}-hint`}
        value={value}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
      <p id={`${id}-hint`} class="quiet" aria-live="polite">
        {children}
      </p>
    </div>
  )
}

function Recipients({ value, set }: TypedProps): JSX.Element {
  const id = useId()
  return (
    <div class="part-field">
      <label for={id}>{say.recipients}</label>
      <textarea
        id={id}
        rows={3}
        spellcheck={false}
        autocomplete="off"
        aria-describedby={`${id}-hint`}
        value={value}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
      <p id={`${id}-hint`} class="quiet">
        {say.recipientsHint}
      </p>
    </div>
  )
}
