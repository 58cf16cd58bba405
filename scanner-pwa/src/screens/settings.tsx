/** The settings of this phone: look, sound and camera; its identity; and the way to unpair it. */

import type { Camera } from '@gatehouse/proto/ui/camera/camera.ts'
import { Facts } from '@gatehouse/proto/ui/facts.tsx'
import { LanguageChoice } from '@gatehouse/proto/ui/language-choice.tsx'
import { ThemeChoice } from '@gatehouse/proto/ui/theme-choice.tsx'
import type { Signal } from '@preact/signals'
import type { JSX } from 'preact'
import type { Pairing } from '../gate/model.ts'
import type { Model } from '../model.ts'
import { hashOf } from '../route.ts'
import { PATTERNS } from '../sound/patterns.ts'
import type { Sound } from '../sound/sound.ts'
import { screenWords } from '../words/late.ts'
import { speech, words } from '../words/words.ts'
import { HearVerdicts } from './hear-verdicts.tsx'
import { Page } from './page.tsx'
import { Unpair } from './unpair.tsx'
import './settings.css'

type SettingsProps = Pick<Model, 'scanner' | 'preferences' | 'theme' | 'camera' | 'sound' | 'offline' | 'version'>

const say = screenWords.settings

export function SettingsScreen(props: SettingsProps): JSX.Element {
  const { scanner, preferences, theme, camera, sound, offline, version } = props
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
      {scanner.rehearsing.value && (
        <p class="settings-newer">
          <span>{say.rehearsal}</span>
          <button type="button" class="primary" onClick={scanner.leaveRehearsal}>
            {say.leaveRehearsal}
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
      <ThemeChoice class="settings-theme" theme={theme} legend={say.theme} names={say.themes} />
      <LanguageChoice class="settings-language" legend={say.language} auto={say.themes.auto} />
      <Volume volume={preferences.volume} sound={sound} />
      <HearVerdicts sound={sound} />
      {'vibrate' in navigator && <Vibration vibration={preferences.vibration} />}
      <CameraChoice camera={camera} chosen={preferences.camera} />
      <h2>{say.phone}</h2>
      <Facts class="settings-facts" rows={[...factsOf(scanner.pairing.value), [say.version, version]]} />
      <Unpair scanner={scanner} class="danger big" label={say.unpair} />
      <p>
        <a href="licences.txt" target="_blank" rel="noopener license">
          {say.licences}
        </a>
      </p>
    </Page>
  )
}

function Volume({ volume, sound }: { volume: Signal<number>; sound: Sound }): JSX.Element {
  return (
    <label class="field">
      {say.volume}
      <input
        type="range"
        min={0}
        max={1}
        step={0.1}
        value={volume.value}
        aria-valuetext={say.volumeOf(Math.round(volume.value * 100))}
        onInput={(event) => (volume.value = event.currentTarget.valueAsNumber)}
        onChange={() => sound.play(PATTERNS.admit)}
      />
    </label>
  )
}

function Vibration({ vibration }: { vibration: Signal<boolean> }): JSX.Element {
  return (
    <label class="settings-check">
      <input
        type="checkbox"
        checked={vibration.value}
        onChange={(event) => (vibration.value = event.currentTarget.checked)}
      />
      {say.vibration}
    </label>
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

function factsOf(pairing: Pairing | null): [string, string][] {
  if (!pairing) return []
  return [
    [say.name, pairing.deviceName],
    [say.event, pairing.eventName],
    [say.box, new URL(pairing.baseUrl).host],
    [say.supervisor, pairing.supervisor ? say.yes : say.no],
    [say.certificate, speech.moment(pairing.certificateExpiresAt)],
  ]
}
