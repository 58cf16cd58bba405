/** An announcement before it is sent. */
import type { components } from '@gatehouse/proto/client.ts'
import { isLanguage } from '@gatehouse/proto/ui/language.ts'

export type Severity = 'info' | 'warning' | 'emergency'
export const SEVERITIES: readonly Severity[] = ['info', 'warning', 'emergency']

/** Seconds that it is shown; 0 for as long as the event lasts. */
export const LASTS = [900, 3600, 4 * 3600, 12 * 3600, 0] as const

/** As many characters as the box takes. */
export const LONGEST = 500

type AnnounceRequest = components['schemas']['AnnounceRequest']
type Announcement = components['schemas']['Announcement']

export interface Draft {
  text: string
  severity: Severity
  lang: string
  everybody: boolean
  zones: ReadonlySet<string>
  lasts: number
  /** Id of the announcement that it corrects. */
  replaces?: string
}

export const EMPTY: Draft = { text: '', severity: 'info', lang: 'en', everybody: true, zones: new Set(), lasts: 3600 }

/** A new draft in the language of this page, which its author writes and in which the templates are. */
export function newDraft(pageLanguage: string): Draft {
  return { ...EMPTY, lang: isLanguage(pageLanguage) ? pageLanguage : EMPTY.lang }
}

/** The draft of a correction. It is shown for as long anew as the first would be by default. */
export function correctionOf({ id, text, severity, lang, zones }: Announcement): Draft {
  return { ...EMPTY, text, severity, lang, everybody: !zones, zones: new Set(zones), replaces: id }
}

export type Fault = 'empty' | 'controls' | 'chooseZones'

/** The fault that keeps it from being sent; null where there is none. */
export function faultOf({ text, everybody, zones }: Draft): Fault | null {
  if (text.trim() === '') return 'empty'
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the box refuses them
  if (/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(text)) return 'controls'
  return !everybody && zones.size === 0 ? 'chooseZones' : null
}

/** @param now by the box's clock as far as it is known, Unix ms: a tablet that is an hour off must not send what has expired */
export function requestOf(draft: Draft, actor: string, now: number): AnnounceRequest {
  const { severity, lang, everybody, zones, lasts, replaces } = draft
  return {
    actor,
    severity,
    lang,
    text: draft.text.trim(),
    ...(!everybody && { zones: [...zones] }),
    ...(replaces !== undefined && { replaces }),
    ...(lasts > 0 && { expires_at: new Date(now + lasts * 1000).toISOString() }),
  }
}

/** Characters that a text may still have. The box counts code points, a browser UTF-16 units. */
export function charactersLeft(text: string): number {
  return LONGEST - [...text.trim()].length
}
