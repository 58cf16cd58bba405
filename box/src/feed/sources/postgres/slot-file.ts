/**
 * What a source remembers of its slot from one run to the next: how far it has acknowledged. PostgreSQL gives a slot no
 * number of its own, so a slot that was dropped and made again can only be known by where it stands.
 */
import { rm } from 'node:fs/promises'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { readIfThere, replaceDurably } from '../../../durable-file.ts'
import { formatLsn, parseLsn } from '../../lsn.ts'
import type { Known } from './plan.ts'

const Contents = Type.Object({
  identity: Type.String(),
  acknowledged: Type.String(),
  publication: Type.String(),
})

/** Undefined when nothing is known of this slot: a new file, one that cannot be read, or one of another database. */
export async function readSlotFile(path: string, identity: string): Promise<Known | undefined> {
  const text = await readIfThere(path)
  try {
    const contents: unknown = JSON.parse(text ?? '')
    if (!Value.Check(Contents, contents) || contents.identity !== identity) return undefined
    const acknowledged = parseLsn(contents.acknowledged)
    return acknowledged === undefined ? undefined : { acknowledged, publication: contents.publication }
  } catch {
    return undefined
  }
}

/** Has to be on disk before the server hears of it: else a crash in between would look like somebody else's doing. */
export async function writeSlotFile(path: string, identity: string, known: Known): Promise<void> {
  const contents = { identity, acknowledged: formatLsn(known.acknowledged), publication: known.publication }
  try {
    await replaceDurably(path, `${JSON.stringify(contents)}\n`)
  } catch (error) {
    // Without a file nothing is noticed; with an old one, something that never was. A full disk lets a file go.
    await rm(path, { force: true }).catch(() => {})
    throw error
  }
}
