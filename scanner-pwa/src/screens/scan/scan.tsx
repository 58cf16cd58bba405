/** Where a shift is spent: the camera, what this phone knows of the box, and what it has not sent yet. */
import { type ReadonlySignal, type Signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Camera } from '../../camera/camera.ts'
import type { Decoder } from '../../camera/decoder.ts'
import { Viewfinder } from '../../camera/viewfinder.tsx'
import type { Scanner } from '../../model.ts'
import { hashOf } from '../../route.ts'
import type { Sound } from '../../sound/sound.ts'
import type { WakeLock } from '../../wake-lock.ts'
import { words } from '../../words/en.ts'
import { dialogIsOpen } from '../dialog.tsx'
import { Icon } from '../icon.tsx'
import type { ScanFlow } from './flow.ts'
import { LastScan } from './last-scan.tsx'
import { Notices } from './notices.tsx'
import { TypedEntry } from './typed-entry.tsx'
import './scan.css'

interface ScanProps {
  scanner: Scanner
  flow: ScanFlow
  camera: Camera
  decoder: Decoder
  sound: Sound
  wakeLock: WakeLock
  now: ReadonlySignal<number>
  dismissed: Signal<ReadonlySet<string>>
}

export function ScanScreen({
  scanner,
  flow,
  camera,
  decoder,
  sound,
  wakeLock,
  now,
  dismissed,
}: ScanProps): JSX.Element {
  const typing = useSignal(false)
  useEffect(() => {
    wakeLock.hold()
    return () => wakeLock.release()
  }, [wakeLock])

  return (
    <div class="scan">
      <div class="scan-top">
        <ScanHead scanner={scanner} now={now} />
        <Notices scanner={scanner} now={now} dismissed={dismissed} sound={sound} />
        {flow.failed.value && (
          <p class="scan-failed" role="status">
            {words.scan.failed}
          </p>
        )}
      </div>
      <Viewfinder camera={camera} decoder={decoder} sighted={flow.sighted} resting={dialogIsOpen} />
      <div class="scan-controls">
        <LastScan scanner={scanner} flow={flow} />
        <div class="scan-tools">
          <button
            type="button"
            onClick={() => {
              typing.value = true
            }}
          >
            <Icon name="keyboard" />
            {words.scan.type}
          </button>
          <TorchButton camera={camera} />
          <CameraButton camera={camera} />
          {sound.locked.value && (
            // Any touch unlocks it; this only says so.
            <button type="button" class="warn">
              <Icon name="mute" />
              {words.scan.tapForSound}
            </button>
          )}
          <a class="button scan-report" href={hashOf('incidents')} aria-label={words.scan.reportLong}>
            <Icon name="alarm" />
            {words.scan.report}
          </a>
        </div>
      </div>
      {typing.value && (
        <TypedEntry
          submit={(text) => {
            typing.value = false
            flow.typed(text)
          }}
          close={() => {
            typing.value = false
          }}
        />
      )}
    </div>
  )
}

function ScanHead({ scanner, now }: { scanner: Scanner; now: ReadonlySignal<number> }): JSX.Element {
  const checkpoint = scanner.checkpoint.value
  const { state, heardAt, away } = scanner.link.value
  const unsent = scanner.unsent.value
  const reachable = away === null ? words.link.reachable : words.link.away(away)
  const said = state === 'reachable' ? reachable : heardAt === null ? words.link.neverHeard : null
  return (
    <header class="scan-head">
      <a class="scan-place" href={hashOf('checkpoint')} aria-description={words.scan.change}>
        <h1>{checkpoint?.name}</h1>
        <span>{checkpoint && checkpoint.gate_name !== checkpoint.name && checkpoint.gate_name}</span>
      </a>
      <p class="scan-link" data-state={state} data-away={away !== null}>
        <Icon name={state === 'reachable' ? 'linked' : 'alone'} />
        {said ?? words.link.alone(now.value - (heardAt ?? 0))}
      </p>
      <p class="scan-unsent" data-some={unsent > 0}>
        <Icon name={unsent > 0 ? 'unsent' : 'sent'} />
        {words.link.unsent(unsent)}
      </p>
      <span class="visually-hidden" role="status">
        {said ?? words.notice.alone(null)}
      </span>
    </header>
  )
}

function TorchButton({ camera }: { camera: Camera }): JSX.Element | null {
  const on = camera.torch.value
  if (on === null) return null
  return (
    <button type="button" aria-pressed={on} onClick={() => void camera.setTorch(!on)}>
      <Icon name="torch" />
      {on ? words.camera.torchOff : words.camera.torchOn}
    </button>
  )
}

/** The next of the cameras: a list would need a second press, and a phone has two or three. */
function CameraButton({ camera }: { camera: Camera }): JSX.Element | null {
  const choices = camera.choices.value
  if (choices.length < 2) return null
  const state = camera.state.value
  const at = choices.findIndex(({ label }) => state.kind === 'open' && label === state.label)
  return (
    <button type="button" onClick={() => camera.choose(choices[(at + 1) % choices.length]?.id ?? null)}>
      <Icon name="flip" />
      {words.camera.switch}
    </button>
  )
}
