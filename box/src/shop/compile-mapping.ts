/** Compiles the tables of `shop.yaml`: resolves names, folds values, and collects every mistake with its place. */
import type { Event } from '../event/event.ts'
import { didYouMean } from '../event/shape.ts'
import type { Mistake } from '../feed/config/check-value.ts'
import type {
  ColumnRef,
  Condition,
  DetailMapping,
  Lookup,
  MappedStatus,
  MappedTable,
  TicketMapping,
  Valued,
} from './mapping.ts'
import {
  type ConditionFile,
  type MappingFile,
  PERSONAL_COLUMNS,
  PRODUCT_COLUMNS,
  type TicketsFile,
  type ValuedFile,
} from './mapping-schema.ts'

/** As the organiser's own CSV has them (box/docs/import.md). */
const STATUSES: Readonly<Record<string, MappedStatus>> = {
  paid: { status: 'valid', detail: null },
  valid: { status: 'valid', detail: null },
  pending: { status: 'pending', detail: 'not paid' },
  unpaid: { status: 'pending', detail: 'not paid' },
  blocked: { status: 'blocked', detail: 'blocked by the organiser' },
  cancelled: { status: 'revoked', detail: 'cancelled' },
  refunded: { status: 'revoked', detail: 'refunded' },
  revoked: { status: 'revoked', detail: 'revoked by the organiser' },
}

const STATUS_WORDS = Object.keys(STATUSES).join(', ')

interface Draft {
  key: readonly string[]
  columns: Set<string>
  personal: Set<string>
  lookedUp: boolean
  tickets: TicketMapping | undefined
}

/** Compiles tables whose form is checked already. Adds names that do not exist to `mistakes`. */
export function compileTables(
  named: MappingFile['tables'],
  event: Event,
  mistakes: Mistake[],
): Map<string, MappedTable> {
  const drafts = new Map<string, Draft>()
  for (const [name, { key }] of Object.entries(named)) {
    const columns = asList(key)
    drafts.set(name, draftOf(columns))
  }
  for (const [name, file] of Object.entries(named)) {
    for (const [lookup, { table, key, by }] of Object.entries(file.lookups ?? {})) {
      const keys = ['tables', name, 'lookups', lookup]
      const columns = asList(key)
      const draft = drafts.get(table) ?? draftOf(columns)
      drafts.set(table, draft)
      draft.lookedUp = true
      if (draft.key.join() !== columns.join()) {
        mistakes.push({
          keys: [...keys, 'key'],
          message: `${table} has another key elsewhere in this file: ${draft.key.join(', ')}`,
        })
      }
      if (asList(by).length !== columns.length) {
        mistakes.push({
          keys: [...keys, 'by'],
          message: `must name as many columns as the key of ${table}: ${columns.length}`,
        })
      }
    }
  }
  for (const [name, file] of Object.entries(named)) {
    const draft = drafts.get(name)
    if (draft) draft.tickets = new TicketCompiler(name, file, { event, drafts, own: draft, mistakes }).compile()
  }
  return drafts
}

function draftOf(key: readonly string[]): Draft {
  return { key, columns: new Set(key), personal: new Set(), lookedUp: false, tickets: undefined }
}

interface Compiling {
  event: Event
  /** Every table of the file and of its lookups. */
  drafts: ReadonlyMap<string, Draft>
  /** The table that is compiled. */
  own: Draft
  mistakes: Mistake[]
}

type Keys = Mistake['keys']

/** Compiles one table whose rows are tickets; notes in the drafts which columns are read. */
class TicketCompiler {
  readonly #name: string
  readonly #file: TicketsFile
  readonly #compiling: Compiling
  readonly #lookups: ReadonlyMap<string, Lookup>
  /** By folded name or id; an id takes precedence over another tier's name. */
  readonly #tierIds: ReadonlyMap<string, string>

  constructor(name: string, file: TicketsFile, compiling: Compiling) {
    this.#name = name
    this.#file = file
    this.#compiling = compiling
    const { tiers } = compiling.event
    this.#tierIds = new Map([
      ...tiers.map(({ id, name }) => [folded(name), id] as const),
      ...tiers.map(({ id }) => [folded(id), id] as const),
    ])
    this.#lookups = new Map(
      Object.entries(file.lookups ?? {}).map(([lookup, { table, by }]) => [lookup, { table, by: asList(by) }]),
    )
  }

  /** The order of the steps matters: a row's image is stored with its columns in the order of their first reference. */
  compile(): TicketMapping {
    const { own, mistakes } = this.#compiling
    const { code } = this.#file
    for (const { by } of this.#lookups.values()) for (const column of by) own.columns.add(column)
    own.columns.add(code)
    if (code.includes('.')) {
      const message = "must be a column of this table: a ticket's code is its own"
      mistakes.push({ keys: this.#at('code'), message })
    }
    const texts = this.#texts()
    return {
      code,
      tier: this.#tier(),
      texts,
      status: this.#statuses(),
      where: (this.#file.where ?? []).map((said, i) => this.#condition(said, this.#at('where', i))),
      details: this.#details(),
      lookups: this.#lookups,
    }
  }

  #at(...keys: (string | number)[]): Keys {
    return ['tables', this.#name, ...keys]
  }

  /** Resolves `column` or `lookup.column`, and notes in its table that it is read. */
  #refer(text: string, keys: Keys, personal = false): ColumnRef {
    const { own, drafts, mistakes } = this.#compiling
    const [first = '', second] = text.split('.')
    const lookup = second === undefined ? undefined : first
    const column = second ?? first
    const table = lookup === undefined ? own : drafts.get(this.#lookups.get(lookup)?.table ?? '')
    if (!table) {
      const guess = didYouMean(lookup ?? '', [...this.#lookups.keys()])
      mistakes.push({ keys, message: `there is no lookup "${lookup}"${guess || '; describe it under lookups'}` })
    }
    table?.columns.add(column)
    if (personal) table?.personal.add(column)
    return { lookup, column }
  }

  #valued<T>(said: ValuedFile, keys: Keys, mean: (text: string, keys: Keys) => T): Valued<T> {
    const values = Object.entries(said.values ?? {})
    return {
      ref: this.#refer(said.column, [...keys, 'column']),
      values: new Map(values.map(([value, text]) => [folded(value), mean(text, [...keys, 'values', value])])),
      empty: said.empty === undefined ? undefined : mean(said.empty, [...keys, 'empty']),
      otherwise: said.otherwise === undefined ? undefined : mean(said.otherwise, [...keys, 'otherwise']),
    }
  }

  #tier(): TicketMapping['tier'] {
    const { tier: said } = this.#file
    const mean = (text: string, keys: Keys) => this.#tierId(text, keys)
    if (typeof said === 'object' && 'value' in said) return { value: mean(said.value, this.#at('tier', 'value')) }
    const of = this.#valued(typeof said === 'string' ? { column: said } : said, this.#at('tier'), mean)
    // A value that the file does not list may be a tier's own id or name.
    return { ...of, values: new Map<string, string>([...this.#tierIds, ...of.values]) }
  }

  /** Empty for a product that is not a ticket. */
  #tierId(text: string, keys: Keys): string {
    const { event, mistakes } = this.#compiling
    const tier = this.#tierIds.get(folded(text))
    if (tier === undefined && text.trim() !== '') {
      const known = event.tiers.map(({ id }) => id)
      const guess = didYouMean(text, known)
      const message = `the event has no ticket type "${text}"${guess || `; it has ${known.join(', ')}`}`
      mistakes.push({ keys, message, kind: 'tier', value: text })
    }
    return tier ?? ''
  }

  #texts(): TicketMapping['texts'] {
    const { seat, holder_name, email, valid_from, valid_until } = this.#file
    const refer = (said: string | undefined, key: string, personal = false) =>
      said === undefined ? undefined : this.#refer(said, this.#at(key), personal)
    const texts = {
      seat: refer(seat, 'seat'),
      holderName: refer(holder_name, 'holder_name', true),
      email: refer(email, 'email', true),
      validFrom: refer(valid_from, 'valid_from'),
      validUntil: refer(valid_until, 'valid_until'),
    }
    return Object.fromEntries(Object.entries(texts).filter(([, ref]) => ref)) as TicketMapping['texts']
  }

  #details(): DetailMapping {
    const file = this.#file
    const refer = (said: string | undefined, ...keys: string[]) =>
      said === undefined ? undefined : this.#refer(said, this.#at(...keys))
    const price = typeof file.price === 'string' ? { column: file.price, currency: undefined } : file.price
    const product = typeof file.product === 'string' ? { name: file.product } : file.product
    const personal = PERSONAL_COLUMNS.flatMap((name) => {
      const said = file[name]
      return said === undefined ? [] : [[name, this.#refer(said, this.#at(name), true)]]
    })
    return {
      orderCode: refer(file.order_code, 'order_code'),
      position: refer(file.position, 'position'),
      addonTo: refer(file.addon_to, 'addon_to'),
      price: price && { ref: this.#refer(price.column, this.#at('price')), currency: price.currency },
      attention: refer(file.attention, 'attention'),
      product: product && {
        name: this.#refer(product.name, this.#at('product')),
        ...Object.fromEntries(PRODUCT_COLUMNS.map((name) => [name, refer(product[name], 'product', name)])),
      },
      personal: Object.fromEntries(personal),
    }
  }

  #statuses(): TicketMapping['status'] {
    const { status } = this.#file
    const mean = (text: string, keys: Keys) => this.#status(text, keys)
    if (Array.isArray(status)) return status.map((said, i) => this.#valued(said, this.#at('status', i), mean))
    return status === undefined ? [] : [this.#valued(status as ValuedFile, this.#at('status'), mean)]
  }

  #status(text: string, keys: Keys): MappedStatus {
    const status = Object.hasOwn(STATUSES, text) ? STATUSES[text] : undefined
    if (status) return status
    const guess = didYouMean(text, Object.keys(STATUSES))
    this.#compiling.mistakes.push({ keys, message: `must be one of ${STATUS_WORDS}, not "${text}"${guess}` })
    return { status: 'blocked', detail: null }
  }

  #condition(said: ConditionFile, keys: Keys): Condition {
    if ((said.in === undefined) === (said.notIn === undefined)) {
      this.#compiling.mistakes.push({ keys, message: 'set in or notIn, one of the two' })
    }
    const ref = this.#refer(said.column, [...keys, 'column'])
    const values = (said.in ?? said.notIn ?? []).map((value) => (value === null ? null : folded(String(value))))
    return { ref, values, among: said.in !== undefined }
  }
}

function asList<T>(one: T | readonly T[]): readonly T[] {
  return Array.isArray(one) ? one : [one as T]
}

/** Normal form for comparing values: case and blanks make no difference, and `true` is what PostgreSQL prints as `t`. */
export function folded(value: string): string {
  const plain = value.trim().replace(/\s+/g, ' ').normalize('NFC').toLowerCase()
  return plain === 'true' ? 't' : plain === 'false' ? 'f' : plain
}
