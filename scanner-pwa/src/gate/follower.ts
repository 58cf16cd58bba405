/** Keeps the mirror in step with the box: the stream first, then the manifest, then what the stream says (`box/docs/life-of-a-scan.md`). */
import type { Ed25519Verifier } from '@gatehouse/proto/ed25519.ts'
import type { StreamEvent } from '@gatehouse/proto/event-stream.ts'
import { readEvents, StreamRefused } from '@gatehouse/proto/sse.ts'
import type { Announcement } from '@gatehouse/proto/wire/attendee.ts'
import type { Manifest } from '@gatehouse/proto/wire/device.ts'
import type { Incident } from '@gatehouse/proto/wire/incidents.ts'
import { signal } from '@preact/signals'
import { isEnd } from './answers.ts'
import type { BoxClient } from './box-client.ts'
import { type Change, type Database, type Kept, keep, readKept, write } from './database.ts'
import type { Identity } from './identity.ts'
import { backoffMs } from './latency.ts'
import { fetchManifest } from './manifest.ts'
import { type Heard, Mirror } from './mirror.ts'
import { MirrorRefused, storedMirror } from './stored-mirror.ts'

const STREAM_BACKOFF = { firstMs: 1_000, mostMs: 15_000 }
/** The box says something every 15 s; what is still silent a moment later has died without closing. */
const SILENCE_MS = 18_000
/** Longer than this, and a whole manifest is loaded faster than the old one with all that came after it. */
const MAX_HEARD = 20_000
const FLUSH_MS = 300
/** A wait between two tries that the box asked for, or that failed. */
const REFRESH_BACKOFF = { firstMs: 2_000, mostMs: 60_000 }

export interface FollowerDeps {
  db: Database
  box: BoxClient
  identity: Identity
  /** Origin of the box that is asked now. */
  at: () => string
  ed25519: Ed25519Verifier
  /** Unix ms, corrected. */
  now: () => number
  random: () => number
  sleep: (ms: number, signal: AbortSignal) => Promise<void>
  onIncident: (incident: Incident) => void
  onAnnouncement: (announcement: Announcement) => void
  /** A mirror that is newer. */
  onMirror: (mirror: Mirror) => void
  /** The stream is open: whatever was missed meanwhile can be asked for now. */
  onConnected: () => void
  /** The stream broke off: is the box still there? */
  onBroken: () => void
  /** This device is no longer one of the box's. */
  onEnd: (code: string | undefined) => void
  /** A manifest that must not be taken. */
  onRefused: (refused: MirrorRefused | RangeError) => void
}

export class Follower {
  readonly #deps: FollowerDeps
  readonly #stopping = new AbortController()
  readonly mirror = signal<Mirror | undefined>(undefined)
  /** Unix ms: when the box last said that this is its newest. */
  readonly asOf = signal<number | null>(null)
  #position: Kept['position'] | undefined
  /** By box: the newest manifest that was taken. */
  #newest: Kept['newest'] = {}
  /** Ends the stream of the box that was asked before. */
  #moving = new AbortController()
  #nextKey = 1
  #firstKey = 1
  /** Heard before there was a mirror. */
  #early: Heard[] = []
  #unwritten: Change[] = []
  #writing: Promise<void> = Promise.resolve()
  #flushTimer: ReturnType<typeof setTimeout> | undefined
  #connected = false
  #wanted: 'nothing' | 'changes' | 'everything' = 'nothing'
  #refreshing: Promise<void> | undefined
  #lastAnswer: { question: string; etag: string | undefined } | undefined
  #running: Promise<void> = Promise.resolve()

  private constructor(deps: FollowerDeps) {
    this.#deps = deps
  }

  /** Loads what was kept: the mirror is ready when this resolves, the stream is not. */
  static async open(deps: FollowerDeps): Promise<Follower> {
    const follower = new Follower(deps)
    await follower.#load()
    return follower
  }

  async #load(): Promise<void> {
    const { db, identity } = this.#deps
    const tx = db.transaction('heard')
    const [keys, heard] = await Promise.all([tx.store.getAllKeys(), tx.store.getAll()])
    const base = await readKept(db, 'mirror')
    this.#position = await readKept(db, 'position')
    this.#newest = (await readKept(db, 'newest')) ?? {}
    this.asOf.value = (await readKept(db, 'mirrorAsOf')) ?? null
    this.#firstKey = keys[0] ?? 1
    this.#nextKey = (keys.at(-1) ?? 0) + 1
    // One without an origin was kept by an older version of this app: the whole list is asked for anew.
    if (base?.eventId !== identity.eventId || base.origin === undefined) return
    const mirror = new Mirror(base)
    for (const each of heard) this.#hearSafely(mirror, each)
    this.mirror.value = mirror
  }

  start(): void {
    this.#running = this.#follow()
  }

  /** Another box is asked from now on: its stream, and all of its manifest. */
  moved(): void {
    this.#connected = false
    this.#lastAnswer = undefined
    this.#moving.abort()
  }

  /** The box has said that it is there, and the stream is open: what was heard is all there is. */
  confirm(): void {
    if (this.#connected && this.#wanted === 'nothing' && this.mirror.value) this.#setAsOf()
  }

  /** Takes what this device knows of its own. */
  hear(heard: Heard): void {
    const mirror = this.mirror.value
    if (mirror) this.#hearSafely(mirror, heard)
    else this.#early.push(heard)
    this.#keep({ store: 'heard', key: this.#nextKey++, value: heard })
  }

  /** Asks for what has changed, or for the whole: one question at a time. Resolves when the mirror is as new as it can be now. */
  refresh(wanted: 'changes' | 'everything' = 'changes'): Promise<void> {
    if (this.#wanted !== 'everything') this.#wanted = wanted
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = undefined
    })
    return this.#refreshing
  }

  async #follow(): Promise<void> {
    const { box, at, random, sleep, onBroken, onEnd } = this.#deps
    const { signal: stopping } = this.#stopping
    const connect = async (input: RequestInfo | URL, init?: RequestInit) => {
      const response = await box.fetch(new Request(input, init))
      if (response.ok) {
        this.#connected = true
        this.#deps.onConnected()
        void this.refresh()
      }
      return response
    }
    for (let failures = 0; !stopping.aborted; failures++) {
      this.#moving = new AbortController()
      const { signal: moving } = this.#moving
      const staying = AbortSignal.any([stopping, moving])
      const origin = at()
      try {
        const events = readEvents(`${origin}/v1/stream`, {
          ...{ fetch: connect, signal: staying, random, sleep, silenceMs: SILENCE_MS },
          ...{ minBackoffMs: STREAM_BACKOFF.firstMs, maxBackoffMs: STREAM_BACKOFF.mostMs },
          // A position is a place in one box's journal, and means nothing to another.
          ...(this.#position?.origin === origin && { lastEventId: this.#position.id }),
          onRetry: () => {
            this.#connected = false
            onBroken()
          },
        })
        for await (const event of events) {
          if (moving.aborted) break
          failures = 0
          this.#take(event, origin)
        }
      } catch (error) {
        if (error instanceof StreamRefused && isEnd(error.code)) {
          onEnd(error.code)
          return
        }
        // A signature by a clock that was off, an event too large, a proxy: it may be better the next time.
      }
      this.#connected = false
      if (moving.aborted) failures = -1
      else await sleep(backoffMs(failures, STREAM_BACKOFF, random()), staying)
    }
  }

  #take({ id, event, data }: StreamEvent, origin: string): void {
    let value: never
    try {
      value = JSON.parse(data) as never
    } catch {
      void this.refresh()
      return
    }
    switch (event) {
      case 'redemption':
      case 'revocation':
      case 'hold':
      case 'mode':
        this.hear({ kind: event, data: value })
        // Among several boxes: one may have joined or left, and which there are stands in the manifest.
        if (event === 'mode' && (value as { unheard?: unknown }).unheard !== undefined) void this.refresh()
        break
      case 'ticket':
        // One that names codes is a delta of its own; an import only says that there is one.
        if (Array.isArray((value as { added?: unknown }).added)) this.hear({ kind: 'ticket', data: value })
        else void this.refresh()
        break
      case 'gap':
        void this.refresh('everything')
        break
      case 'incident':
        this.#deps.onIncident(value)
        break
      case 'announcement':
        this.#deps.onAnnouncement(value)
        break
    }
    if (id !== undefined) {
      this.#position = { origin, id }
      this.#keep(keep('position', this.#position))
    }
    const mirror = this.mirror.value
    if (mirror) this.#deps.onMirror(mirror)
    if (this.#nextKey - this.#firstKey > MAX_HEARD) void this.refresh('everything')
  }

  async #refresh(): Promise<void> {
    const { signal: stopping } = this.#stopping
    const { random, sleep } = this.#deps
    for (let failures = 0; !stopping.aborted && this.#wanted !== 'nothing'; failures++) {
      const whole = this.#wanted === 'everything' || !this.mirror.value
      this.#wanted = 'nothing'
      const done = await this.#ask(whole).catch((error) => {
        if (error instanceof MirrorRefused || error instanceof RangeError) this.#deps.onRefused(error)
        return error instanceof MirrorRefused || error instanceof RangeError ? ('refused' as const) : false
      })
      if (done === true) continue
      // Without an answer there is nothing to wait for: whoever hears the box again asks again.
      if (done === false && !this.#connected) return
      if (this.#wanted === 'nothing') this.#wanted = whole ? 'everything' : 'changes'
      await sleep(backoffMs(failures, REFRESH_BACKOFF, random()), stopping)
    }
  }

  /** @returns whether the mirror is as new as the box's */
  async #ask(whole: boolean): Promise<boolean> {
    const { box, identity, ed25519, at } = this.#deps
    const { eventId, verifierKey } = identity
    const origin = at()
    const mirror = this.mirror.value
    const known = mirror?.origin === origin ? mirror : undefined
    const question = whole || !known ? 'whole' : `since ${known.version}`
    const etag = this.#lastAnswer?.question === question ? this.#lastAnswer.etag : undefined
    const newest = (named: string | undefined) => this.#newest[named ?? origin]
    const fetched = await fetchManifest(box.client, { eventId, verifierKey, ed25519, known, newest, whole, etag })
    if (fetched === 'later') return false
    if (origin !== at()) {
      // The scanner has moved on meanwhile: this says nothing of the box that is asked now.
      this.#wanted = 'everything'
      return true
    }
    if (fetched !== 'unchanged') {
      const { signature: _, ...answer } = fetched.answer
      if ('filter' in answer) await this.#replace(answer, origin)
      else {
        if (!known || !mirror) throw new MirrorRefused('a delta where there is nothing to change')
        // The box was restored, and has come past our version again: what it changed since is not what we lack.
        if (answer.life !== mirror.life || (answer.box_id ?? origin) !== mirror.box) {
          this.#wanted = 'everything'
          return true
        }
        // First to the mirror, which refuses what does not fit: only what it took is kept.
        mirror.hear({ kind: 'delta', data: answer })
        this.#keep({ store: 'heard', key: this.#nextKey++, value: { kind: 'delta', data: answer } })
      }
      this.#lastAnswer = { question, etag: fetched.etag }
      this.#newest = { ...this.#newest, [answer.box_id ?? origin]: { life: answer.life, version: answer.version } }
      this.#keep(keep('newest', this.#newest))
    }
    this.#setAsOf()
    if (this.mirror.value) this.#deps.onMirror(this.mirror.value)
    return true
  }

  /** A whole manifest in the place of everything; what was heard since it was made stays. One transaction. */
  async #replace(manifest: Omit<Manifest, 'signature'>, origin: string): Promise<void> {
    const before = this.mirror.value
    const ledger = { box: manifest.box_id ?? origin, life: manifest.life }
    const base = storedMirror(manifest, before?.usedBefore(ledger), origin)
    const heard = before ? before.heardAfter(base.hlc) : this.#early
    await this.#flush()
    const { db } = this.#deps
    const tx = db.transaction(['heard', 'kept'], 'readwrite')
    const first = this.#nextKey
    const writes: Promise<unknown>[] = [tx.objectStore('heard').clear(), tx.objectStore('kept').put(base, 'mirror')]
    for (const each of heard) writes.push(tx.objectStore('heard').put(each, this.#nextKey++))
    // Before anything else can be heard: this turn of the event loop, the transaction has its own copy of `base`.
    const mirror = new Mirror(base, before)
    for (const each of heard) this.#hearSafely(mirror, each)
    this.#firstKey = first
    this.#early = []
    this.mirror.value = mirror
    await Promise.all([...writes, tx.done])
  }

  /** What a box says is not made of such stuff that it could stop a scanner. */
  #hearSafely(mirror: Mirror, heard: Heard): void {
    try {
      mirror.hear(heard)
    } catch {
      void this.refresh('everything')
    }
  }

  #setAsOf(): void {
    this.asOf.value = this.#deps.now()
    this.#keep(keep('mirrorAsOf', this.asOf.value))
  }

  /** Written a little later, in order and together: an event that is lost with the page is sent again by the box. */
  #keep(change: Change): void {
    this.#unwritten.push(change)
    this.#flushTimer ??= setTimeout(() => {
      this.#flushTimer = undefined
      void this.#flush()
    }, FLUSH_MS)
  }

  #flush(): Promise<void> {
    const changes = this.#unwritten
    this.#unwritten = []
    // A disk that is full loses the mirror's news, and not the scanner.
    this.#writing = this.#writing.then(() => write(this.#deps.db, changes).catch(() => {}))
    return this.#writing
  }

  async close(): Promise<void> {
    this.#stopping.abort()
    await Promise.all([this.#running, this.#refreshing])
    clearTimeout(this.#flushTimer)
    await this.#flush()
  }
}
