/** The box does not take this phone any more: what to do, in the place where the camera was. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { Scanner } from '../model.ts'
import { words } from '../words/en.ts'
import { Page } from './page.tsx'
import { UnpairDialog } from './settings.tsx'

export function EndedScreen({ scanner }: { scanner: Scanner }): JSX.Element {
  const unpairing = useSignal(false)
  return (
    <Page title={words.ended.title}>
      <p role="alert" class="bad ended-why">
        {scanner.ended.value}
      </p>
      <button
        type="button"
        class="primary big"
        onClick={() => {
          unpairing.value = true
        }}
      >
        {words.ended.pairAgain}
      </button>
      {unpairing.value && (
        <UnpairDialog
          scanner={scanner}
          close={() => {
            unpairing.value = false
          }}
        />
      )}
    </Page>
  )
}
