/** The map of the event from the file, or from files of others, to the file again. */
import type { MapChecked, MapDraft, MapImport, MapImported } from '@gatehouse/proto/wire/guide-map.ts'
import { MOST_MAP_BYTES } from '@gatehouse/proto/wire/guide-map.ts'
import { type ReadonlySignal, signal } from '@preact/signals'
import { Refused, sentenceOf } from '../../session/answered.ts'
import { guideWords } from '../../words/late.ts'
import { checking } from './checking.ts'
import { type Json, listOf, textOf } from './draft.ts'
import { type Place, withGate, withoutForeignGates } from './map-draft.ts'
import { EMPTY_MAP } from './map-edit.ts'

export interface MapApi {
  read(): Promise<MapDraft>
  import(files: MapImport): Promise<MapImported>
  check(collection: Json): Promise<MapChecked>
  save(save: { collection: Json | null; revision: string | null }): Promise<unknown>
}

/** Choices that somebody has made about imported files. */
export interface Choices {
  /** The zone that the whole venue is, or ''. */
  zone: string
  /** Entrances by gate; '' for a gate that is put on the map by hand. */
  entrances: Readonly<Record<string, string>>
  /** Parts of the venue by zone; '' for a zone that is none of them. */
  parts: Readonly<Record<string, string>>
  /** Language of the names that are given in several; '' for none chosen. */
  language: string
  /** For plain GeoJSON: what its features are, in place of the usual rules. */
  rules: readonly unknown[] | null
}

export interface Mapping {
  found: ReadonlySignal<MapDraft | null>
  /** Null for no map. */
  draft: ReadonlySignal<Json | null>
  isChanged: ReadonlySignal<boolean>
  checked: ReadonlySignal<MapChecked | null>
  /** Content of the files of others; null where none were chosen. */
  imported: ReadonlySignal<MapImported | null>
  choices: ReadonlySignal<Choices>
  isBusy: ReadonlySignal<boolean>
  problem: ReadonlySignal<string | null>
  open(): Promise<void>
  /** @param event with the gates and zones that can be named */
  choose(files: readonly File[], event: Json): Promise<void>
  say(choices: Choices, event: Json): Promise<void>
  /** Takes rules of a file, as `gatehouse venue import --rules` reads it. */
  chooseRules(file: File, event: Json): Promise<void>
  /** Grows with every map that comes from elsewhere: the file, an import, a new beginning. */
  loads: ReadonlySignal<number>
  /** Place at which a map of nothing begins, and its width. */
  around: ReadonlySignal<{ middle: Place; metres: number } | null>
  begin(middle: Place, metres: number): void
  change(collection: Json): void
  put(gate: string, at: Place): void
  remove(): void
  save(): Promise<void>
}

const NO_CHOICES: Choices = { zone: '', entrances: {}, parts: {}, language: '', rules: null }

/** @param later runs the last of several calls in a row, once they stop */
export function mapping(api: MapApi, later: (work: () => void) => void): Mapping {
  const found = signal<MapDraft | null>(null)
  const draft = signal<Json | null>(null)
  const isChanged = signal(false)
  const checked = signal<MapChecked | null>(null)
  const imported = signal<MapImported | null>(null)
  const choices = signal(NO_CHOICES)
  const isBusy = signal(false)
  const problem = signal<string | null>(null)
  const loads = signal(0)
  const around = signal<{ middle: Place; metres: number } | null>(null)
  let files: MapImport['files'] = []
  const check = checking({
    ...{ later, ask: api.check },
    now: () => (isChanged.value ? draft.value : null),
    take: (answer) => (checked.value = answer),
    fail: (error) => (problem.value = sentenceOf(error)),
  })

  const show = (collection: Json | null, changed: boolean) => {
    draft.value = collection
    isChanged.value = changed
    checked.value = null
    if (collection && changed) check()
  }

  const load = (collection: Json | null, changed: boolean) => {
    around.value = null
    loads.value++
    show(collection, changed)
  }

  async function attempt(work: () => Promise<void>): Promise<void> {
    if (isBusy.value) return
    isBusy.value = true
    problem.value = null
    try {
      await work()
    } catch (error) {
      problem.value = sentenceOf(error)
    } finally {
      isBusy.value = false
    }
  }

  async function importWith(event: Json): Promise<void> {
    const { zone, entrances, parts, language, rules } = choices.value
    const zones = Object.entries(parts).flatMap(([name, id]) => (id === '' ? [] : [{ id, zone: name }]))
    const gates = Object.entries(entrances).flatMap(([gate, id]) => (id === '' ? [] : [{ id, gate }]))
    const asked = {
      files,
      ...(gates.length > 0 && { gates }),
      ...(zone !== '' && { zone }),
      ...(zones.length > 0 && { zones }),
      ...(language !== '' && { language }),
    }
    const first = await api.import(asked)
    const lines = (rules as never[] | null) ?? rulesFor(files, zone)
    const answer = first.format === 'geojson' ? await api.import({ files, rules: lines }) : first
    imported.value = answer
    if (!answer.collection) throw new Refused('unreadable', 0, guideWords.map.nothing)
    const ids = new Set(listOf(event, 'gates').map((gate) => textOf(gate, 'id')))
    load(answer.format === 'map' ? answer.collection : withoutForeignGates(answer.collection, ids), true)
  }

  return {
    ...{ found, draft, isChanged, checked, imported, choices, isBusy, problem, loads, around },
    open: () =>
      attempt(async () => {
        found.value = await api.read()
        imported.value = null
        load(found.value.collection, false)
      }),
    choose: (chosen, event) =>
      attempt(async () => {
        imported.value = null
        const wanted = chosen.filter(({ name }) => /\.(txt|geojson|json)$/i.test(name))
        if (wanted.length === 0) throw new Refused('unreadable', 0, guideWords.map.nothing)
        if (wanted.reduce((sum, { size }) => sum + size, 0) > MOST_MAP_BYTES)
          throw new Refused('unreadable', 0, guideWords.map.tooLarge)
        files = await Promise.all(wanted.map(async (file) => ({ name: file.name, text: await file.text() })))
        const [zone, other] = listOf(event, 'zones').map((one) => textOf(one, 'id'))
        choices.value = { ...NO_CHOICES, zone: other === undefined ? (zone ?? '') : '' }
        await importWith(event)
      }),
    say: (said, event) =>
      attempt(async () => {
        choices.value = said
        await importWith(event)
      }),
    chooseRules: (file, event) =>
      attempt(async () => {
        choices.value = { ...choices.value, rules: await rulesIn(file) }
        await importWith(event)
      }),
    begin: (middle, metres) => {
      imported.value = null
      load(EMPTY_MAP, true)
      around.value = { middle, metres }
    },
    change: (collection) => show(collection, true),
    put: (gate, at) => {
      if (draft.value) show(withGate(draft.value, gate, at), true)
    },
    remove: () => {
      imported.value = null
      show(null, found.value?.revision != null)
    },
    save: () =>
      attempt(async () => {
        await api.save({ collection: draft.value, revision: found.value?.revision ?? null })
        found.value = await api.read()
        imported.value = null
        show(found.value.collection, false)
      }),
  }
}

async function rulesIn(file: File): Promise<readonly unknown[]> {
  const text = file.size > MOST_MAP_BYTES ? '' : await file.text()
  try {
    const json: unknown = JSON.parse(text)
    if (Array.isArray(json)) return json
  } catch {
    // Said below, as of a file that is JSON and no list.
  }
  throw new Refused('unreadable', 0, guideWords.map.rulesUnreadable)
}

/** Of plain GeoJSON: lines are where people walk, and the areas of a file with a zone are its border. */
function rulesFor(files: MapImport['files'], zone: string): NonNullable<MapImport['rules']> {
  const rules = files.flatMap(({ name: file }) => [
    { file, geometry: 'line', kind: 'path' },
    ...(zone === '' ? [] : [{ file, geometry: 'area', kind: 'zone', id: zone }]),
  ])
  return rules as never[]
}
