/** The mirror in memory, stored on the device together with the changes since its manifest. */
import type { Manifest, ManifestDelta } from '@gatehouse/proto/wire/device.ts'
import { signal } from '@preact/signals'
import { type Change, type Database, type Kept, keep, readKept, write } from '../store/database.ts'
import type { MirrorChange } from './changes.ts'
import { Mirror } from './mirror.ts'
import { storedMirror } from './stored-mirror.ts'

/** With more stored changes than this, a whole manifest loads faster than the old one with its changes. */
const MAX_CHANGES = 20_000
const FLUSH_MS = 300

export interface MirrorStoreDeps {
  db: Database
  eventId: string
  /** Unix ms, corrected. */
  now: () => number
}

export class MirrorStore {
  readonly #deps: MirrorStoreDeps
  readonly mirror = signal<Mirror | undefined>(undefined)
  /** Unix ms: when the box last confirmed that the mirror is up to date. */
  readonly asOf = signal<number | null>(null)
  /** Counts up when the mirror may have changed: a mirror has no signals inside. */
  readonly revision = signal(0)
  /** Counts the changes that the mirror has refused: only a whole manifest mends that. */
  readonly refusals = signal(0)
  #position: Kept['position'] | undefined
  /** By box: the newest manifest that was taken. */
  #newest: Kept['newest'] = {}
  /** Changes from before there was a mirror. */
  #early: MirrorChange[] = []
  #firstKey = 1
  #nextKey = 1
  #unwritten: Change[] = []
  #writing: Promise<void> = Promise.resolve()
  #flushTimer: ReturnType<typeof setTimeout> | undefined

  private constructor(deps: MirrorStoreDeps) {
    this.#deps = deps
  }

  /** Reads the stored mirror and applies the changes since. */
  static async open(deps: MirrorStoreDeps): Promise<MirrorStore> {
    const store = new MirrorStore(deps)
    await store.#load()
    return store
  }

  async #load(): Promise<void> {
    const { db, eventId } = this.#deps
    const tx = db.transaction('heard')
    const [keys, changes] = await Promise.all([tx.store.getAllKeys(), tx.store.getAll()])
    const base = await readKept(db, 'mirror')
    this.#position = await readKept(db, 'position')
    this.#newest = (await readKept(db, 'newest')) ?? {}
    this.asOf.value = (await readKept(db, 'mirrorAsOf')) ?? null
    this.#firstKey = keys[0] ?? 1
    this.#nextKey = (keys.at(-1) ?? 0) + 1
    // A mirror without an origin was stored by an older version of this app: the whole manifest is fetched again.
    if (base?.eventId !== eventId || base.origin === undefined) return
    const mirror = new Mirror(base)
    for (const change of changes) this.#applyTo(mirror, change)
    this.mirror.value = mirror
  }

  /** Applies a change, and stores it. */
  apply(change: MirrorChange): void {
    const mirror = this.mirror.peek()
    if (mirror) this.#applyTo(mirror, change)
    else this.#early.push(change)
    this.#append(change)
  }

  /**
   * Applies a delta, and stores it if the mirror takes it.
   * @throws MirrorRefused when the mirror does not take it
   */
  applyDelta(delta: Omit<ManifestDelta, 'signature'>): void {
    const change: MirrorChange = { kind: 'delta', data: delta }
    this.mirror.peek()?.apply(change)
    this.#append(change)
  }

  /** Replaces the mirror by a whole manifest, in one transaction. Changes since the manifest was made stay. */
  async replace(manifest: Omit<Manifest, 'signature'>, origin: string): Promise<void> {
    const before = this.mirror.peek()
    const ledger = { box: manifest.box_id ?? origin, life: manifest.life }
    const base = storedMirror(manifest, before?.usedBefore(ledger), origin)
    const changes = before ? before.changesAfter(base.hlc) : this.#early
    await this.#flush()
    const { db } = this.#deps
    const tx = db.transaction(['heard', 'kept'], 'readwrite')
    const first = this.#nextKey
    const writes: Promise<unknown>[] = [tx.objectStore('heard').clear(), tx.objectStore('kept').put(base, 'mirror')]
    for (const change of changes) writes.push(tx.objectStore('heard').put(change, this.#nextKey++))
    // In this turn of the event loop, before another change can come. The transaction has its own copy of `base`.
    const mirror = new Mirror(base, before)
    for (const change of changes) this.#applyTo(mirror, change)
    this.#firstKey = first
    this.#early = []
    this.mirror.value = mirror
    await Promise.all([...writes, tx.done])
  }

  /** The mirror may have changed: everything that is derived from it is computed again. */
  touch(): void {
    if (this.mirror.peek()) this.revision.value++
  }

  /** The box has confirmed that the mirror is up to date. */
  confirm(): void {
    this.asOf.value = this.#deps.now()
    this.#keep(keep('mirrorAsOf', this.asOf.value))
  }

  /** True when so many changes are stored that a whole manifest would load faster. */
  get isLong(): boolean {
    return this.#nextKey - this.#firstKey > MAX_CHANGES
  }

  /** Id of the last event that was applied of this box's stream; undefined for another box: its journal has other positions. */
  positionIn(origin: string): string | undefined {
    return this.#position?.origin === origin ? this.#position.id : undefined
  }

  setPosition(origin: string, id: string): void {
    this.#position = { origin, id }
    this.#keep(keep('position', this.#position))
  }

  /** The newest manifest that was taken of a box. @param box its id, or its origin where manifests do not name it */
  newestOf(box: string): Kept['newest'][string] | undefined {
    return this.#newest[box]
  }

  setNewest(box: string, { life, version }: Kept['newest'][string]): void {
    this.#newest = { ...this.#newest, [box]: { life, version } }
    this.#keep(keep('newest', this.#newest))
  }

  /** Nothing that a box sends may stop a scanner: what the mirror refuses is counted. */
  #applyTo(mirror: Mirror, change: MirrorChange): void {
    try {
      mirror.apply(change)
    } catch {
      this.refusals.value++
    }
  }

  #append(change: MirrorChange): void {
    this.#keep({ store: 'heard', key: this.#nextKey++, value: change })
  }

  /** Written a little later, in order and together: the box sends an event again that is lost with the page. */
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
    clearTimeout(this.#flushTimer)
    await this.#flush()
  }
}
