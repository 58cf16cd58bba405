/**
 * Checks a box's seals with the entries that it sent: HQ grows the tree over the journal itself, and compares every seal with it
 * at its size. Seals of one tree are consistent with each other, so no proof has to be sent. Pure.
 */
import { openCheckpoint } from '../seal/checkpoint.ts'
import { GrowingRoot } from '../seal/growing-root.ts'
import { leafHash } from '../seal/merkle.ts'
import { NoteError, readVerifierKey } from '../seal/note.ts'

export interface ArrivedSeal {
  size: number
  /** Hexadecimal. */
  root: string | null
  note: string | null
}

/** As `histories.tree` keeps it. */
export type KeptTree = { size: number; hash: string }[]

export function openTree(kept: KeptTree): GrowingRoot {
  return new GrowingRoot(
    () => {},
    kept.map(({ size, hash }) => ({ size, hash: Buffer.from(hash, 'hex') })),
  )
}

export function keepTree(tree: GrowingRoot): KeptTree {
  return tree.full.map(({ size, hash }) => ({ size, hash: Buffer.from(hash).toString('hex') }))
}

export interface Checked {
  size: number
  root: string
  verdict: 'good' | 'bad'
  /** Reason why it is bad. */
  failure?: { kind: 'seal_forged' | 'seal_root'; detail: string }
}

/**
 * Adds the entries to the tree, and compares it with every seal whose size is reached on the way.
 * @param entries the journal's bytes from `tree.size` on, without a hole
 * @param seals by size; those of a size that is not reached stay unchecked
 */
export function growAndCheck(
  tree: GrowingRoot,
  entries: Iterable<string>,
  seals: readonly ArrivedSeal[],
  verifierKey: string,
): Checked[] {
  const waiting = seals.filter(({ size }) => size >= tree.size).sort((a, b) => a.size - b.size)
  const checked: Checked[] = []
  let next = 0
  const check = () => {
    for (let seal = waiting[next]; seal?.size === tree.size; seal = waiting[++next]) {
      checked.push(checkAgainst(seal, Buffer.from(tree.root()).toString('hex'), verifierKey))
    }
  }
  check()
  for (const bytes of entries) {
    tree.add(leafHash(Buffer.from(bytes)))
    check()
  }
  return checked
}

function checkAgainst({ size, root: arrived, note }: ArrivedSeal, computed: string, verifierKey: string): Checked {
  // A published blob is written as PostgreSQL writes a bytea.
  const root = arrived?.replace(/^\\x/, '') ?? null
  const bad = (kind: 'seal_forged' | 'seal_root', detail: string): Checked => ({
    size,
    root: computed,
    verdict: 'bad',
    failure: { kind, detail },
  })
  const why = signatureFailure({ size, root, note }, verifierKey)
  if (why) return bad('seal_forged', `The seal of ${size} entries is not what the box has signed: ${why}.`)
  if (root !== computed) {
    return bad('seal_root', `The first ${size} entries that arrived make the root ${computed}, and ${root} was sealed.`)
  }
  return { size, root: computed, verdict: 'good' }
}

function signatureFailure({ size, root, note }: ArrivedSeal, verifierKey: string): string | undefined {
  try {
    const signed = openCheckpoint(note ?? '', readVerifierKey(verifierKey))
    const same = signed.size === size && Buffer.from(signed.root).toString('hex') === root
    return same ? undefined : 'another size or root was signed'
  } catch (error) {
    if (error instanceof NoteError) return error.code
    throw error
  }
}
