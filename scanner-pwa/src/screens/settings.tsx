/** How this phone looks and sounds, what it is, and how it stops being a scanner. */
import type { Offline } from '@gatehouse/proto/ui/offline.ts'
import type { Theme } from '@gatehouse/proto/ui/theme.ts'
import { type Signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Camera } from '../camera/camera.ts'
import type { Scanner } from '../model.ts'
import type { Preferences } from '../preferences.ts'
import { hashOf } from '../route.ts'
import { PATTERNS } from '../sound/patterns.ts'
import type { Sound } from '../sound/sound.ts'
import { moment, words } from '../words/en.ts'
import { createAttempt } from './attempt.ts'
import { Dialog } from './dialog.tsx'
import { HearVerdicts } from './hear-verdicts.tsx'
import { Page } from './page.tsx'
import './settings.css'

interface SettingsProps {
  scanner: Scanner
  preferences: Preferences
  theme: Signal<Theme>
  camera: Camera
  sound: Sound
  offline: Offline
  version: string
}

const say = words.settings
const THEMES = ['auto', 'light', 'dark'] as const

export function SettingsScreen({
  scanner,
  preferences,
  theme,
  camera,
  sound,
  offline,
  version,
}: SettingsProps): JSX.Element {
  const unpairing = useSignal(false)
  const { volume, vibration } = preferences
  const pairing = scanner.pairing.value
  return (
    <Page title={say.title}>
      {offline.newer.value && (
        <p class="settings-newer">
          <span>{say.newer}</span>
          <button type="button" class="primary" onClick={offline.restart}>
            {say.restart}
          </button>
        </p>
      )}
      <div class="stack">
        <a class="button big" href={hashOf('checkpoint')}>
          {say.checkpoint}
        </a>
        <a class="button big" href={hashOf('preflight')}>
          {say.preflight}
        </a>
      </div>

      <fieldset class="settings-theme">
        <legend>{say.theme}</legend>
        {THEMES.map((name) => (
          <label key={name}>
            <input
              type="radio"
              name="theme"
              checked={theme.value === name}
              onChange={() => {
                theme.value = name
              }}
            />
            {say.themes[name]}
          </label>
        ))}
      </fieldset>

      <label class="field">
        {say.volume}
        <input
          type="range"
          min={0}
          max={1}
          step={0.1}
          value={volume.value}
          aria-valuetext={say.volumeOf(Math.round(volume.value * 100))}
          onInput={(event) => {
            volume.value = event.currentTarget.valueAsNumber
          }}
          onChange={() => sound.play(PATTERNS.admit)}
        />
      </label>
      <HearVerdicts sound={sound} />
      {'vibrate' in navigator && (
        <label class="settings-check">
          <input
            type="checkbox"
            checked={vibration.value}
            onChange={(event) => {
              vibration.value = event.currentTarget.checked
            }}
          />
          {say.vibration}
        </label>
      )}
      <CameraChoice camera={camera} chosen={preferences.camera} />

      <h2>{say.phone}</h2>
      <dl class="settings-facts">
        {pairing && (
          <>
            <Fact name={say.name} value={pairing.deviceName} />
            <Fact name={say.event} value={pairing.eventName} />
            <Fact name={say.box} value={new URL(pairing.baseUrl).host} />
            <Fact name={say.supervisor} value={pairing.supervisor ? say.yes : say.no} />
            <Fact name={say.certificate} value={moment(pairing.certificateExpiresAt)} />
          </>
        )}
        <Fact name={say.version} value={version} />
      </dl>
      <button
        type="button"
        class="danger big"
        onClick={() => {
          unpairing.value = true
        }}
      >
        {say.unpair}
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

function Fact({ name, value }: { name: string; value: string }): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

function CameraChoice({ camera, chosen }: { camera: Camera; chosen: Signal<string | null> }): JSX.Element {
  const choices = camera.choices.value
  return (
    <label class="field">
      {say.camera}
      <select
        value={chosen.value ?? ''}
        onChange={(event) => camera.choose(event.currentTarget.value === '' ? null : event.currentTarget.value)}
      >
        <option value="">{words.camera.automatic}</option>
        {choices.map(({ id, label }, i) => (
          <option key={id} value={id}>
            {label || words.camera.numbered(i + 1)}
          </option>
        ))}
      </select>
    </label>
  )
}

export function UnpairDialog({ scanner, close }: { scanner: Scanner; close: () => void }): JSX.Element {
  const [attempt] = useState(createAttempt)
  // What the box has refused is on this phone alone, too.
  const lost = scanner.unsent.value + scanner.aside.value.length
  return (
    <Dialog title={say.unpairTitle} onClose={close}>
      <p>{say.unpairText}</p>
      {lost > 0 && <p class="bad settings-lost">{say.unpairUnsent(lost)}</p>}
      {attempt.problem.value && (
        <p role="alert" class="bad">
          {attempt.problem.value}
        </p>
      )}
      <button
        type="button"
        class="danger big"
        disabled={attempt.busy.value}
        onClick={() =>
          void attempt
            .run(() => scanner.unpair({ force: lost > 0 }))
            .then((done) => {
              if (!done) return
              close()
              location.hash = hashOf('pair')
            })
        }
      >
        {lost > 0 ? say.unpairForce(lost) : say.unpairConfirm}
      </button>
    </Dialog>
  )
}
