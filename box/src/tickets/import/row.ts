import type { TicketStatus } from '../../ledger/schema.ts'

/** One ticket, the same for every shop. */
export interface TicketRow {
  /** From 1: in a CSV the line where the record starts, in JSON the position's ordinal in the file. */
  row: number
  /** What the printed code holds; a scan is compared with it exactly. 1 to 1,024 bytes of UTF-8. */
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
  /** Why it is not valid, in words for the gate crew. */
  detail: string | null
}

/** The product that a ticket was sold as, under every name that the event or `--tier` may know it by. */
export interface Product {
  /** Most exact first. */
  names: readonly string[]
  /** The name to suggest in `--tier`. */
  key: string
  /** For people, where the key alone says little. */
  label?: string
  /** Set for what is sold beside tickets, and says what it is: left out when it fits no tier, instead of rejected. */
  extra?: string
}

/** A record as its shop's format understands it, before the checks that all formats share. */
export interface Found {
  code: string
  product: Product
  seat?: string
  holderName?: string
  email?: string
  validFrom?: string
  validUntil?: string
  status: TicketStatus
  detail?: string
  /** Sentences about the record that the organiser should know; equal ones are reported once, with their rows. */
  notes?: readonly string[]
}

/** A record that cannot become a ticket, and what to do about it. */
export interface Refused {
  reason: string
}

/** A text out of the file, made safe to stand in a sentence. */
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
