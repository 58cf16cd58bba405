/** Looks through a ticket file for the ticket types that it names: the tiers of an event that does not exist yet. On the wire they are `kinds`. */
import { type ImportKinds, type KeptMatch, LONGEST_KIND, MOST_KINDS } from '@gatehouse/proto/wire/import-columns.ts'
import { openCsv } from './csv.ts'
import { decode } from './encoding.ts'
import { valuesOf } from './look.ts'
import { labelsOf, sameHeader } from './match.ts'
import { isJson, openFile, readInto, recognised, type Taker } from './read.ts'
import { type Product, plainText, type Rejection, type ShopRecord } from './row.ts'
import { columnsOf } from './table.ts'

/**
 * Reads the file as an import does, and keeps nothing but the names of ticket types.
 *
 * @param kept matches of earlier files
 * @throws GatehouseError as `readTickets`, where an import could not use the file either
 */
export async function tiersOf(bytes: Uint8Array, kept: readonly KeptMatch[]): Promise<ImportKinds> {
  const { text } = decode(bytes)
  const csv = isJson(text) ? undefined : openCsv(text)
  if (csv && recognised(columnsOf(csv.header)) === undefined) return tiersOfUnknown(csv, kept)
  const options = { format: 'auto', tiers: [], tierMap: {}, timezone: 'UTC', pause: async () => {} } as const
  const opened = openFile(bytes, options)
  const tiers = new Tiers()
  await readInto(tiers, opened, options)
  return { format: opened.csv?.format ?? 'pretix', ...tiers.found(), columns: [], tier_column: null }
}

/** A file of no known shop: the values of each column, one of which may name the ticket types. */
async function tiersOfUnknown(csv: ReturnType<typeof openCsv>, kept: readonly KeptMatch[]): Promise<ImportKinds> {
  const labels = labelsOf(csv.header)
  const before = kept.findLast(({ header }) => sameHeader(header, labels))
  return {
    ...{ format: 'unknown', tickets: 0, kinds: [], more: false },
    columns: await valuesOf(csv, labels, { most: MOST_KINDS, longest: LONGEST_KIND }),
    tier_column: before?.match.columns.find(({ field }) => field === 'tier')?.column ?? null,
  }
}

class Tiers implements Taker {
  #tickets = 0
  readonly #names = new Set<string>()

  take(_row: number, record: ShopRecord | Rejection): void {
    if ('reason' in record) {
      this.#tickets++
      return
    }
    // The import leaves out products that nobody enters with, too.
    if (record.product.extra) return
    this.#tickets++
    const name = nameOf(record.product)
    if (name !== '' && this.#names.size <= MOST_KINDS) this.#names.add(name)
  }

  warn(): void {
    // The import says it again, to somebody who can act on it.
  }

  found(): Pick<ImportKinds, 'tickets' | 'kinds' | 'more'> {
    const names = [...this.#names]
    return { tickets: this.#tickets, kinds: names.slice(0, MOST_KINDS), more: names.length > MOST_KINDS }
  }
}

/** One of the names by which the import recognises the product: one for people, where the file has it. */
function nameOf({ names, key }: Product): string {
  const name = names.find((one) => !/^item:\d+/.test(one)) ?? key
  return plainText(name.slice(0, LONGEST_KIND * 4))
    .slice(0, LONGEST_KIND)
    .toWellFormed()
    .trim()
}
