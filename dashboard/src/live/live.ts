/** The live figures, as signals: everything that a screen shows of the event comes from here. */
import type { Incident } from '@gatehouse/proto/wire/incidents.ts'
import type { Stats } from '@gatehouse/proto/wire/stats.ts'
import { batch, computed, effect, type ReadonlySignal, signal, untracked } from '@preact/signals'
import { answered } from '../session/answered.ts'
import { boxFetch, client, token } from '../session/session.ts'
import { type Freshness, freshnessOf } from './age.ts'
import { type Connection, connect } from './connection.ts'
import { byUrgency, isOver, isUnseen, type LiveState, NOTHING, next, withBoard, withIncidents } from './state.ts'
import { type Trend, trendOf } from './trend.ts'

const state = signal<LiveState>(NOTHING)
const age = signal<number | null>(null)
const retryAt = signal<number | null>(null)
const clock = signal(Date.now())
/** How far the box's clock is ahead of this browser's, in ms. */
const boxAhead = signal(0)
/** When the board was last read whole: before that nobody knows that there is no incident. */
const boardKnown = signal(false)
const strange = signal(false)

export const stats: ReadonlySignal<Stats | null> = computed(() => state.value.stats)
/** Unseen first, emergencies before the rest, then the latest; also those that are over. */
export const incidents: ReadonlySignal<readonly Incident[]> = computed(() =>
  [...state.value.incidents.values()].sort(byUrgency),
)
/** The box's list of incidents was read at least once. */
export const incidentsKnown: ReadonlySignal<boolean> = boardKnown
/** The box said something that this page cannot read. */
export const unreadable: ReadonlySignal<boolean> = strange
/** Nobody has acknowledged them: they ring. */
export const unseen = computed(() => incidents.value.filter(isUnseen))
/** Crush, medical and fire that are not over. */
export const emergencies = computed(() => incidents.value.filter((one) => one.emergency && !isOver(one)))

/** Ms since the box last said how things stand; null before the first time. */
export const dataAge: ReadonlySignal<number | null> = age
export const freshness: ReadonlySignal<Freshness> = computed(() => freshnessOf(age.value))
/** The figures may not be so any more: nothing may look as if they were. */
export const isStale = computed(() => freshness.value === 'stale')
/** Whole seconds until the next try; null while there is a connection. */
export const retryIn = computed(() =>
  retryAt.value === null ? null : Math.max(0, Math.ceil((retryAt.value - clock.value) / 1000)),
)
/** Unix ms by the box's clock, once a second: ages of what the box dates are counted from this. */
export const boxNow = computed(() => clock.value + boxAhead.value)

/** By zone; null until there is enough to go by. */
export function trendIn(zone: Stats['zones'][number]): Trend | null {
  return trendOf(state.value.history.get(zone.id), zone.capacity)
}

/** What an action answered: shown at once, and not when the stream comes round to it. */
export function takeIncident(incident: Incident): void {
  state.value = { ...state.value, incidents: withIncidents(state.value.incidents, [incident]) }
}

/** Reads the figures anew: something was changed that the stream may be a second late with. */
export function refresh(): void {
  connection.current?.wake()
}

const connection: { current: Connection | undefined } = { current: undefined }

function open(): Connection {
  return connect({
    url: new URL('/v1/admin/stream', location.origin).href,
    fetch: boxFetch,
    askStats: (signal) => answered(client.GET('/v1/admin/stats', { signal })),
    askBoard: async (signal) => (await answered(client.GET('/v1/admin/incidents', { signal }))).incidents,
    now: () => ({ wall: Date.now(), steady: performance.now() }),
    onEvent: (event) => {
      if (event.kind === 'stats') boxAhead.value = Date.parse(event.stats.as_of) - Date.now()
      state.value = next(state.value, event, Date.now())
    },
    onBoard: (board) =>
      batch(() => {
        state.value = withBoard(state.value, board)
        boardKnown.value = true
      }),
    onHeard: () =>
      batch(() => {
        age.value = 0
        retryAt.value = null
      }),
    onBeat: (ms) =>
      batch(() => {
        age.value = ms
        clock.value = Date.now()
      }),
    onUnreadable: () => {
      strange.value = true
    },
    onRetry: (inMs) => {
      retryAt.value = Date.now() + inMs
    },
  })
}

/** From now on, as long as somebody is signed in. Called once, by the shell. */
export function startLive(): () => void {
  const wake = () => {
    if (document.visibilityState === 'visible') connection.current?.wake()
  }
  addEventListener('online', wake)
  document.addEventListener('visibilitychange', wake)
  const stop = effect(() => {
    if (token.value === null) return
    untracked(() => {
      connection.current = open()
    })
    return () => {
      connection.current?.[Symbol.dispose]()
      connection.current = undefined
      batch(() => {
        state.value = NOTHING
        age.value = null
        retryAt.value = null
        boardKnown.value = false
        strange.value = false
      })
    }
  })
  return () => {
    stop()
    removeEventListener('online', wake)
    document.removeEventListener('visibilitychange', wake)
  }
}
