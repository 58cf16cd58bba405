/** Reads entries and seals for `seal-check.ts` and stores the results, in the batch's transaction. */
import { and, asc, eq, gt, gte, isNull, lte, sql } from '../drizzle/core.ts'
import type { Alarm } from './alarms.ts'
import type { HqTransaction } from './database.ts'
import { journal, seals } from './readable.ts'
import { sealChecks } from './schema.ts'
import { type ArrivedSeal, type Checked, growAndCheck, type KeptTree, keepTree, openTree } from './seal-check.ts'

/** Entries read at a time. */
const PAGE = 2000

export interface SealedHistory {
  box: string
  history: number
  leaves: number
  tree: KeptTree
  verifierKey: string
}

/**
 * Grows the tree over what has arrived without a hole, and checks every seal that it reaches.
 * @returns the tree as it is now, and the alarms
 */
export async function checkSeals(
  tx: HqTransaction,
  { box, history, leaves, tree: kept, verifierKey }: SealedHistory,
): Promise<{ leaves: number; tree: KeptTree; alarms: Alarm[] }> {
  const unchecked = await tx
    .select({ size: seals.size, root: seals.root, note: seals.note })
    .from(seals)
    .leftJoin(
      sealChecks,
      and(eq(sealChecks.box, seals.box), eq(sealChecks.history, seals.history), eq(sealChecks.size, seals.size)),
    )
    .where(and(eq(seals.box, box), eq(seals.history, history), eq(seals.deleted, false), isNull(sealChecks.size)))
    .orderBy(asc(seals.size))
  const inTree = (from: number, until: number) => entries(tx, { box, history, from, until })
  const tree = openTree(kept)
  // For seals that came after the tree had grown past them, a second tree is grown from the beginning, once for all.
  const late = unchecked.filter(({ size }) => size < leaves)
  const checked = late.length > 0 ? await growThrough(openTree([]), inTree(0, lastOf(late)), late, verifierKey) : []
  checked.push(...(await growThrough(tree, inTree(leaves, Number.MAX_SAFE_INTEGER), unchecked, verifierKey)))
  if (checked.length > 0) {
    const keyId = verifierKey.split('+')[1] ?? ''
    const rows = checked.map(({ size, root, verdict }) => ({ box, history, size, root, verdict, keyId }))
    await tx.insert(sealChecks).values(rows).onConflictDoNothing()
  }
  const alarms = checked.flatMap(({ size, failure }) =>
    failure ? [{ box, history, kind: failure.kind, subject: String(size), detail: failure.detail }] : [],
  )
  return { leaves: tree.size, tree: keepTree(tree), alarms: [...alarms, ...(await forks(tx, box, history, checked))] }
}

async function growThrough(
  tree: ReturnType<typeof openTree>,
  pages: AsyncIterable<string[]>,
  waiting: readonly ArrivedSeal[],
  verifierKey: string,
): Promise<Checked[]> {
  const checked = growAndCheck(tree, [], waiting, verifierKey)
  for await (const page of pages) {
    const rest = waiting.filter(({ size }) => size > tree.size)
    checked.push(...growAndCheck(tree, page, rest, verifierKey))
  }
  return checked
}

function lastOf(sorted: readonly { size: number }[]): number {
  return sorted.at(-1)?.size ?? 0
}

/** The journal's bytes from entry `from` up to `until`, or to the first hole. */
async function* entries(
  tx: HqTransaction,
  { box, history, from, until }: { box: string; history: number; from: number; until: number },
): AsyncGenerator<string[]> {
  for (let next = from; next < until; ) {
    const rows = await tx
      .select({ idx: journal.index, bytes: journal.bytes })
      .from(journal)
      .where(
        and(
          eq(journal.box, box),
          eq(journal.history, history),
          gte(journal.index, next),
          lte(journal.index, Math.min(until - 1, next + PAGE - 1)),
        ),
      )
      .orderBy(asc(journal.index))
    const hole = rows.findIndex(({ idx }, i) => idx !== next + i)
    const whole = hole === -1 ? rows : rows.slice(0, hole)
    if (whole.length > 0) yield whole.map(({ bytes }) => bytes ?? '')
    next += whole.length
    if (whole.length < PAGE) return
  }
}

/** Finds two signed seals of one size with different roots: the box has two records. */
async function forks(tx: HqTransaction, box: string, history: number, checked: readonly Checked[]): Promise<Alarm[]> {
  const alarms: Alarm[] = []
  for (const { size, root } of checked) {
    const [other] = await tx
      .select({ history: sealChecks.history })
      .from(sealChecks)
      .where(
        and(
          eq(sealChecks.box, box),
          eq(sealChecks.size, size),
          sql`${sealChecks.history} <> ${history}`,
          sql`${sealChecks.root} <> ${root}`,
          gt(sealChecks.size, 0),
        ),
      )
      .limit(1)
    if (!other) continue
    const detail = `The seals of ${size} entries have two roots, in the histories ${other.history} and ${history}.`
    alarms.push({ box, history, kind: 'seal_forked', subject: String(size), detail })
  }
  return alarms
}
