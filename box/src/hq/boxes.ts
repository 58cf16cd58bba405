/** The boxes that may write at HQ. Only this file adds, binds and removes them. */
import { X509Certificate } from 'node:crypto'
import { fingerprint256 } from '../ca/authority.ts'
import type { FeedName } from '../ca/feed-name.ts'
import { and, asc, eq, isNull, ne, or, sql } from '../drizzle/core.ts'
import { causeOf, type HqDb } from './database.ts'
import { boxes } from './schema.ts'
import type { AddedBox } from './sender.ts'

/** The request cannot be carried out; the message says why. */
export class BoxError extends Error {
  override readonly name = 'BoxError'
}

export type BoxRow = typeof boxes.$inferSelect

/** Boxes that are not removed, by name. */
export async function listBoxes(db: HqDb): Promise<BoxRow[]> {
  return db.select().from(boxes).where(isNull(boxes.removedAt)).orderBy(asc(boxes.name))
}

/** @param ca PEM @throws BoxError */
export async function addBox(db: HqDb, { name, ca, now }: { name: string; ca: string; now: number }): Promise<string> {
  if (!/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,62}$/u.test(name)) {
    throw new BoxError('A name is 1 to 63 letters, digits, blanks, dots, - or _, and begins with a letter or digit.')
  }
  const certificate = readAuthority(ca)
  const caFingerprint = `sha256:${fingerprint256(certificate.raw)}`
  try {
    await db
      .insert(boxes)
      .values({ name, ca: certificate.toString(), caFingerprint, addedAt: new Date(now).toISOString() })
  } catch (error) {
    if (causeOf(error).code !== '23505') throw error
    const [there] = await db
      .select()
      .from(boxes)
      .where(or(eq(boxes.name, name), and(eq(boxes.caFingerprint, caFingerprint), isNull(boxes.removedAt))))
    throw new BoxError(
      there?.name === name
        ? `There is a box called "${name}"${there.removedAt ? ', which was removed: its rows are still here' : ''}. Choose another name.`
        : `This authority is the one of "${there?.name}" already: every box has its own.`,
    )
  }
  return caFingerprint
}

/** Its certificates are no longer accepted; what it wrote stays. @returns false when there is no such box */
export async function removeBox(db: HqDb, name: string, now: number): Promise<boolean> {
  const removed = await db
    .update(boxes)
    .set({ removedAt: new Date(now).toISOString(), connected: false })
    .where(and(eq(boxes.name, name), isNull(boxes.removedAt)))
    .returning({ name: boxes.name })
  return removed.length > 0
}

/**
 * Binds the box to what its certificate says, for good, at its first batch.
 * @throws BoxError when another box, of another authority, has this id already: it may never write as that one
 */
export async function bindBox(db: HqDb, { name }: AddedBox, { box, event, verifierKey }: FeedName): Promise<void> {
  const [other] = await db
    .select({ name: boxes.name })
    .from(boxes)
    // A removed box counts too: its rows are still under this id, and its authority is another one.
    .where(and(eq(boxes.box, box), ne(boxes.name, name), sql`${boxes.caFingerprint} <> (${fingerprintOf(db, name)})`))
  if (other)
    throw new BoxError(`"${other.name}" is ${box} already, with another authority: "${name}" cannot be the same box.`)
  await db
    .update(boxes)
    .set({ box, event, verifierKey })
    .where(and(eq(boxes.name, name), isNull(boxes.box)))
}

function fingerprintOf(db: HqDb, name: string) {
  return db.select({ caFingerprint: boxes.caFingerprint }).from(boxes).where(eq(boxes.name, name))
}

function readAuthority(pem: string): X509Certificate {
  try {
    const certificate = new X509Certificate(pem)
    if (certificate.ca) return certificate
  } catch {
    // The error below says it.
  }
  throw new BoxError('That is not the certificate of an authority, such as a box serves at /ca.crt.')
}
