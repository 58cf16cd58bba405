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
  /** This browser has the draft, until it is saved. */
  isKept: ReadonlySignal<boolean>
  accepts: Signal<boolean>
  problem: ReadonlySignal<string | null>
  open(): Promise<void>
  /** Takes what another tab of this browser has written: otherwise the tab that is typed in last would overwrite it. */
  follow(): Promise<void>
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

/** Another tab that changes the draft writes it here, too. */
export const DRAFT_KEY = 'gatehouse-event-draft'

/** @param later runs the last of several calls in a row, once they stop: a check for every key would hold up the next */
export function guiding(api: Api, store: Store, later: (work: () => void) => void): Guiding {
  const found = signal<EventDraft | null>(null)
  const draft = signal<Json | null>(null)
  const isChanged = signal(false)
  const isOld = signal(false)
  const checked = signal<EventChecked | null>(null)
  const isKept = signal(true)
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
    isKept.value = keepIn(store, changed && event ? { event, revision } : null)
    if (event) check()
  }

  const file = () => {
    revision = found.value?.revision ?? null
    isOld.value = false
    show(found.value?.event ?? null, false)
  }

  const take = (kept: Kept) => {
    revision = kept.revision
    isOld.value = kept.revision !== found.value?.revision
    show(kept.event, true)
  }

  async function open(): Promise<void> {
    try {
      found.value = await api.read()
      const kept = keptIn(store)
      if (kept) take(kept)
      else file()
    } catch (error) {
      problem.value = sentenceOf(error)
    }
  }

  return {
    ...{ found, draft, isChanged, isOld, checked, isKept, accepts, problem, open },
    async follow() {
      const kept = keptIn(store)
      // Without one it was saved there, or thrown away.
      if (kept && found.value) take(kept)
      else await open()
    },
    change: (event) => show(event, true),
    discard: file,
    keep() {
      revision = found.value?.revision ?? null
      isOld.value = false
      show(draft.value, true)
    },
    async save() {
      const event = draft.value
      if (!event) return
      const saved: Kept = { event, revision }
      await api.save({ ...saved, accepts_changes: accepts.value })
      forget(store, saved)
      found.value = await api.read()
      // Changed meanwhile, in another tab or here: that draft goes on.
      const kept = keptIn(store)
      if (kept) take(kept)
      else if (draft.value && draft.value !== event && isChanged.value) take({ event: draft.value, revision })
      else file()
    },
  }
}

/** The draft that was kept; anything else written there is none. */
function keptIn(store: Store): Kept | undefined {
  try {
    const kept = JSON.parse(store.getItem(DRAFT_KEY) ?? 'null') as Partial<Kept> | null
    if (typeof kept?.event !== 'object' || kept.event === null || Array.isArray(kept.event)) return undefined
    return { event: kept.event, revision: typeof kept.revision === 'string' ? kept.revision : null }
  } catch {
    return undefined
  }
}

/** @returns false where the browser keeps nothing, or has no room: then not an older draft either, which would come back */
function keepIn(store: Store, kept: Kept | null): boolean {
  try {
    if (kept) store.setItem(DRAFT_KEY, JSON.stringify(kept))
    else store.removeItem(DRAFT_KEY)
    return true
  } catch {
    if (kept) keepIn(store, null)
    return false
  }
}

/** Another tab may have kept a newer draft meanwhile: that one stays. */
function forget(store: Store, saved: Kept): void {
  try {
    if (store.getItem(DRAFT_KEY) === JSON.stringify(saved)) store.removeItem(DRAFT_KEY)
  } catch {
    // Nothing is kept where the storage may not be read.
  }
}
