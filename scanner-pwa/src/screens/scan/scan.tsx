/** The screen of a shift: the camera, the state of the box, and the number of unsent entries. */

import type { Camera } from '@gatehouse/proto/ui/camera/camera.ts'
import { Viewfinder } from '@gatehouse/proto/ui/camera/viewfinder.tsx'
import type { ReadonlySignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Scanner } from '../../gate/model.ts'
import type { Model } from '../../model.ts'
import { hashOf } from '../../route.ts'
import { words } from '../../words/words.ts'
import { dialogIsOpen } from '../dialog.tsx'
import { Icon } from '../icon.tsx'
import { GroupButton } from './details-actions.tsx'
import { LastScan } from './last-scan.tsx'
import { Notices } from './notices.tsx'
import { Tray } from './tray.tsx'
import { TypedEntry } from './typed-entry.tsx'
import './scan.css'

type ScanProps = Pick<Model, 'scanner' | 'flow' | 'camera' | 'decoder' | 'sound' | 'wakeLock' | 'now' | 'dismissed'>

export function ScanScreen(props: ScanProps): JSX.Element {
  const { scanner, flow, camera, decoder, sound, wakeLock, now, dismissed } = props
  useEffect(() => {
    wakeLock.hold()
    return () => wakeLock.release()
  }, [wakeLock])
  return (
    <div class="scan">
      <div class="scan-top">
        <ScanHead scanner={scanner} now={now} />
        <Notices scanner={scanner} now={now} dismissed={dismissed} sound={sound} />
        <Tray scanner={scanner} flow={flow} />
        {flow.failed.value && (
          <p class="scan-failed" role="status">
            {words.scan.failed}
          </p>
        )}
      </div>
      <Viewfinder say={words.camera} camera={camera} decoder={decoder} sighted={flow.sighted} resting={dialogIsOpen} />
      <Controls {...props} />
    </div>
  )
}

function Controls({ scanner, flow, camera, sound }: ScanProps): JSX.Element {
  const [typing, setTyping] = useState(false)
  const [last] = scanner.recent.value
  const submit = (text: string) => {
    setTyping(false)
    flow.typed(text)
  }
  return (
    <>
      <div class="scan-controls">
        <LastScan scanner={scanner} flow={flow} />
        {last && <GroupButton record={last} flow={flow} class="primary" />}
        <div class="scan-tools">
          <button type="button" onClick={() => setTyping(true)}>
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
          {scanner.pairing.value?.supervisor && (
            <a class="button" href={hashOf('look-up')} aria-label={words.scan.lookUpLong}>
              <Icon name="search" />
              {words.scan.lookUp}
            </a>
          )}
          <a class="button scan-report" href={hashOf('incidents')} aria-label={words.scan.reportLong}>
            <Icon name="alarm" />
            {words.scan.report}
          </a>
        </div>
      </div>
      {typing && <TypedEntry submit={submit} close={() => setTyping(false)} />}
    </>
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
        <Icon name={state === 'reachable' ? 'linked' : 'offline'} />
        {said ?? words.link.offline(now.value - (heardAt ?? 0))}
      </p>
      <p class="scan-unsent" data-some={unsent > 0}>
        <Icon name={unsent > 0 ? 'unsent' : 'sent'} />
        {words.link.unsent(unsent)}
      </p>
      <span class="visually-hidden" role="status">
        {said ?? (scanner.mirror.value === null ? words.notice.noList : words.notice.offline(null))}
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
