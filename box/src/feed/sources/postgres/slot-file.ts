/**
 * The file in which a source remembers its slot from one run to the next: which cluster, timeline and database it was in, and
 * how far it has acknowledged. PostgreSQL gives a slot no id, so one that was dropped and made again can only be recognised by
 * its position; and a slot that is missing was either never made, or is missing because another server answers.
 */
import { rm } from 'node:fs/promises'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { readIfThere, replaceDurably } from '../../../durable-file.ts'
import { formatLsn, type Lsn, parseLsn } from '../../lsn.ts'
import type { SinkLog } from '../../sink.ts'
import { type Place, placeOf } from './continuity.ts'
import { SourceError } from './faults.ts'

/** A slot as it was when it was last read. */
export interface Known {
  /** Of the source: kept over a failover that lost nothing, and new after a gap between two logs. */
  readonly identity: string
  /** The place of the slot when it was last read; undefined where an older version wrote something else. */
  readonly place: Place | undefined
  /** The last acknowledged position. A slot that is further was moved by another reader. */
  readonly acknowledged: Lsn
  /** The publication's oid: a new one under the same name has another. Empty where it is not known. */
  readonly publication: string
}

/** The file as this version writes it. */
export type Written = Known & { readonly place: Place }

const Version1 = Type.Object({ identity: Type.String(), acknowledged: Type.String(), publication: Type.String() })
const Version2 = Type.Object({
  version: Type.Literal(2),
  ...Version1.properties,
  system: Type.String(),
  timeline: Type.String(),
  database: Type.String(),
  slot: Type.String(),
})

/**
 * Undefined when there is no file.
 * @throws SourceError for a file that says nothing: what was delivered is not known then
 */
export async function readSlotFile(path: string): Promise<Known | undefined> {
  const text = await readIfThere(path)
  if (text === undefined) return undefined
  const known = parseSlotFile(text)
  if (known) return known
  throw new SourceError(
    `${path} cannot be read, so it is not known how far the slot was read. Remove the file to go on from where the slot stands`,
  )
}

function parseSlotFile(text: string): Known | undefined {
  let contents: unknown
  try {
    contents = JSON.parse(text)
  } catch {
    return undefined
  }
  if (Value.Check(Version2, contents)) {
    const { identity, system, timeline, database, slot } = contents
    return knownOf(contents, identity, { system, timeline, database, slot })
  }
  if (!Value.Check(Version1, contents) || 'version' in contents) return undefined
  return knownOf(contents, contents.identity, placeOf(contents.identity))
}

function knownOf(
  { acknowledged: position, publication }: Static<typeof Version1>,
  identity: string,
  place: Place | undefined,
): Known | undefined {
  const acknowledged = parseLsn(position)
  return acknowledged === undefined ? undefined : { identity, place, acknowledged, publication }
}

/** To be written before the server learns of it: after a crash in between, another reader would seem to have moved the slot. */
export async function writeSlotFile(path: string, { place, acknowledged, ...rest }: Written): Promise<void> {
  const contents: Static<typeof Version2> = { version: 2, ...rest, ...place, acknowledged: formatLsn(acknowledged) }
  try {
    await replaceDurably(path, `${JSON.stringify(contents)}\n`)
  } catch (error) {
    // Without the file a new slot goes unnoticed; with an old file, a loss is reported that never was. A full disk allows removal.
    await rm(path, { force: true }).catch(() => {})
    throw error
  }
}

/** Writes the slot file where delivery can go on without it. Never rejects: the log says what that means. */
export async function rememberSlot(path: string, known: Written, log: SinkLog): Promise<void> {
  try {
    await writeSlotFile(path, known)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const consequence = 'a slot that is made again while the daemon is off will not be noticed'
    log.error({ event: 'slot_file_not_written', path, reason, consequence })
  }
}
