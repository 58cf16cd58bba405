/** The bell: rings until somebody has acknowledged. */
import { reimporting } from '@gatehouse/proto/ui/reimport.ts'
import type { Incident } from '@gatehouse/proto/wire/incidents.ts'
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals'
import { rings, type Tune, tuneOf } from './ring.ts'

const KEY = 'gatehouse-sound'

export interface Bell {
  state: ReadonlySignal<'on' | 'off' | 'blocked'>
  /** The browser makes no noise before somebody has pressed something. */
  blocked: ReadonlySignal<boolean>
  /** After a press: browsers allow it only then. */
  allow(): Promise<void>
  /** On or off; a press on a bell that the browser blocks allows it. Switched on, it rings once, softly, as a sample. */
  toggle(): Promise<void>
  /** Rings from now on. @returns what ends it */
  start(): () => void
}

/** @param unseen what rings */
export function createBell(unseen: ReadonlySignal<readonly Incident[]>): Bell {
  /** One desk of three may be the one that rings; kept in this browser. */
  const wanted = signal(stored() !== 'off')
  const { blocked, ask, allow, play } = createPlayer(wanted)
  const state = computed(() => (!wanted.value ? 'off' : blocked.value ? 'blocked' : 'on'))
  return {
    state,
    blocked,
    allow,
    async toggle() {
      if (state.value === 'blocked') return allow()
      wanted.value = !wanted.value
      store(wanted.value ? 'on' : 'off')
      if (!wanted.value) return
      await allow()
      play('call')
    },
    start() {
      let last: { tune: Tune; at: number } | null = null
      const beat = () => {
        const tune = tuneOf(unseen.value)
        if (tune === null) last = null
        const now = performance.now()
        if (!rings(tune, last, now) || tune === null) return
        last = { tune, at: now }
        if (wanted.value) play(tune)
      }
      // Here before it rings: by then the box may be away.
      void tunes().catch(() => undefined)
      const stop = effect(beat)
      const timer = setInterval(beat, 500)
      // The first press on anything is a permission: nobody should have to look for it.
      const press = () => {
        if (wanted.value) void allow()
      }
      addEventListener('pointerdown', press, { once: true })
      addEventListener('keydown', press, { once: true })
      if (wanted.value) ask()
      return () => {
        stop()
        clearInterval(timer)
        removeEventListener('pointerdown', press)
        removeEventListener('keydown', press)
      }
    },
  }
}

const tunes = reimporting(() => import('./tunes.ts'))

/** Plays tunes where the browser allows it. */
function createPlayer(wanted: ReadonlySignal<boolean>) {
  const blocked = signal(false)
  let opened: AudioContext | null = null
  const contextNow = () => {
    if (opened || typeof AudioContext === 'undefined') return opened
    const context = new AudioContext()
    context.addEventListener('statechange', () => {
      blocked.value = wanted.value && context.state !== 'running'
    })
    opened = context
    return context
  }
  const ask = () => {
    blocked.value = contextNow()?.state !== 'running'
  }
  return {
    blocked,
    /** Finds out whether the browser allows it. */
    ask,
    async allow() {
      await contextNow()
        ?.resume()
        .catch(() => undefined)
      ask()
    },
    play(tune: Tune) {
      const context = contextNow()
      if (!context) return
      const isRunning = context.state === 'running'
      blocked.value = !isRunning
      if (isRunning) void tunes().then(({ ring }) => ring(context, tune), console.error)
      // A laptop that slept suspends it too: it may simply be willing again.
      else void context.resume().catch(() => undefined)
    },
  }
}

function stored(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}

function store(sound: 'on' | 'off'): void {
  try {
    localStorage.setItem(KEY, sound)
  } catch {
    // For this page it is as it was pressed.
  }
}
