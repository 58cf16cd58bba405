/** A ticket on its way from a shop's file to the ledger. */
import { type Coded, type CodeOf, coded, type SaidValues } from '@gatehouse/proto/said.ts'
import type { Product as SoldProduct, TicketPersonal } from '@gatehouse/proto/wire/ticket-details.ts'
import type { TicketStatus } from '../../ledger/schema.ts'
import type { DetailFields } from '../details.ts'

/** One ticket, the same for every shop. */
export interface TicketRow {
  /** From 1: in a CSV the line where the record starts, in JSON the position's ordinal in the file. */
  row: number
  /** The content of the printed code; a scan is compared with it exactly. 1 to 1,024 bytes of UTF-8. */
  code: string
  /** Id of one of the event's tiers. */
  tier: string
  seat: string | null
  holderName: string | null
  email: string | null
  /** ISO 8601 in UTC with milliseconds; the first and the last moment at which the ticket is good. */
  validFrom: string | null
  validUntil: string | null
  /** `pending` is not paid, `revoked` is cancelled or refunded. */
  status: TicketStatus
  /** The reason why it is not valid, in words for the gate crew. */
  detail: string | null
  details: DetailFields
}

/** The product that a ticket was sold as, with every name by which the event or `--tier` may refer to it. */
export interface Product {
  /** Most exact first. */
  names: readonly string[]
  /** The name to suggest in `--tier`. */
  key: string
  /** A name for people, where the key alone says little. */
  label?: string
  /** The kind of a product that is not a ticket: it is left out instead of rejected if it fits no ticket type. */
  extra?: string
}

/** Details that a shop gives beyond what a gate needs; empty texts are absent ones. */
export interface ShopDetails {
  /** Its key in the table `products`, and what it is, where the file says so. */
  sold?: { key: string; product?: SoldProduct }
  orderCode?: string
  /** Numbers within the order. */
  position?: number
  addonTo?: number
  price?: string
  attention?: boolean
  personal?: TicketPersonal
  /** Code of the ticket that it is an add-on to: there it is listed, where it is no ticket itself. */
  extraOf?: string
}

/** A record as its shop's format reads it, before the checks that all formats share. */
export interface ShopRecord {
  code: string
  product: Product
  seat?: string
  holderName?: string
  email?: string
  validFrom?: string
  validUntil?: string
  status: TicketStatus
  detail?: string
  details?: ShopDetails
  /** Warnings about the record for the organiser; equal sentences are reported once, with their rows. */
  notes?: readonly Sentence[]
}

/** A sentence of the report in English, and the same as a code for apps. */
export interface Sentence {
  reason: string
  coded?: Coded<CodeOf<'import'>>
}

/** A record that cannot become a ticket, and what to do about it. */
export type Rejection = Sentence

export function sentence(code: CodeOf<'import'>, reason: string, values?: SaidValues): Sentence {
  return { reason, coded: coded(code, values) }
}

/** A text of the file, quoted, and safe to show within a sentence. */
export function quoted(text: string, maxLength = 80): string {
  const plain = plainText(text)
  return `"${plain.length > maxLength ? `${plain.slice(0, maxLength - 1).toWellFormed()}…` : plain}"`
}

/** A text on one line: without control and other invisible characters, and with single blanks. */
export function plainText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
}
