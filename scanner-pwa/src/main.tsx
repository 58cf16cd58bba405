import '@gatehouse/proto/ui/base.css'
import { registerOffline } from '@gatehouse/proto/ui/offline.ts'
import { themeSignal } from '@gatehouse/proto/ui/theme.ts'
import { effect, signal } from '@preact/signals'
import { render } from 'preact'
import about from '../package.json' with { type: 'json' }
import { App } from './app.tsx'
import { createCamera } from './camera/camera.ts'
import { createDecoder } from './camera/decoder.ts'
import { ScannerError } from './model.ts'
import { openPreferences } from './preferences.ts'
import { inviteIn } from './route.ts'
import { createScanFlow } from './screens/scan/flow.ts'
import { createSound } from './sound/sound.ts'
import { createWakeLock } from './wake-lock.ts'
import { words } from './words/en.ts'

const root = document.getElementById('app')
if (root) void open(root)

async function open(root: HTMLElement): Promise<void> {
  const theme = themeSignal()
  const offline = registerOffline('/scanner/')
  const hash = signal('')
  const invite = signal<string | null>(null)
  const readHash = () => {
    const brought = inviteIn(location.hash)
    if (brought !== null) {
      invite.value = brought
      // The code in it is a secret for ten minutes: it stays in no history and no picture of the screen.
      history.replaceState(null, '', location.pathname)
    }
    hash.value = location.hash
  }
  readHash()
  window.addEventListener('hashchange', readHash)

  render(<p class="opening">{words.opening}</p>, root)
  try {
    const { openScanner } = await import('./gate/scanner.ts')
    const scanner = await openScanner()
    const preferences = openPreferences(localStorage)
    const sound = createSound(preferences)
    const now = signal(0)
    const tick = () => {
      now.value = Date.now() + (scanner.clockOffsetMs.peek() ?? 0)
    }
    tick()
    setInterval(tick, 1000)
    // A box that this page may not ask: one that has joined since. The page that may is fetched, and used at the next start.
    effect(() => {
      if (scanner.boxes.value.some(({ open }) => !open)) offline.look()
    })
    render(
      <App
        scanner={scanner}
        flow={createScanFlow(scanner, sound)}
        camera={createCamera(navigator.mediaDevices, preferences.camera)}
        decoder={createDecoder(
          () => new Worker(new URL('./camera/worker.ts', import.meta.url), { type: 'module', name: 'decoder' }),
        )}
        wakeLock={createWakeLock()}
        {...{ theme, offline, hash, invite, now, preferences, sound }}
        version={about.version}
      />,
      root,
    )
  } catch (error) {
    console.error(error)
    render(
      <div class="opening">
        <p role="alert">{error instanceof ScannerError ? error.message : words.doesNotOpen}</p>
        <button
          type="button"
          class="primary"
          onClick={() => {
            // It opens with the invite that it was opened with.
            if (invite.peek() !== null) history.replaceState(null, '', `#${invite.peek()}`)
            location.reload()
          }}
        >
          {words.again}
        </button>
      </div>,
      root,
    )
  }
}
