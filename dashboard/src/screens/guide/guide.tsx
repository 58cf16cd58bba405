/** The event of this box as forms: the file that the command line reads, checked as it is typed. */
import './guide.css'
import type { JSX } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { Model } from '../../model.ts'
import { answered } from '../../session/answered.ts'
import { guideWords as say } from '../../words/late.ts'
import { titles } from '../../words/words.ts'
import { Note, Page, Panel, Said } from '../parts/parts.tsx'
import { Forms } from './forms.tsx'
import { MapPanel } from './map-panel.tsx'
import { Preview } from './preview.tsx'
import { discard, Pending, Places, Saving } from './saving.tsx'
import { Start } from './start.tsx'
import { DRAFT_KEY, type Guiding, guiding, type Store } from './state.ts'

/** A browser that allows no storage refuses to name it, too. */
const STORE: Store = {
  getItem: (key) => localStorage.getItem(key),
  setItem: (key, text) => localStorage.setItem(key, text),
  removeItem: (key) => localStorage.removeItem(key),
}
/** A person who types pauses for less. */
const PAUSE_MS = 500

export function Screen(model: Model): JSX.Element {
  const state = useMemo(() => guiding(apiOf(model), STORE, debounced(PAUSE_MS)), [])
  useEffect(() => {
    void state.open()
    const listen = ({ key }: StorageEvent) => {
      if (key === DRAFT_KEY) void state.follow()
    }
    addEventListener('storage', listen)
    return () => removeEventListener('storage', listen)
  }, [])
  const { found, draft, isChanged, isOld, problem } = state
  const file = found.value
  const isOpen = useRef(false)
  useEffect(() => {
    isOpen.current = file !== null
  }, [file])
  if (!file)
    return (
      <Page title={titles.guide} lead={say.lead}>
        <Said bad={problem.value} />
      </Page>
    )
  return (
    <Page title={titles.guide} lead={say.lead}>
      {file.pending && !isChanged.value && <Pending model={model} demo={file.demo} isNew={isOpen.current} />}
      {/* Above the forms: once the event counts, people open the page for the next step. */}
      {draft.value !== null && !file.pending && !file.demo && <Next folder={file.folder} />}
      {isOld.value && <Conflict model={model} state={state} />}
      {draft.value === null && file.mistakes.length > 0 && <Places list={file.mistakes} />}
      {draft.value === null && file.mistakes.length === 0 && <Start model={model} begin={state.change} />}
      {draft.value !== null && (
        <>
          <Forms event={draft.value} change={state.change} />
          <Preview event={draft.value} />
          <Saving model={model} state={state} />
          {file.revision !== null && <MapPanel model={model} event={draft.value} saved={() => void state.open()} />}
        </>
      )}
    </Page>
  )
}

function Conflict({ model, state }: { model: Model; state: Guiding }): JSX.Element {
  return (
    <div class="part-row">
      <Note tone="bad">{say.conflict.text}</Note>
      <button type="button" onClick={() => void discard(model, state)}>
        {say.conflict.file}
      </button>
      <button type="button" onClick={state.keep}>
        {say.conflict.draft}
      </button>
    </div>
  )
}

function Next({ folder }: { folder: string }): JSX.Element {
  return (
    <Panel title={say.next.title}>
      <div class="part-row">
        <a class="button" href="#/import">
          {say.next.tickets}
        </a>
        <a class="button" href="#/scanners">
          {say.next.devices}
        </a>
        <a class="button" href="#/ready">
          {say.next.rehearse}
        </a>
      </div>
      <p class="quiet">
        {say.next.folder} <code>{folder}</code>
      </p>
    </Panel>
  )
}

function apiOf({ session: { client, actor } }: Model): Parameters<typeof guiding>[0] {
  return {
    read: () => answered(client.GET('/v1/admin/event')),
    check: (event) => answered(client.POST('/v1/admin/event/check', { body: { event } })),
    save: (save) =>
      answered(
        client.PUT('/v1/admin/event', { body: { ...save, ...(actor.value !== null && { actor: actor.value }) } }),
      ),
  }
}

function debounced(ms: number): (work: () => void) => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  return (work) => {
    clearTimeout(timer)
    timer = setTimeout(work, ms)
  }
}
