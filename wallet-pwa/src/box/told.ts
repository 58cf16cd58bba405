/**
 * The announcements as they are made: a stream of the box that is held open while somebody looks at the wallet. Whatever becomes of it,
 * the wallet also asks every half a minute; a box that has no room for this wallet is asked again for it some minutes later.
 */
import type { Announcement } from '@gatehouse/proto/wire/attendee.ts'
import { areAnnouncements } from '../store/kept.ts'

/** As much of an `EventSource` as this uses. */
export interface Stream {
  /** 2: it does not connect again by itself. */
  readonly readyState: number
  addEventListener(type: string, listener: (event: { data?: unknown }) => void): void
  close(): void
}

export interface ToldDeps {
  open: () => Stream
  visible: () => boolean
  random: () => number
  /** @returns what cancels it */
  after: (ms: number, run: () => void) => () => void
  /** The list that is in force now: once when the stream is open, and whenever it changes. */
  take: (list: Announcement[]) => void
}

const CLOSED = 2
const REFUSED_MS = 5 * 60_000

/** @returns to be called when the page was shown or hidden, or the network is back */
export function toldBy({ open, visible, random, after, take }: ToldDeps): () => void {
  let stream: Stream | undefined
  let cancel = () => {}

  function start(): void {
    const opened = open()
    stream = opened
    opened.addEventListener('announcements', ({ data }) => {
      const list = listIn(data)
      if (list) take(list)
    })
    opened.addEventListener('error', () => {
      if (stream !== opened || opened.readyState !== CLOSED) return
      stream = undefined
      cancel = after(Math.round(REFUSED_MS * (0.9 + 0.2 * random())), changed)
    })
  }

  function changed(): void {
    cancel()
    cancel = () => {}
    if (visible()) {
      if (!stream) start()
    } else {
      stream?.close()
      stream = undefined
    }
  }
  changed()
  return changed
}

function listIn(data: unknown): Announcement[] | undefined {
  try {
    const { announcements } = JSON.parse(String(data))
    return areAnnouncements(announcements) ? announcements : undefined
  } catch {
    return undefined
  }
}
