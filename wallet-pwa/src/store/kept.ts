/**
 * The wallet's storage on the phone, as JSON under names of its own. Everything is checked when it is read: another version of
 * the wallet may have written it, or a disk may have been full half way.
 */
import type { Announcement, TicketView } from '@gatehouse/proto/wire/attendee.ts'
import type { VenuePlan } from '@gatehouse/proto/wire/venue.ts'
import { isTicketId } from '../wallet/link.ts'

const PREFIX = 'gatehouse-wallet:'

type Storing = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

export interface Kept {
  /** Undefined where there is no value, or one that does not pass `check`. */
  read<T>(name: string, check: (value: unknown) => value is T): T | undefined
  /** False when it could not be stored, because storage is full or forbidden. The value then lasts as long as the page. */
  write(name: string, value: unknown): boolean
  remove(name: string): void
}

/** @param storage localStorage; undefined where the browser forbids it, so that nothing outlives the page */
export function keptIn(storage: Storing | undefined): Kept {
  return {
    read(name, check) {
      try {
        const value: unknown = JSON.parse(storage?.getItem(PREFIX + name) ?? 'null')
        return check(value) ? value : undefined
      } catch {
        return undefined
      }
    },
    write(name, value) {
      try {
        storage?.setItem(PREFIX + name, JSON.stringify(value))
        return storage !== undefined
      } catch {
        return false
      }
    },
    remove(name) {
      try {
        storage?.removeItem(PREFIX + name)
      } catch {
        // Forbidden: then there is nothing to remove either.
      }
    },
  }
}

/** An entry in the list of tickets. */
export interface Listed {
  id: string
  verifierKey: string | null
}

/** An answer of the box with the moment of its arrival, unix ms by this phone. */
export interface Dated<T> {
  at: number
  value: T
}

type Fields = Record<string, unknown>
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const isText = (value: unknown): value is string => typeof value === 'string'
export const isTextOrNull = (value: unknown) => value === null || isText(value)
const isTime = (value: unknown) => isText(value) && Number.isFinite(Date.parse(value))
export const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
export const isListOf =
  <T>(check: (value: unknown) => value is T) =>
  (value: unknown): value is T[] =>
    Array.isArray(value) && value.every(check)

/** The valid entries of the stored list: one that is damaged must not lose the others. */
export function listingOf(kept: Kept): Listed[] {
  return kept.read('tickets', (value) => Array.isArray(value))?.filter(isListed) ?? []
}

function isListed(value: unknown): value is Listed {
  return isFields(value) && isText(value.id) && isTicketId(value.id) && isTextOrNull(value.verifierKey)
}

export function isDated<T>(check: (value: unknown) => value is T): (value: unknown) => value is Dated<T> {
  return (value): value is Dated<T> => isFields(value) && isNumber(value.at) && check(value.value)
}

const STATUSES = ['valid', 'pending', 'blocked', 'revoked']

/** Checks answers from the network too: at a venue, a captive portal may answer instead of the box. */
export function isTicketView(value: unknown): value is TicketView {
  if (!isFields(value) || !isFields(value.ticket) || !Array.isArray(value.history)) return false
  const { ticket, history, secret, event_tag, event_id, event_name, claimed } = value
  return (
    [ticket.tier_name, event_id, event_name].every(isText) &&
    isText(event_tag) &&
    /^[0-9a-f]{16}$/.test(event_tag) &&
    typeof claimed === 'boolean' &&
    (secret === undefined || isText(secret)) &&
    [ticket.tier_colour, ticket.seat_label].every(isTextOrNull) &&
    [ticket.valid_from, ticket.valid_until].every((time) => time === null || isTime(time)) &&
    (ticket.holder_name === undefined || isText(ticket.holder_name)) &&
    isText(ticket.status) &&
    STATUSES.includes(ticket.status) &&
    Array.isArray(ticket.zones) &&
    ticket.zones.every((zone) => isFields(zone) && isText(zone.id) && isText(zone.name)) &&
    history.every(
      (passage) =>
        isFields(passage) &&
        [passage.checkpoint_name, passage.gate_name, passage.direction].every(isText) &&
        isTime(passage.at),
    )
  )
}

/** Checks that an announcement can be drawn. Its signature shows that it is the organiser's. */
function isAnnouncement(value: unknown): value is Announcement {
  return (
    isFields(value) &&
    [value.id, value.text, value.lang, value.signature].every(isText) &&
    isText(value.severity) &&
    ['info', 'warning', 'emergency'].includes(value.severity) &&
    isTime(value.issued_at) &&
    (value.expires_at === undefined || isTime(value.expires_at)) &&
    (value.zones === undefined || (Array.isArray(value.zones) && value.zones.every(isText)))
  )
}
export const areAnnouncements = isListOf(isAnnouncement)

export interface KeptPlan {
  etag: string | null
  plan: VenuePlan
}

/** Checks the outline only: `screens/nearby/` draws no map when the content of one makes the drawing throw. */
export function isKeptPlan(value: unknown): value is KeptPlan {
  return isFields(value) && isTextOrNull(value.etag) && isPlan(value.plan)
}

export function isPlan(value: unknown): value is VenuePlan {
  return (
    isFields(value) &&
    isText(value.event_id) &&
    [value.zones, value.gates, value.checkpoints].every(
      (list) => Array.isArray(list) && list.every((one) => isFields(one) && isText(one.id) && isText(one.name)),
    ) &&
    (value.map === undefined || isFields(value.map))
  )
}

export interface Settings {
  /** Id of the ticket that was shown last. */
  current: string | null
  stepFree: boolean
  /** The hint to put the wallet on the home screen was answered. */
  hinted: boolean
  /** Ids of announcements that were on the screen. */
  read: string[]
}

export const NO_SETTINGS: Settings = { current: null, stepFree: false, hinted: false, read: [] }

export function isSettings(value: unknown): value is Settings {
  return (
    isFields(value) &&
    isTextOrNull(value.current) &&
    typeof value.stepFree === 'boolean' &&
    typeof value.hinted === 'boolean' &&
    Array.isArray(value.read) &&
    value.read.every(isText)
  )
}

export function isOffset(value: unknown): value is number {
  return isNumber(value)
}
