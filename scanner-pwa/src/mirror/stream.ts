/** Follows the event stream of the active box (`box/docs/life-of-a-scan.md`): the stream first, then the manifest. */
import { type Backoff, backoffMs } from '@gatehouse/proto/backoff.ts'
import type { StreamEvent } from '@gatehouse/proto/event-stream.ts'
import { readEvents, StreamRefused } from '@gatehouse/proto/sse.ts'
import { onChange } from '@gatehouse/proto/ui/on-change.ts'
import type { Announcement } from '@gatehouse/proto/wire/attendee.ts'
import type { SignOnEvent } from '@gatehouse/proto/wire/device.ts'
import type { Incident } from '@gatehouse/proto/wire/incidents.ts'
import type { Signal } from '@preact/signals'
import type { ActiveBox } from '../box/active-box.ts'
import { isEnd } from '../box/answers.ts'
import type { BoxClient } from '../box/client.ts'
import type { Ended } from '../box/ended.ts'
import type { Link } from '../box/link.ts'
import type { MirrorStore } from './mirror-store.ts'
import type { Refresher } from './refresher.ts'

const BACKOFF: Backoff = { initialMs: 1_000, maxMs: 15_000 }
/** The box sends something every 15 s: a stream that is silent for longer has died without closing. */
const SILENCE_MS = 18_000

export interface StreamDeps {
  active: ActiveBox
  box: BoxClient
  link: Link
  ended: Ended
  mirrors: MirrorStore
  refresher: Pick<Refresher, 'refresh'>
  incidents: { take(incident: Incident): void }
  announcements: { take(announcement: Announcement): Promise<void> }
  signOn: { take(event: SignOnEvent): void }
  /** Set to whether the stream is open. */
  connected: Signal<boolean>
  random: () => number
  sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

export class StreamFollower {
  readonly #deps: StreamDeps
  readonly #stopping = new AbortController()
  readonly #stopWatching: () => void
  /** Ends the stream of the box that was active before. */
  #moving = new AbortController()
  #running: Promise<void> = Promise.resolve()

  constructor(deps: StreamDeps) {
    this.#deps = deps
    this.#stopWatching = onChange(deps.active.origin, () => {
      deps.connected.value = false
      this.#moving.abort()
    })
  }

  start(): void {
    this.#running = this.#follow()
  }

  async #follow(): Promise<void> {
    const { active, ended, connected, random, sleep } = this.#deps
    const { signal: stopping } = this.#stopping
    for (let failures = 0; !stopping.aborted; failures++) {
      this.#moving = new AbortController()
      const { signal: moving } = this.#moving
      const staying = AbortSignal.any([stopping, moving])
      const origin = active.origin.peek()
      try {
        for await (const event of this.#events(origin, staying)) {
          if (moving.aborted) break
          failures = 0
          this.#take(event, origin)
        }
      } catch (error) {
        if (error instanceof StreamRefused && isEnd(error.code)) {
          ended.refused(error.code)
          return
        }
        // A signature with a clock that was off, an event that is too large, a proxy: it may succeed the next time.
      }
      connected.value = false
      if (moving.aborted) failures = -1
      else await sleep(backoffMs(failures, BACKOFF, random()), staying)
    }
  }

  #events(origin: string, signal: AbortSignal): AsyncGenerator<StreamEvent, void, undefined> {
    const { box, link, mirrors, refresher, connected, random, sleep } = this.#deps
    const lastEventId = mirrors.positionIn(origin)
    return readEvents(`${origin}/v1/stream`, {
      signal,
      random,
      sleep,
      silenceMs: SILENCE_MS,
      minBackoffMs: BACKOFF.initialMs,
      maxBackoffMs: BACKOFF.maxMs,
      ...(lastEventId !== undefined && { lastEventId }),
      async fetch(input, init) {
        const response = await box.fetch(new Request(input, init))
        if (response.ok) {
          connected.value = true
          void refresher.refresh()
        }
        return response
      },
      onRetry() {
        connected.value = false
        // Is the box still there?
        void link.check()
      },
    })
  }

  #take({ id, event, data }: StreamEvent, origin: string): void {
    const { mirrors, refresher, incidents, announcements, signOn } = this.#deps
    let value: never
    try {
      value = JSON.parse(data) as never
    } catch {
      void refresher.refresh()
      return
    }
    switch (event) {
      case 'redemption':
      case 'revocation':
      case 'hold':
      case 'mode':
        mirrors.apply({ kind: event, data: value })
        // Among several boxes, a box may have joined or left: the manifest has the list.
        if (event === 'mode' && (value as { unheard?: unknown }).unheard !== undefined) void refresher.refresh()
        break
      case 'ticket':
        // An event that names codes is a delta of its own; that of an import only says that there is one.
        if (Array.isArray((value as { added?: unknown }).added)) mirrors.apply({ kind: 'ticket', data: value })
        else void refresher.refresh()
        break
      case 'gap':
        void refresher.refresh('everything')
        break
      case 'incident':
        incidents.take(value)
        break
      case 'announcement':
        void announcements.take(value)
        break
      case 'sign_on':
        signOn.take(value)
        break
    }
    if (id !== undefined) mirrors.setPosition(origin, id)
    mirrors.touch()
    if (mirrors.isLong) void refresher.refresh('everything')
  }

  async close(): Promise<void> {
    this.#stopWatching()
    this.#stopping.abort()
    await this.#running
  }
}
