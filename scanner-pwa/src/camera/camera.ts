/**
 * The phone's camera, with a lifetime: opened once, kept between screens for a while, opened again when it is lost in the middle
 * of a shift (a call came, another app took it, the cable of a USB camera was pulled).
 */
import { type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { mayHealItself, type Trouble, troubleOf } from './trouble.ts'

export type CameraState =
  | { kind: 'closed' }
  | { kind: 'opening' }
  | { kind: 'open'; stream: MediaStream; label: string; width: number; height: number }
  | { kind: 'trouble'; trouble: Trouble }

export interface Camera {
  state: ReadonlySignal<CameraState>
  /** Null where this camera has none. */
  torch: ReadonlySignal<boolean | null>
  /** Known by name only once a camera was allowed. */
  choices: ReadonlySignal<readonly { id: string; label: string }[]>
  /** Somebody looks through it, until `release`. */
  use(): void
  release(): void
  /** Opens it anew, whatever it does now. */
  reopen(): Promise<void>
  setTorch(on: boolean): Promise<void>
  /** Null: the one at the back. Remembered. */
  choose(id: string | null): void
}

/** Between two screens, ms: opening takes long on some phones, and asks again on others. */
const LINGER_MS = 20_000
const HEAL_AFTER_MS = 1500

/** @param preferred the id of the chosen camera, kept by the caller */
export function createCamera(media: MediaDevices | undefined, preferred: Signal<string | null>): Camera {
  const state = signal<CameraState>({ kind: 'closed' })
  const torch = signal<boolean | null>(null)
  const choices = signal<readonly { id: string; label: string }[]>([])
  let users = 0
  let lingering: ReturnType<typeof setTimeout> | undefined
  let healing: ReturnType<typeof setTimeout> | undefined
  let attempt = 0

  const fail = (trouble: Trouble) => {
    state.value = { kind: 'trouble', trouble }
    torch.value = null
    clearTimeout(healing)
    if (mayHealItself(trouble))
      healing = setTimeout(() => users > 0 && document.visibilityState === 'visible' && void reopen(), HEAL_AFTER_MS)
  }

  const close = () => {
    attempt++
    clearTimeout(healing)
    stop(state.peek())
    state.value = { kind: 'closed' }
    torch.value = null
  }

  const reopen = async () => {
    if (!media) return fail('insecure')
    close()
    const mine = attempt
    state.value = { kind: 'opening' }
    try {
      const stream = await media.getUserMedia({ audio: false, video: constraints(preferred.peek()) })
      const [track] = stream.getVideoTracks()
      if (mine !== attempt || !track) {
        stop({ kind: 'open', stream, label: '', width: 0, height: 0 })
        return
      }
      track.addEventListener('ended', () => mine === attempt && fail('lost'))
      const { width = 0, height = 0 } = track.getSettings()
      torch.value = hasTorch(track) ? false : null
      state.value = { kind: 'open', stream, label: track.label, width, height }
      await list()
    } catch (error) {
      if (mine === attempt) fail(troubleOf(error))
    }
  }

  const list = async () => {
    const devices = (await media?.enumerateDevices()) ?? []
    choices.value = devices
      .filter(({ kind, deviceId }) => kind === 'videoinput' && deviceId !== '')
      .map(({ deviceId, label }) => ({ id: deviceId, label }))
  }

  // Plugged in, or back from the pocket: what is wanted and not there is opened again.
  const wake = () => {
    const now = state.peek()
    if (users > 0 && document.visibilityState === 'visible' && now.kind === 'trouble' && now.trouble !== 'denied')
      void reopen()
  }
  document.addEventListener('visibilitychange', wake)
  media?.addEventListener('devicechange', () => {
    void list()
    wake()
  })

  return {
    state,
    torch,
    choices,
    use() {
      users++
      clearTimeout(lingering)
      if (state.peek().kind === 'closed') void reopen()
    },
    release() {
      users--
      clearTimeout(lingering)
      lingering = setTimeout(() => users === 0 && close(), LINGER_MS)
    },
    reopen,
    async setTorch(on) {
      const now = state.peek()
      if (now.kind !== 'open' || torch.peek() === null) return
      try {
        // Not in the DOM's types yet: https://www.w3.org/TR/image-capture/#torch
        const advanced = [{ torch: on } as MediaTrackConstraintSet]
        await now.stream.getVideoTracks()[0]?.applyConstraints({ advanced })
        torch.value = on
      } catch {
        // Some cameras name a torch and have none.
        torch.value = null
      }
    },
    choose(id) {
      preferred.value = id
      if (users > 0) void reopen()
    },
  }
}

function constraints(deviceId: string | null): MediaTrackConstraints {
  // Ideal and never exact: the camera that was chosen may be unplugged today. More pixels would only make decoding slower.
  const size = { width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: 30 } }
  return deviceId === null
    ? { ...size, facingMode: { ideal: 'environment' } }
    : { ...size, deviceId: { ideal: deviceId } }
}

function hasTorch(track: MediaStreamTrack): boolean {
  const capabilities = track.getCapabilities?.() as { torch?: boolean } | undefined
  return capabilities?.torch === true
}

function stop(state: CameraState): void {
  if (state.kind === 'open') for (const track of state.stream.getTracks()) track.stop()
}
