/**
 * The phone's camera, with a lifetime: opened once, kept between screens for a while, opened again when it is lost in the middle
 * of a shift (a call came, another app took it, the cable of a USB camera was pulled).
 */
import { effect, type ReadonlySignal, type Signal, signal } from '@preact/signals'
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
  /** Keeps the camera open until `release` has been called as often. */
  use(): void
  release(): void
  /** Closes it, and opens it again. */
  reopen(): Promise<void>
  setTorch(on: boolean): Promise<void>
  /** Null: the camera at the back. The choice is stored. */
  choose(id: string | null): void
}

/** The camera stays open between two screens, ms: opening is slow on some phones, and asks for permission on others. */
const LINGER_MS = 20_000
/** A camera that was lost is opened again so soon, ms: with the time that opening takes, the lane goes on within two seconds. */
export const HEAL_AFTER_MS = 1000
/** The system has paused a camera, as for a call, and gives it back by itself. One that it does not give back is opened again after this, ms. */
export const PAUSED_MS = 6000
/** The same once the page is looked at again: the call is over. */
export const RETURN_MS = 700

/** @param preferred the id of the chosen camera, kept by the caller */
export function createCamera(media: MediaDevices | undefined, preferred: Signal<string | null>): Camera {
  const choices = signal<readonly { id: string; label: string }[]>([])
  const list = async () => {
    const devices = (await media?.enumerateDevices()) ?? []
    choices.value = devices
      .filter(({ kind, deviceId }) => kind === 'videoinput' && deviceId !== '')
      .map(({ deviceId, label }) => ({ id: deviceId, label }))
  }
  const { state, torch, paused, open, close, setTorch } = createPicture(media, preferred, list)
  let users = 0
  let lingering: ReturnType<typeof setTimeout> | undefined
  let healing: ReturnType<typeof setTimeout> | undefined
  const heal = (afterMs: number) => {
    clearTimeout(healing)
    healing = setTimeout(() => isWanted() && state.peek().kind === 'trouble' && void open(), afterMs)
  }
  const isWanted = () => users > 0 && document.visibilityState === 'visible'

  effect(() => {
    clearTimeout(healing)
    const now = state.value
    if (now.kind === 'trouble' && mayHealItself(now.trouble)) heal(paused() ? PAUSED_MS : HEAL_AFTER_MS)
  })

  // A camera was plugged in, or the page is visible again: a camera in use that has failed is opened again.
  const wake = () => {
    const now = state.peek()
    if (!isWanted() || now.kind !== 'trouble' || now.trouble === 'denied') return
    if (paused()) heal(RETURN_MS)
    else void open()
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
      if (state.peek().kind === 'closed') void open()
    },
    release() {
      users--
      clearTimeout(lingering)
      lingering = setTimeout(() => users === 0 && close(), LINGER_MS)
    },
    reopen: open,
    setTorch,
    choose(id) {
      preferred.value = id
      if (users > 0) void open()
    },
  }
}

/** The stream and the torch of the open camera. */
interface Picture extends Pick<Camera, 'state' | 'torch' | 'setTorch'> {
  /** The system has taken the picture away for a while, and may give it back. */
  paused(): boolean
  /** Closes an open camera first. Never throws: a failure becomes the state. */
  open(): Promise<void>
  close(): void
}

/** @param opened called once there is a picture; an error that it throws counts as one of the camera */
function createPicture(
  media: MediaDevices | undefined,
  preferred: ReadonlySignal<string | null>,
  opened: () => Promise<void>,
): Picture {
  const state = signal<CameraState>({ kind: 'closed' })
  const torch = signal<boolean | null>(null)
  let attempt = 0
  /** The stream whose picture the system has taken away. */
  let held: MediaStream | undefined

  const fail = (trouble: Trouble) => {
    state.value = { kind: 'trouble', trouble }
    torch.value = null
  }
  const close = () => {
    attempt++
    stop(state.peek())
    if (held) stopStream(held)
    held = undefined
    state.value = { kind: 'closed' }
    torch.value = null
  }
  const open = async () => {
    if (!media) return fail('insecure')
    close()
    const mine = attempt
    state.value = { kind: 'opening' }
    try {
      const stream = await media.getUserMedia({ audio: false, video: constraints(preferred.peek()) })
      const [track] = stream.getVideoTracks()
      if (mine !== attempt || !track) {
        stopStream(stream)
        return
      }
      const show = () => {
        const { width = 0, height = 0 } = track.getSettings()
        held = undefined
        torch.value = hasTorch(track) ? false : null
        state.value = { kind: 'open', stream, label: track.label, width, height }
      }
      track.addEventListener('ended', () => {
        if (mine !== attempt) return
        held = undefined
        fail('lost')
      })
      // A call, or another app in front: Safari mutes the track, and lets it go on by itself.
      track.addEventListener('mute', () => {
        if (mine !== attempt || state.peek().kind !== 'open') return
        held = stream
        fail('lost')
      })
      track.addEventListener('unmute', () => mine === attempt && held === stream && show())
      show()
      await opened()
    } catch (error) {
      if (mine === attempt) fail(troubleOf(error))
    }
  }
  const setTorch = async (on: boolean) => {
    const now = state.peek()
    if (now.kind !== 'open' || torch.peek() === null) return
    torch.value = await lit(now.stream, on)
  }
  return { state, torch, paused: () => held !== undefined, open, close, setTorch }
}

/** Switches the torch. Returns its new state; null for a camera that names a torch and has none. */
async function lit(stream: MediaStream, on: boolean): Promise<boolean | null> {
  try {
    // Not in the DOM's types yet: https://www.w3.org/TR/image-capture/#torch
    const advanced = [{ torch: on } as MediaTrackConstraintSet]
    await stream.getVideoTracks()[0]?.applyConstraints({ advanced })
    return on
  } catch {
    return null
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
  if (state.kind === 'open') stopStream(state.stream)
}

function stopStream(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop()
}
