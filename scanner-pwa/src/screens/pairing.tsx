/** Making this phone a scanner: by the link that was opened, by the camera, or by hand. */
import { type Signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Camera } from '../camera/camera.ts'
import type { Decoder } from '../camera/decoder.ts'
import { Viewfinder } from '../camera/viewfinder.tsx'
import type { Scanner } from '../model.ts'
import { hashOf } from '../route.ts'
import { words } from '../words/en.ts'
import { createAttempt } from './attempt.ts'
import { Page } from './page.tsx'
import './pairing.css'

interface PairingProps {
  scanner: Scanner
  /** As the link brought it; null: none yet. */
  invite: Signal<string | null>
  camera: Camera
  decoder: Decoder
}

const say = words.pairing

export function PairingScreen({ scanner, invite, camera, decoder }: PairingProps): JSX.Element {
  const pairing = scanner.pairing.value
  if (pairing) {
    return (
      <Page title={say.title}>
        <p>{say.already(pairing.deviceName)}</p>
        <div class="stack">
          <a
            class="button primary big"
            href={hashOf('scan')}
            onClick={() => {
              invite.value = null
            }}
          >
            {say.keep}
          </a>
          <a
            class="button"
            href={hashOf('settings')}
            onClick={() => {
              invite.value = null
            }}
          >
            {words.nav.settings}
          </a>
        </div>
      </Page>
    )
  }
  return (
    <Page title={say.title} lead={invite.value === null ? say.none : say.arrived}>
      {invite.value === null ? (
        <FindInvite invite={invite} camera={camera} decoder={decoder} />
      ) : (
        <UseInvite scanner={scanner} invite={invite} text={invite.value} />
      )}
    </Page>
  )
}

function UseInvite({
  scanner,
  invite,
  text,
}: Pick<PairingProps, 'scanner' | 'invite'> & { text: string }): JSX.Element {
  const [attempt] = useState(createAttempt)
  const [name, setName] = useState(() => say.guess(platform()))
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void attempt
          .run(() => scanner.pair(text, name))
          .then((paired) => {
            if (!paired) return
            invite.value = null
            location.hash = hashOf('checkpoint')
          })
      }}
    >
      <label>
        {say.name}
        <span class="hint">{say.nameHint}</span>
        <input
          value={name}
          maxLength={100}
          required
          autocomplete="off"
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
      {attempt.problem.value && (
        <p role="alert" class="bad pairing-problem">
          {attempt.problem.value}
        </p>
      )}
      <button type="submit" class="primary big" disabled={attempt.busy.value || name.trim() === ''}>
        {attempt.busy.value ? say.pairing : say.pair}
      </button>
      <button
        type="button"
        class="wide"
        disabled={attempt.busy.value}
        onClick={() => {
          invite.value = null
        }}
      >
        {say.another}
      </button>
    </form>
  )
}

function FindInvite({ invite, camera, decoder }: Omit<PairingProps, 'scanner'>): JSX.Element {
  const looking = useSignal(false)
  const wrong = useSignal(false)
  const [pasted, setPasted] = useState('')
  const take = (text: string) => {
    wrong.value = !/(?:^|#)i=[\w-]+/.test(text.trim())
    if (!wrong.value) invite.value = text.trim()
  }
  return (
    <>
      {looking.value && (
        <div class="pairing-camera">
          <Viewfinder
            camera={camera}
            decoder={decoder}
            sighted={({ texts: [text = ''] }) => take(text)}
            resting={() => false}
          />
        </div>
      )}
      {wrong.value && (
        <p role="alert" class="bad pairing-problem">
          {say.noInvite}
        </p>
      )}
      <button
        type="button"
        class={looking.value ? 'wide' : 'primary big'}
        onClick={() => {
          looking.value = !looking.value
          wrong.value = false
        }}
      >
        {looking.value ? say.stopCamera : say.scan}
      </button>
      <form
        class="pairing-paste"
        onSubmit={(event) => {
          event.preventDefault()
          take(pasted)
        }}
      >
        <label>
          {say.paste}
          <input
            type="text"
            inputMode="url"
            value={pasted}
            maxLength={2048}
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => setPasted(event.currentTarget.value)}
          />
        </label>
        <button type="submit" disabled={pasted.trim() === ''}>
          {say.use}
        </button>
      </form>
    </>
  )
}

function platform(): string {
  const { userAgentData } = navigator as { userAgentData?: { platform?: string } }
  const known = userAgentData?.platform ?? (/iPhone|iPad|Android/.exec(navigator.userAgent)?.[0] || '')
  return /^(Android|iPhone|iPad)$/.test(known) ? known : ''
}
