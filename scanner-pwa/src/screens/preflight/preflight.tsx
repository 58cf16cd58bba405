import type { ComponentType, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { PreflightItem } from '../../gate/model.ts'
import type { Model } from '../../model.ts'
import { hashOf } from '../../route.ts'
import { PATTERNS } from '../../sound/patterns.ts'
import { preflightWords } from '../../words/late.ts'
import { words } from '../../words/words.ts'
import { Drawing } from '../icon.tsx'
import { Page } from '../page.tsx'
import * as checks from './checks.ts'
import './preflight.css'

type PreflightProps = Pick<
  Model,
  'scanner' | 'camera' | 'sound' | 'soundHeard' | 'preferences' | 'wakeLock' | 'offline' | 'now'
>

const say = preflightWords

export function PreflightScreen(props: PreflightProps): JSX.Element {
  const items = useItems(props)
  const missing = checks.missing(items)
  return (
    <Page title={say.title} lead={props.scanner.checkpoint.value?.name ?? ''} back="checkpoint">
      <ul class="plain-list" aria-label={say.title}>
        {items.map((item) => (
          <Item key={item.id} item={item} {...props} />
        ))}
      </ul>
      <div class="preflight-start">
        <p role="status">{missing.length === 0 ? say.ready : say.missing(missing)}</p>
        <button type="button" class="primary big" onClick={() => (location.hash = hashOf('scan'))}>
          {missing.length === 0 ? say.start : say.startAnyway}
        </button>
      </div>
    </Page>
  )
}

/** The checks of the core, repeated every second, and those that only the page can make. */
function useItems(props: PreflightProps): PreflightItem[] {
  const { scanner, camera, sound, soundHeard, preferences, wakeLock, offline, now } = props
  const [core, setCore] = useState<readonly PreflightItem[]>([])
  const [openedAt] = useState(() => now.peek())
  useEffect(() => {
    camera.use()
    wakeLock.hold()
    return () => {
      camera.release()
      wakeLock.release()
    }
  }, [])
  const at = now.value
  const ask = async () => setCore(await scanner.preflight())
  useEffect(() => {
    // Unpairing on another screen leads away from this one.
    void ask().catch(() => undefined)
  }, [at])
  return checks.inOrder([
    checks.cameraLine(camera.state.value),
    checks.soundLine({
      heard: soundHeard.value,
      volume: preferences.volume.value,
      missing: sound.missing.value,
    }),
    checks.offlineLine(offline.ready.value, at - openedAt),
    checks.wakeLockLine(wakeLock.state.value),
    ...core,
  ])
}

type ItemProps = PreflightProps & { item: PreflightItem }

function Item({ item: { id, state, detail, remedy }, ...props }: ItemProps): JSX.Element {
  const Action = state === 'ok' || state === 'checking' ? undefined : ACTIONS[id]
  return (
    <li class="preflight-item" data-item={id} data-state={state}>
      <Drawing path={MARKS[state]} class="preflight-mark" />
      <div class="preflight-text">
        <b>{say.names[id]}</b> <span class="visually-hidden">{say.states[state]}</span>
        <p>{detail}</p>
        {remedy && <p class="preflight-remedy">{remedy}</p>}
        {Action && (
          <div class="preflight-actions">
            <Action {...props} />
          </div>
        )}
      </div>
    </li>
  )
}

/** The remedy for a line that is not ready. */
const ACTIONS: Partial<Record<PreflightItem['id'], ComponentType<PreflightProps>>> = {
  camera: TryCamera,
  link: TryLink,
  sound: HearSound,
}

function TryCamera({ camera }: PreflightProps): JSX.Element {
  return (
    <button type="button" onClick={() => void camera.reopen()}>
      {say.tryCamera}
    </button>
  )
}

function TryLink({ scanner }: PreflightProps): JSX.Element {
  return (
    <button type="button" onClick={scanner.retry}>
      {words.again}
    </button>
  )
}

function HearSound({ sound, soundHeard }: PreflightProps): JSX.Element | null {
  const [played, setPlayed] = useState(false)
  if (sound.missing.value) return null
  const play = () => {
    setPlayed(true)
    sound.play(PATTERNS.admit)
  }
  return (
    <>
      <button type="button" onClick={play}>
        {say.playSound}
      </button>
      {played && (
        <button type="button" class="primary" onClick={() => (soundHeard.value = true)}>
          {say.heardIt}
        </button>
      )}
    </>
  )
}

const MARKS: Record<PreflightItem['state'], string> = {
  ok: 'M3 13l3-3 4 4L18 5l3 3L10 20z',
  warn: 'M12 2l11 20H1zM10.800 9v6h2.400V9zM10.800 17v2.400h2.400V17z',
  fail: 'M5 2L12 9l7-7 3 3-7 7 7 7-3 3-7-7-7 7-3-3 7-7-7-7z',
  checking: 'M4 10h4v4H4zM10 10h4v4h-4zM16 10h4v4h-4z',
}
