/** The result of a simple receiver: a copy of the tables. */
import type { ChangeEvent } from '../../src/feed/change.ts'

export type Image = Record<string, string | null>

/** A copy of tables as a simple receiver keeps it: an insert of a row that it has is that row's state. */
export class Copy {
  readonly #keys: Readonly<Record<string, readonly string[]>>
  readonly rows = new Map<string, Image>()

  /** @param keys of each table */
  constructor(keys: Readonly<Record<string, readonly string[]>>) {
    this.#keys = keys
  }

  apply({ table, op, beforeJson, afterJson }: Pick<ChangeEvent, 'table' | 'op' | 'beforeJson' | 'afterJson'>): void {
    const keyOf = (image: Image) => JSON.stringify([table, ...(this.#keys[table] ?? []).map((name) => image[name])])
    const [old, next] = [beforeJson, afterJson].map((json): Image | undefined => (json ? JSON.parse(json) : undefined))
    const held = old && this.rows.get(keyOf(old))
    if (old) this.rows.delete(keyOf(old))
    if (next) this.rows.set(keyOf(next), { ...(held ?? this.rows.get(keyOf(next))), ...next })
    if (op === 'truncate') for (const key of this.rows.keys()) if (JSON.parse(key)[0] === table) this.rows.delete(key)
  }

  of(table: string): string[] {
    return [...this.rows]
      .filter(([key]) => JSON.parse(key)[0] === table)
      .map(([, row]) => shown(row))
      .sort()
  }
}

/** A row as text, to be compared. */
export const shown = (row: Image) => JSON.stringify(Object.fromEntries(Object.entries(row).sort()))
