/** Keeps the mirror in step by manifests: asks for the changes, or for the whole, one question at a time. */
import { type Backoff, backoffMs } from '@gatehouse/proto/backoff.ts'
import type { Ed25519Verifier } from '@gatehouse/proto/ed25519.ts'
import { onChange } from '@gatehouse/proto/ui/on-change.ts'
import type { ReadonlySignal } from '@preact/signals'
import type { ActiveBox } from '../box/active-box.ts'
import type { BoxClient } from '../box/client.ts'
import type { Link } from '../box/link.ts'
import type { Identity } from '../pairing/identity.ts'
import { type FetchedManifest, fetchManifest } from './manifest.ts'
import type { MirrorStore } from './mirror-store.ts'
import { MirrorRefused } from './stored-mirror.ts'

const BACKOFF: Backoff = { initialMs: 2_000, maxMs: 60_000 }
/** A delta contains this device's own scans: it is fetched soon after one of them, and not after each. */
const SOON_MS = 10_000

export interface RefresherDeps {
  mirrors: MirrorStore
  identity: Pick<Identity, 'eventId' | 'verifierKey'>
  ed25519: Ed25519Verifier
  active: ActiveBox
  box: BoxClient
  link: Link
  /** True while the event stream is open. */
  connected: ReadonlySignal<boolean>
  random: () => number
  sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

export class Refresher {
  readonly #deps: RefresherDeps
  readonly #stopping = new AbortController()
  readonly #stopWatching: readonly (() => void)[]
  #wanted: 'nothing' | 'changes' | 'everything' = 'nothing'
  #lastAnswer: { question: string; etag: string | undefined } | undefined
  #refreshing: Promise<void> | undefined
  #soon: ReturnType<typeof setTimeout> | undefined

  constructor(deps: RefresherDeps) {
    this.#deps = deps
    const { refusals } = deps.mirrors
    this.#stopWatching = [
      onChange(refusals, () => void this.refresh('everything')),
      onChange(deps.active.origin, () => {
        this.#lastAnswer = undefined
      }),
    ]
    if (refusals.peek() > 0) void this.refresh('everything')
  }

  /** Resolves when the mirror is as new as it can be for now. */
  refresh(wanted: 'changes' | 'everything' = 'changes'): Promise<void> {
    if (this.#wanted !== 'everything') this.#wanted = wanted
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = undefined
    })
    return this.#refreshing
  }

  /** This device has let somebody in or out: the next delta contains it. */
  refreshSoon(): void {
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined
      if (this.#deps.link.isReachable) void this.refresh()
    }, SOON_MS)
  }

  /** The box answers and the stream is open: unless a question is open too, the mirror is up to date. */
  confirm(): void {
    const { mirrors, connected } = this.#deps
    if (connected.peek() && this.#wanted === 'nothing' && mirrors.mirror.peek()) mirrors.confirm()
  }

  async #refresh(): Promise<void> {
    const { signal: stopping } = this.#stopping
    const { mirrors, connected, random, sleep } = this.#deps
    for (let failures = 0; !stopping.aborted && this.#wanted !== 'nothing'; failures++) {
      const whole = this.#wanted === 'everything' || !mirrors.mirror.peek()
      this.#wanted = 'nothing'
      const result = await this.#ask(whole).catch(failureOf)
      if (result === 'done') continue
      // Without an answer there is nothing to wait for: the next connection asks again.
      if (result === 'no-answer' && !connected.peek()) return
      if (this.#wanted === 'nothing') this.#wanted = whole ? 'everything' : 'changes'
      await sleep(backoffMs(failures, BACKOFF, random()), stopping)
    }
  }

  /** @returns `done` when the mirror is as new as the box's, or when `#wanted` names the next question */
  async #ask(whole: boolean): Promise<'done' | 'no-answer'> {
    const { mirrors, identity, ed25519, active, box } = this.#deps
    const origin = active.origin.peek()
    const mirror = mirrors.mirror.peek()
    const known = mirror?.origin === origin ? mirror : undefined
    const question = whole || !known ? 'whole' : `since ${known.version}`
    const etag = this.#lastAnswer?.question === question ? this.#lastAnswer.etag : undefined
    const newest = (named: string | undefined) => mirrors.newestOf(named ?? origin)
    const fetched = await fetchManifest(box.client, { ...identity, ed25519, known, newest, whole, etag })
    if (fetched === 'later') return 'no-answer'
    // Another box has become the active one meanwhile: the answer says nothing about it.
    if (origin !== active.origin.peek()) return this.#wantEverything()
    if (fetched !== 'unchanged') {
      if (!(await this.#take(fetched, origin))) return this.#wantEverything()
      const { answer } = fetched
      this.#lastAnswer = { question, etag: fetched.etag }
      mirrors.setNewest(answer.box_id ?? origin, answer)
    }
    mirrors.confirm()
    mirrors.touch()
    return 'done'
  }

  /** @returns false where only a whole manifest helps @throws MirrorRefused for an answer that must not be taken */
  async #take({ answer }: Extract<FetchedManifest, object>, origin: string): Promise<boolean> {
    const { mirrors } = this.#deps
    const { signature: _, ...manifest } = answer
    if ('filter' in manifest) {
      await mirrors.replace(manifest, origin)
      return true
    }
    const mirror = mirrors.mirror.peek()
    if (mirror?.origin !== origin) throw new MirrorRefused('a delta where there is nothing to change')
    // The box was restored, and has passed our version again: its changes since then are not the ones that are missing here.
    if (manifest.life !== mirror.life || (manifest.box_id ?? origin) !== mirror.box) return false
    mirrors.applyDelta(manifest)
    return true
  }

  #wantEverything(): 'done' {
    this.#wanted = 'everything'
    return 'done'
  }

  async close(): Promise<void> {
    this.#stopping.abort()
    for (const stop of this.#stopWatching) stop()
    clearTimeout(this.#soon)
    await this.#refreshing
  }
}

function failureOf(error: unknown): 'refused' | 'no-answer' {
  if (!(error instanceof MirrorRefused || error instanceof RangeError)) return 'no-answer'
  console.warn('A manifest was refused:', error.message)
  return 'refused'
}
