/** One screen before doors: everything that a shift needs, ready or with the thing to do. */
import type { Offline } from '@gatehouse/proto/ui/offline.ts'
import { type ReadonlySignal, type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Camera } from '../../camera/camera.ts'
import type { PreflightItem, Scanner } from '../../model.ts'
import { hashOf } from '../../route.ts'
import { PATTERNS } from '../../sound/patterns.ts'
import type { Sound } from '../../sound/sound.ts'
import type { WakeLock } from '../../wake-lock.ts'
import { words } from '../../words/en.ts'
import { Page } from '../page.tsx'
import * as checks from './checks.ts'
import './preflight.css'

interface PreflightProps {
  scanner: Scanner
  camera: Camera
  sound: Sound
  /** Somebody heard it since the app was opened. */
  heard: Signal<boolean>
  volume: ReadonlySignal<number>
  wakeLock: WakeLock
  offline: Offline
  now: ReadonlySignal<number>
}

const say = words.preflight

export function PreflightScreen(props: PreflightProps): JSX.Element {
  const { scanner, camera, sound, heard, volume, wakeLock, offline, now } = props
  const core = useSignal<readonly PreflightItem[]>([])
  const played = useSignal(false)
  const [openedAt] = useState(() => now.peek())
  const ask = async () => {
    core.value = await scanner.preflight()
  }
  useEffect(() => {
    camera.use()
    wakeLock.hold()
    return () => {
      camera.release()
      wakeLock.release()
    }
  }, [])

  const at = now.value
  useEffect(() => {
    // Whoever unpairs on another screen meanwhile is led away from this one.
    void ask().catch(() => undefined)
  }, [at])
  const items = checks.inOrder([
    checks.cameraLine(camera.state.value),
    checks.soundLine({ heard: heard.value, volume: volume.value }),
    checks.offlineLine(offline.ready.value, at - openedAt),
    checks.wakeLockLine(wakeLock.state.value),
    ...core.value,
  ])
  const missing = checks.missing(items)
  const actions: Partial<Record<PreflightItem['id'], ComponentChildren>> = {
    camera: (
      <button type="button" onClick={() => void camera.reopen()}>
        {say.tryCamera}
      </button>
    ),
    link: (
      <button type="button" onClick={scanner.retry}>
        {words.again}
      </button>
    ),
    sound: (
      <>
        <button
          type="button"
          onClick={() => {
            played.value = true
            sound.play(PATTERNS.admit)
          }}
        >
          {say.playSound}
        </button>
        {played.value && (
          <button
            type="button"
            class="primary"
            onClick={() => {
              heard.value = true
            }}
          >
            {say.heardIt}
          </button>
        )}
      </>
    ),
  }
  return (
    <Page title={say.title} lead={scanner.checkpoint.value?.name ?? ''} back="checkpoint">
      <ul class="plain-list" aria-label={say.title}>
        {items.map((item) => (
          <li key={item.id} class="preflight-item" data-item={item.id} data-state={item.state}>
            <Mark state={item.state} />
            <div class="preflight-text">
              <b>{say.names[item.id]}</b> <span class="visually-hidden">{say.states[item.state]}</span>
              <p>{item.detail}</p>
              {item.remedy && <p class="preflight-remedy">{item.remedy}</p>}
              {item.state !== 'ok' && item.state !== 'checking' && actions[item.id] && (
                <div class="preflight-actions">{actions[item.id]}</div>
              )}
            </div>
          </li>
        ))}
      </ul>
      <div class="preflight-start">
        <p role="status">{missing.length === 0 ? say.ready : say.missing(missing)}</p>
        <button
          type="button"
          class="primary big"
          onClick={() => {
            location.hash = hashOf('scan')
          }}
        >
          {missing.length === 0 ? say.start : say.startAnyway}
        </button>
      </div>
    </Page>
  )
}

const MARKS: Record<PreflightItem['state'], string> = {
  ok: 'M3 13l3-3 4 4L18 5l3 3L10 20z',
  warn: 'M12 2l11 20H1zM10.800 9v6h2.400V9zM10.800 17v2.400h2.400V17z',
  fail: 'M5 2L12 9l7-7 3 3-7 7 7 7-3 3-7-7-7 7-3-3 7-7-7-7z',
  checking: 'M4 10h4v4H4zM10 10h4v4h-4zM16 10h4v4h-4z',
}

function Mark({ state }: { state: PreflightItem['state'] }): JSX.Element {
  return (
    <svg class="preflight-mark" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={MARKS[state]} fill="currentColor" fill-rule="evenodd" />
    </svg>
  )
}
