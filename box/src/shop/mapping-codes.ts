/** Mistakes of `pretix.yaml` and `shop.yaml` as codes, for the screens Shop and Event. */
import { basename } from 'node:path'
import { type Coded, type CodeOf, coded } from '@gatehouse/proto/said.ts'
import type { Mistake } from '../event/mistakes.ts'
import type { PlacedMistake } from '../feed/config/document.ts'
import type { MappingError } from './mapping.ts'

export type MappingCode = Coded<CodeOf<'mapping'>>

/** Nobody corrects more before the file is read again. */
const MOST_TOLD = 12
/** Of a value: a file may have a megabyte where a name belongs. */
const LONGEST = 300

/** As the mistakes of an event's other files are told. @param name of the file */
export function mappingMistake(error: MappingError, name: string): Mistake {
  return { path: name, message: error.message, coded: mappingCodes(error, name) }
}

/** @param path of the file, of which the sentences have the name alone */
export function mappingCodes({ mistakes, cause }: MappingError, path: string): MappingCode[] {
  const file = basename(path)
  if (mistakes.length === 0) {
    const why = cause instanceof Error ? cause.message : ''
    return one('mapping_unreadable', { file, why: why.replace(/\.$/, '') })
  }
  const told = mistakes.slice(0, MOST_TOLD).flatMap((mistake) => codeOf(mistake, file))
  const more = mistakes.length - MOST_TOLD
  return more > 0 ? [...told, ...one('mapping_more', { n: more })] : told
}

function codeOf({ line, key, message, kind, value }: PlacedMistake, file: string): MappingCode[] {
  // A key that is missing at the top of the file has no line of its own.
  const at = { file, line: Math.max(1, line), key }
  if (kind === 'tier') return one('mapping_tier', { ...at, tier: value ?? '' })
  if (kind === 'checkpoint') return one('mapping_checkpoint', { ...at, checkpoint: value ?? '' })
  if (kind === 'unknown') return one('mapping_key', at)
  if (kind === 'missing') return one('mapping_missing', at)
  const what = (key === '' ? message : `${key}: ${message}`).replace(/\.$/, '')
  return line === 0 ? one('mapping_unreadable', { file, why: what }) : one('mapping_other', { file, line, what })
}

function one(code: MappingCode['code'], values: Record<string, string | number>): MappingCode[] {
  const cut = (value: string | number) => (typeof value === 'string' ? value.slice(0, LONGEST).toWellFormed() : value)
  const short = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, cut(value)]))
  return [coded(code, short)]
}
