/** Keys of boxes that are no real ones: a list of boxes in which each has a key pair, and a group key for all. */
import { randomBytes } from 'node:crypto'
import { boxKeyOf, encodePublicKey } from '../../src/mesh/encryption/box-key.ts'
import { type GroupKey, type KeyHolder, makeGroupKey } from '../../src/mesh/encryption/group-key.ts'

export function keyHolder(id: string, random: (size: number) => Uint8Array = randomBytes): KeyHolder {
  return { id, key: boxKeyOf(random(32)), random }
}

/** The boxes with their keys, machines that only vote without; made by the first. */
export function withKeys<B extends { id: string; role: string }>(
  boxes: readonly B[],
  holders: readonly KeyHolder[],
): { boxes: (B & { encryption_key?: string })[]; group_key: GroupKey } {
  const keyed = boxes.map((box) => {
    const holder = holders.find(({ id }) => id === box.id)
    return { ...box, ...(holder && box.role !== 'voter' && { encryption_key: encodePublicKey(holder.key) }) }
  })
  const maker = holders.find(({ id }) => keyed.some((box) => box.id === id && box.role !== 'voter'))
  if (!maker) throw new Error('a list needs a box with a key')
  return { boxes: keyed, group_key: makeGroupKey({ boxes: keyed }, maker) }
}
