/** The scans that this scanner remembers: the last fifty, double uses, admissions that the box refuses, and the shift's counts. */
import { computed, type ReadonlySignal, signal } from '@preact/signals'
import type { ScanRecord } from '../gate/model.ts'
import { withoutPerson } from '../gate/private.ts'
import { type Change, type Database, keep, readKept, type StoredShift } from './database.ts'
import { counted, newShift } from './shift.ts'

const SHOWN = 50

type ById = ReadonlyMap<string, ScanRecord>

export class Records {
  readonly #shown
  readonly #doubles
  readonly #aside
  readonly #shift
  readonly recent: ReadonlySignal<readonly ScanRecord[]>
  readonly doubles: ReadonlySignal<readonly ScanRecord[]>
  readonly aside: ReadonlySignal<readonly ScanRecord[]>

  private constructor(kept: { shown: ById; doubles: ById; aside: ById; shift: StoredShift }) {
    this.#shown = signal(kept.shown)
    this.#doubles = signal(kept.doubles)
    this.#aside = signal(kept.aside)
    this.#shift = signal(kept.shift)
    this.recent = computed(() => newestFirst(this.#shown.value))
    this.doubles = computed(() => newestFirst(this.#doubles.value))
    this.aside = computed(() => newestFirst(this.#aside.value))
  }

  /** @param now unix ms, for a shift that begins now */
  static async open(db: Database, now: number): Promise<Records> {
    const read = async (store: 'records' | 'doubles' | 'aside') => byId(await db.getAll(store))
    const [shown, doubles, aside] = await Promise.all([read('records'), read('doubles'), read('aside')])
    const operator = (await readKept(db, 'operator')) ?? null
    return new Records({ shown, doubles, aside, shift: (await readKept(db, 'shift')) ?? newShift(now, operator) })
  }

  get shift(): ReadonlySignal<StoredShift> {
    return this.#shift
  }

  find(scanId: string): ScanRecord | undefined {
    return this.#shown.value.get(scanId) ?? this.#doubles.value.get(scanId) ?? this.#aside.value.get(scanId)
  }

  /** Stores a record that is new or has changed. @returns what to write */
  put(shown: ScanRecord): Change[] {
    const record = withoutPerson(shown)
    const { scanId } = record
    this.#shift.value = counted(this.#shift.value, this.find(scanId), record)
    const all = newestFirst(new Map(this.#shown.value).set(scanId, record))
    const kept = all.slice(0, SHOWN)
    this.#shown.value = byId(kept)
    const changes: Change[] = [keep('shift', this.#shift.value)]
    if (kept.includes(record)) changes.push({ store: 'records', key: scanId, value: record })
    for (const old of all.slice(SHOWN)) changes.push({ store: 'records', key: old.scanId, value: undefined })
    for (const [store, list] of [['doubles', this.#doubles] as const, ['aside', this.#aside] as const]) {
      if (!list.value.has(scanId)) continue
      list.value = new Map(list.value).set(scanId, record)
      changes.push({ store, key: scanId, value: record })
    }
    return changes
  }

  /** Puts a record on a list that stays until a person has seen it. @returns what to write */
  file(store: 'doubles' | 'aside', shown: ScanRecord): Change[] {
    const record = withoutPerson(shown)
    const list = store === 'doubles' ? this.#doubles : this.#aside
    list.value = new Map(list.value).set(record.scanId, record)
    return [{ store, key: record.scanId, value: record }]
  }

  /** A rehearsal is over. @returns what to write */
  forgetRehearsal(): Change[] {
    const all = [...this.#shown.value.values()]
    const gone = all.filter(({ rehearsal }) => rehearsal)
    if (gone.length === 0) return []
    this.#shown.value = byId(all.filter(({ rehearsal }) => !rehearsal))
    return gone.map(({ scanId }) => ({ store: 'records', key: scanId, value: undefined }))
  }

  dismissDouble(scanId: string): Change[] {
    this.#doubles.value = new Map([...this.#doubles.value].filter(([id]) => id !== scanId))
    return [{ store: 'doubles', key: scanId, value: undefined }]
  }

  beginShift(since: number, operator: string | null): Change[] {
    this.#shift.value = newShift(since, operator)
    return [keep('shift', this.#shift.value)]
  }

  signOn(operator: string | null): Change[] {
    this.#shift.value = { ...this.#shift.value, operator }
    return [keep('shift', this.#shift.value), keep('operator', operator ?? undefined)]
  }

  clear(now: number): void {
    this.#shown.value = new Map()
    this.#doubles.value = new Map()
    this.#aside.value = new Map()
    this.#shift.value = newShift(now, null)
  }
}

function byId(records: readonly ScanRecord[]): ById {
  return new Map(records.map((record) => [record.scanId, record]))
}

function newestFirst(records: ById): ScanRecord[] {
  return [...records.values()].sort((a, b) => b.at - a.at)
}
