/** The draft of an event from the file to the file again: kept by this browser until it is saved. */
import type { EventChecked, EventDraft } from '@gatehouse/proto/wire/guide.ts'
import { type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { sentenceOf } from '../../session/answered.ts'
import { checking } from './checking.ts'
import type { Json } from './draft.ts'

export interface Api {
  read(): Promise<EventDraft>
  check(event: Json): Promise<EventChecked>
  save(save: { event: Json; revision: string | null; accepts_changes: boolean }): Promise<unknown>
}

export interface Guiding {
  /** The file, as the box has it. */
  found: ReadonlySignal<EventDraft | null>
  draft: ReadonlySignal<Json | null>
  /** The draft differs from the file. */
  isChanged: ReadonlySignal<boolean>
  /** The file was changed since the draft began. */
  isOld: ReadonlySignal<boolean>
  /** Of the draft as it is; null while the box checks it. */
  checked: ReadonlySignal<EventChecked | null>
  accepts: Signal<boolean>
  problem: ReadonlySignal<string | null>
  open(): Promise<void>
  change(draft: Json): void
  /** Back to the file. */
  discard(): void
  /** The draft counts, whatever was changed in the file. */
  keep(): void
  save(): Promise<void>
}

interface Kept {
  event: Json
  revision: string | null
}

/** As `localStorage`. */
export type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const KEY = 'gatehouse-event-draft'

/** @param later runs the last of several calls in a row, once they stop: a check for every key would hold up the next */
export function guiding(api: Api, store: Store, later: (work: () => void) => void): Guiding {
  const found = signal<EventDraft | null>(null)
  const draft = signal<Json | null>(null)
  const isChanged = signal(false)
  const isOld = signal(false)
  const checked = signal<EventChecked | null>(null)
  const accepts = signal(false)
  const problem = signal<string | null>(null)
  let revision: string | null = null

  const ask = checking({
    ...{ later, now: () => draft.value, ask: api.check },
    take: (answer) => {
      checked.value = answer
      problem.value = null
    },
    fail: (error) => (problem.value = sentenceOf(error)),
  })
  const check = () => {
    checked.value = null
    ask()
  }

  const show = (event: Json | null, changed: boolean) => {
    draft.value = event
    isChanged.value = changed
    accepts.value = false
    if (changed && event) store.setItem(KEY, JSON.stringify({ event, revision } satisfies Kept))
    else store.removeItem(KEY)
    if (event) check()
  }

  const file = () => {
    revision = found.value?.revision ?? null
    isOld.value = false
    show(found.value?.event ?? null, false)
  }

  return {
    ...{ found, draft, isChanged, isOld, checked, accepts, problem },
    async open() {
      try {
        found.value = await api.read()
        const kept = keptIn(store)
        if (!kept) return file()
        revision = kept.revision
        isOld.value = kept.revision !== found.value.revision
        show(kept.event, true)
      } catch (error) {
        problem.value = sentenceOf(error)
      }
    },
    change: (event) => show(event, true),
    discard: file,
    keep() {
      revision = found.value?.revision ?? null
      isOld.value = false
      show(draft.value, true)
    },
    async save() {
      if (!draft.value) return
      await api.save({ event: draft.value, revision, accepts_changes: accepts.value })
      store.removeItem(KEY)
      found.value = await api.read()
      file()
    },
  }
}

/** What somebody else has written there is no draft. */
function keptIn(store: Store): Kept | undefined {
  try {
    const kept = JSON.parse(store.getItem(KEY) ?? 'null') as Partial<Kept> | null
    if (typeof kept?.event !== 'object' || kept.event === null || Array.isArray(kept.event)) return undefined
    return { event: kept.event, revision: typeof kept.revision === 'string' ? kept.revision : null }
  } catch {
    return undefined
  }
}
