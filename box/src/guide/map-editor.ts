/** The map of the event as a draft: read, imported from files of others, checked as `check-event` does, and written beside event.json. */
import type { MapChecked, MapDraft, MapImport, MapImported } from '@gatehouse/proto/wire/guide-map.ts'
import { MOST_MAP_BYTES } from '@gatehouse/proto/wire/guide-map.ts'
import { type By, whoOf } from '../ca/actor.ts'
import { GatehouseError } from '../errors.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Checks } from './checks.ts'
import { MAP_FILE, readEventText, removeFile, revisionOf, writeEventText } from './event-folder.ts'
import { checkMapBeside, importMapBeside } from './map-thread.ts'
import type { CheckedMap } from './map-work.ts'

export interface MapEditorDeps {
  ledger: Ledger
  /** The event's folder, of which the guide writes event.json. */
  folder: string
  /** Of the map that the box runs with; null for none. */
  running: string | null
  checks: Checks
}

export interface MapDraftToSave {
  collection: Record<string, unknown> | null
  revision: string | null
}

/** Problems in one sentence of a refusal: the check lists them all. */
const MOST_TOLD = 3

export class MapEditor {
  readonly #deps: MapEditorDeps
  /** Maps are written one after the other. */
  #writing: Promise<unknown> = Promise.resolve()

  constructor(deps: MapEditorDeps) {
    this.#deps = deps
  }

  async read(): Promise<MapDraft> {
    const { text, revision } = await readEventText(this.#deps.folder, MAP_FILE)
    if (text === undefined) return { state: 'none', collection: null, revision }
    if (text.length > MOST_MAP_BYTES) return { state: 'too_large', collection: null, revision }
    const collection = objectIn(text)
    return { state: collection ? 'drawn' : 'unreadable', collection, revision }
  }

  /** Writes nothing. @throws GatehouseError `rate_limited`, `bad_request` */
  import(files: MapImport): Promise<MapImported> {
    return this.#deps.checks.run(() => importMapBeside(files))
  }

  /** Against the event as it is on the disk. @throws GatehouseError `conflict` where there is none; as `import` */
  async check(collection: Record<string, unknown>): Promise<MapChecked> {
    const { problems } = await this.#checked(collection, undefined)
    return { problems }
  }

  /**
   * @returns the revision of the file that was written
   * @throws GatehouseError `bad_request` for a map with an error; `conflict` where the file was changed meanwhile, where there is no
   *   event yet, and where it cannot be written
   */
  save(draft: MapDraftToSave, by: By): Promise<{ revision: string | null; pending: boolean }> {
    const mine = this.#writing.then(() => this.#save(draft, by))
    this.#writing = mine.catch(() => {})
    return mine
  }

  async isPending(): Promise<boolean> {
    return (await readEventText(this.#deps.folder, MAP_FILE)).revision !== this.#deps.running
  }

  async #save({ collection, revision }: MapDraftToSave, by: By) {
    const { folder, ledger } = this.#deps
    const before = await readEventText(folder, MAP_FILE)
    if (before.revision !== revision) {
      throw new GatehouseError(
        'conflict',
        `The file ${MAP_FILE} was changed meanwhile: open it again, and repeat the change.`,
        { reason: 'map_changed' },
      )
    }
    const text = collection && (await this.#sound(collection, before.text))
    const written = text === null ? null : revisionOf(text)
    if (written !== revision) {
      const digest = written ?? revisionOf('')
      await ledger.commit(() => ledger.append('event_edited', { ...whoOf(by), digest, changes: 0 }))
      if (text === null) await removeFile(folder, MAP_FILE)
      else await writeEventText(folder, text, MAP_FILE)
    }
    return { revision: written, pending: await this.isPending() }
  }

  async #sound(collection: Record<string, unknown>, before: string | undefined): Promise<string> {
    const { problems, text } = await this.#checked(collection, before)
    const errors = problems.filter(({ severity }) => severity === 'error')
    if (errors.length === 0) return text
    const told = errors.slice(0, MOST_TOLD).map(({ feature, message }) => `${feature && `${feature}: `}${message}`)
    const more = errors.length > MOST_TOLD ? `; and ${errors.length - MOST_TOLD} more` : ''
    throw new GatehouseError('bad_request', `Correct the map first: ${told.join('; ')}${more}.`, {
      reason: 'map_mistaken',
      values: { n: errors.length },
    })
  }

  async #checked(collection: Record<string, unknown>, before: string | undefined): Promise<CheckedMap> {
    const { text } = await readEventText(this.#deps.folder)
    if (text === undefined)
      throw new GatehouseError('conflict', 'There is no event yet: save the event first.', { reason: 'no_event_yet' })
    return this.#deps.checks.run(() => checkMapBeside({ event: objectIn(text), collection, before }))
  }
}

function objectIn(text: string): Record<string, unknown> | null {
  try {
    const json: unknown = JSON.parse(text.replace(/^\ufeff/, ''))
    return typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as Record<string, unknown>) : null
  } catch {
    return null
  }
}
