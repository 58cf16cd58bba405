/** The event as a draft: read, checked as `gatehouse check-event` does, compared with what exists, and written. */

import { setTimeout as sleep } from 'node:timers/promises'
import { coded } from '@gatehouse/proto/said.ts'
import type { EventChange, EventChecked, EventDraft } from '@gatehouse/proto/wire/guide.ts'
import { type By, whoOf } from '../ca/actor.ts'
import type { OwnEvent } from '../config.ts'
import { GatehouseError } from '../errors.ts'
import { type Event, parseEvent } from '../event/event.ts'
import { EventFileError, formatMistakes, type Mistake } from '../event/mistakes.ts'
import { readJson } from '../event/read.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { changesBetween, type Existing } from './changes.ts'
import type { Checks } from './checks.ts'
import { prepareOwnData, readEventText, revisionOf, textOf, writeEventText } from './event-folder.ts'

interface Findings {
  readonly mistakes: readonly Mistake[]
  readonly warnings: readonly Mistake[]
}

export interface EditorDeps {
  /** The event that the box runs with. */
  event: Event
  ledger: Ledger
  dataDir: string
  eventDir: string
  /** Set on a box that runs the demo event: where an event of its own goes. */
  ownEvent: OwnEvent | undefined
  /** Every mistake of a draft that is to stand in this folder, and what to know of it, without holding up a scan. */
  checkDraft: (place: { folder: string; draft: unknown }) => Promise<Findings>
  checks: Checks
  /** The map beside the event differs from the one that the box runs with. */
  isMapPending: () => Promise<boolean>
  existing: () => Existing
  otherBoxes: () => number
  /** Closes the box and opens it again, soon; undefined where nobody would open it. */
  reopen: (() => void) | undefined
}

export interface Save {
  event: Record<string, unknown>
  revision: string | null
  accepts_changes?: boolean
}

/** People see the answer before the box closes. */
const BEFORE_CLOSING_MS = 200
/** Mistakes in one sentence of a refusal: the check lists them all. */
const MOST_TOLD = 5

export class EventEditor {
  readonly #deps: EditorDeps
  /** Drafts are written one after the other: each is compared with what the one before has left. */
  #writing: Promise<unknown> = Promise.resolve()

  constructor(deps: EditorDeps) {
    this.#deps = deps
  }

  get #folder(): string {
    return this.#deps.ownEvent?.eventDir ?? this.#deps.eventDir
  }

  async read(): Promise<EventDraft> {
    const { ownEvent, otherBoxes } = this.#deps
    const { revision } = await readEventText(this.#folder)
    const { json, mistakes } = await this.#parsed(revision)
    return {
      event: json,
      revision,
      demo: ownEvent !== undefined,
      pending: await this.#isAnyPending(json),
      other_boxes: otherBoxes(),
      folder: this.#folder,
      mistakes: [...mistakes],
    }
  }

  /** @throws GatehouseError `rate_limited` where several checks wait already */
  async check(draft: unknown): Promise<EventChecked> {
    const { mistakes, warnings } = await this.#findingsOf(draft)
    const findings = { mistakes: [...mistakes], warnings: [...warnings] }
    // To read a draft with many mistakes, or one that was given up, would hold up the scans after all.
    if (mistakes.length > 0) return { ...findings, changes: [] }
    const parsed = parseEvent(draft)
    if ('mistakes' in parsed) return { ...findings, mistakes: [...parsed.mistakes], changes: [] }
    return { ...findings, changes: this.#changes(parsed.event) }
  }

  /**
   * @returns the revision of the file that was written
   * @throws GatehouseError `bad_request` for a draft with mistakes; `conflict` where the file was changed meanwhile, where the draft
   *   changes what exists and nobody has accepted that, and where it cannot be written
   */
  async save(save: Save, by: By): Promise<{ revision: string; pending: boolean }> {
    const mine = this.#writing.then(() => this.#save(save, by))
    this.#writing = mine.catch(() => {})
    return mine
  }

  async #save(
    { event: draft, revision, accepts_changes }: Save,
    by: By,
  ): Promise<{ revision: string; pending: boolean }> {
    const { mistakes, changes } = await this.check(draft)
    if (mistakes.length > 0) throw mistaken('bad_request', mistakes)
    if (changes.length > 0 && accepts_changes !== true) {
      throw new GatehouseError(
        'conflict',
        'This changes tickets, scanners or zones in use: read the list, and accept it.',
        { reason: 'accept_changes' },
      )
    }
    const before = await readEventText(this.#folder)
    if (before.revision !== revision) {
      throw new GatehouseError(
        'conflict',
        'The file event.json was changed meanwhile: open it again, and repeat the change.',
        { reason: 'changed_meanwhile' },
      )
    }
    const text = textOf(draft, before.text)
    const digest = revisionOf(text)
    if (digest === before.revision) return { revision: digest, pending: this.#isPending(draft) }
    const { ownEvent, ledger, dataDir } = this.#deps
    if (ownEvent) await prepareOwnData(ownEvent, dataDir)
    await ledger.commit(() => ledger.append('event_edited', { ...whoOf(by), digest, changes: changes.length }))
    await writeEventText(this.#folder, text)
    return { revision: digest, pending: this.#isPending(draft) }
  }

  /**
   * Closes the box and opens it again with the file as it is now. @returns false where it is what the box runs with
   * @throws GatehouseError `conflict` for a file with a mistake, with which the box would not open
   */
  async apply(): Promise<boolean> {
    const { reopen } = this.#deps
    const { revision } = await readEventText(this.#folder)
    const { json, mistakes } = await this.#parsed(revision)
    const all = json ? (await this.#findingsOf(json)).mistakes : mistakes
    if (all.length > 0) throw mistaken('conflict', all)
    if (!(await this.#isAnyPending(json))) return false
    if (!reopen)
      throw new GatehouseError('conflict', 'This box cannot start itself again: start it by hand.', {
        reason: 'no_restart',
      })
    void sleep(BEFORE_CLOSING_MS).then(reopen)
    return true
  }

  async #findingsOf(draft: unknown): Promise<Findings> {
    const { checks, checkDraft } = this.#deps
    const { mistakes, warnings } = await checks.run(() => checkDraft({ folder: this.#folder, draft }))
    return { mistakes: [...this.#idMistakes(draft), ...mistakes], warnings }
  }

  async #parsed(
    revision: string | null,
  ): Promise<{ json: Record<string, unknown> | null; mistakes: readonly Mistake[] }> {
    if (revision === null) return { json: null, mistakes: [] }
    try {
      const json = await readJson(this.#folder)
      if (typeof json === 'object' && json !== null && !Array.isArray(json)) {
        const parsed = parseEvent(json)
        return { json: json as Record<string, unknown>, mistakes: 'mistakes' in parsed ? parsed.mistakes : [] }
      }
      const message = 'must be an object with the fields of an event'
      return { json: null, mistakes: [{ path: '', message, coded: [coded('an_object')] }] }
    } catch (error) {
      if (!(error instanceof EventFileError)) throw error
      return { json: null, mistakes: error.mistakes }
    }
  }

  /** A ledger is one event's for ever. */
  #idMistakes(draft: unknown): Mistake[] {
    const { ownEvent, event } = this.#deps
    const id = typeof draft === 'object' && draft !== null && 'id' in draft ? draft.id : undefined
    if (ownEvent || id === event.id) return []
    const message = `must stay "${event.id}": the ledger of this box belongs to it`
    return [{ path: 'id', message, coded: [coded('id_stays', { id: event.id })] }]
  }

  /** Nothing exists yet for the first event of its own. */
  #changes(draft: Event): EventChange[] {
    const { ownEvent, event, existing } = this.#deps
    return ownEvent ? [] : changesBetween(event, draft, existing())
  }

  async #isAnyPending(json: unknown): Promise<boolean> {
    return this.#isPending(json) || (json !== null && (await this.#deps.isMapPending()))
  }

  #isPending(json: unknown): boolean {
    if (json === null) return false
    const parsed = parseEvent(json)
    if ('mistakes' in parsed || this.#deps.ownEvent) return true
    // Equal files derive equal events.
    return JSON.stringify(parsed.event) !== JSON.stringify(this.#deps.event)
  }
}

function mistaken(
  code: 'bad_request' | 'conflict',
  mistakes: readonly Pick<Mistake, 'path' | 'message'>[],
): GatehouseError {
  const told = formatMistakes(mistakes.slice(0, MOST_TOLD)).replaceAll('\n', '; ')
  const more = mistakes.length > MOST_TOLD ? `; and ${mistakes.length - MOST_TOLD} more` : ''
  return new GatehouseError(code, `Correct the event first: ${told}${more}.`, {
    reason: 'event_mistaken',
    values: { n: mistakes.length },
  })
}
