/** The live figures, as signals: everything that a screen shows of the event comes from here. */
import type { Incident } from '@gatehouse/proto/wire/incidents.ts'
import type { Stats } from '@gatehouse/proto/wire/stats.ts'
import { batch, computed, effect, type ReadonlySignal, signal, untracked } from '@preact/signals'
import { answered } from '../session/answered.ts'
import type { Session } from '../session/session.ts'
import { type Freshness, freshnessOf } from './age.ts'
import { type Connection, connect } from './connection.ts'
import { byUrgency, isOver, isUnseen, type LiveState, NOTHING, next, withBoard, withIncidents } from './state.ts'
import { type Trend, trendOf } from './trend.ts'

export interface Live {
  stats: ReadonlySignal<Stats | null>
  /** Unseen first, emergencies before the rest, then the latest; also those that are over. */
  incidents: ReadonlySignal<readonly Incident[]>
  /** The box's list of incidents was read at least once: before that nobody knows that there is none. */
  incidentsKnown: ReadonlySignal<boolean>
  /** Nobody has acknowledged them: they ring. */
  unseen: ReadonlySignal<readonly Incident[]>
  /** Crush, medical and fire that are not over. */
  emergencies: ReadonlySignal<readonly Incident[]>
  /** The box sent something that this page cannot read. */
  unreadable: ReadonlySignal<boolean>
  /** Ms since the box last sent its figures; null before the first time. */
  dataAge: ReadonlySignal<number | null>
  freshness: ReadonlySignal<Freshness>
  /** The figures may not be so any more: nothing may look as if they were. */
  isStale: ReadonlySignal<boolean>
  /** Whole seconds until the next try; null while there is a connection. */
  retryIn: ReadonlySignal<number | null>
  /** Unix ms by the box's clock, once a second: ages of what the box dates are counted from this. */
  boxNow: ReadonlySignal<number>
  /** By zone; null until there is enough to go by. */
  trendIn(zone: Stats['zones'][number]): Trend | null
  /** Shows at once what an action answered, before the stream brings it. */
  takeIncident(incident: Incident): void
  /** Reads the figures anew: something was changed that the stream may be a second late with. */
  refresh(): void
  /** Follows the box as long as somebody is signed in. Called once, by the shell. @returns what ends it */
  start(): () => void
}

export function createLive(session: Session): Live {
  const figures = createFigures()
  const { state, clock, stats, incidents, dataAge, retryAt } = figures
  const freshness = computed(() => freshnessOf(dataAge.value))
  let connection: Connection | undefined
  return {
    stats,
    incidents,
    incidentsKnown: figures.boardKnown,
    unseen: computed(() => incidents.value.filter(isUnseen)),
    emergencies: computed(() => incidents.value.filter((one) => one.emergency && !isOver(one))),
    unreadable: figures.unreadable,
    dataAge,
    freshness,
    isStale: computed(() => freshness.value === 'stale'),
    retryIn: computed(() =>
      retryAt.value === null ? null : Math.max(0, Math.ceil((retryAt.value - clock.value) / 1000)),
    ),
    boxNow: computed(() => clock.value + figures.boxAhead.value),
    trendIn: (zone) => trendOf(state.value.history.get(zone.id), zone.capacity),
    takeIncident(incident) {
      state.value = { ...state.value, incidents: withIncidents(state.value.incidents, [incident]) }
    },
    refresh: () => connection?.wake(),
    start() {
      const wake = () => {
        if (document.visibilityState === 'visible') connection?.wake()
      }
      addEventListener('online', wake)
      document.addEventListener('visibilitychange', wake)
      const stop = effect(() => {
        if (session.token.value === null) return
        connection = untracked(() => follow(session, figures))
        return () => {
          connection?.[Symbol.dispose]()
          connection = undefined
          figures.forget()
        }
      })
      return () => {
        stop()
        removeEventListener('online', wake)
        document.removeEventListener('visibilitychange', wake)
      }
    },
  }
}

type Figures = ReturnType<typeof createFigures>

/** The figures that a session has received, and their age. */
function createFigures() {
  const state = signal<LiveState>(NOTHING)
  const dataAge = signal<number | null>(null)
  /** Unix ms by this browser's clock. */
  const retryAt = signal<number | null>(null)
  const boardKnown = signal(false)
  const unreadable = signal(false)
  return {
    state,
    stats: computed(() => state.value.stats),
    incidents: computed(() => [...state.value.incidents.values()].sort(byUrgency)),
    dataAge,
    retryAt,
    boardKnown,
    unreadable,
    /** Unix ms by this browser's clock, once a second. */
    clock: signal(Date.now()),
    /** Lead of the box's clock over this browser's, in ms. */
    boxAhead: signal(0),
    /** Leaves nothing of a session that has ended. */
    forget: () =>
      batch(() => {
        state.value = NOTHING
        dataAge.value = null
        retryAt.value = null
        boardKnown.value = false
        unreadable.value = false
      }),
  }
}

function follow({ client, boxFetch }: Session, figures: Figures): Connection {
  const { state, dataAge, retryAt, boardKnown, unreadable, clock, boxAhead } = figures
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
    onReceived: () =>
      batch(() => {
        dataAge.value = 0
        retryAt.value = null
      }),
    onBeat: (ms) =>
      batch(() => {
        dataAge.value = ms
        clock.value = Date.now()
      }),
    onUnreadable: () => {
      unreadable.value = true
    },
    onRetry: (inMs) => {
      retryAt.value = Date.now() + inMs
    },
  })
}
