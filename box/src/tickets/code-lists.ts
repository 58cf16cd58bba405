/**
 * The part of a manifest about all codes, the same for every device: a filter of those that are valid, the list of those that must not enter,
 * and the kind of each. Built from one read of all tickets.
 */
import { toBase64 } from '@gatehouse/proto/base64.ts'
import { type Bloom, bloomAdd, bloomHas, bloomSize, createBloom } from '@gatehouse/proto/bloom.ts'
import { type BuiltTable, KindTable } from './kind-table.ts'
import type { PrintedOpens, TicketCode, TicketPages } from './ticket-pages.ts'

/** Stays under 0.01 % with the variation of chance. */
const FALSE_POSITIVES = 8e-5
/** The filter is sized for twice the codes that there are, so that late sales need no new one. */
const ROOM = 2

/** All of it can be sent to another thread. */
export interface CodeLists {
  filter: Bloom
  /** Codes that the filter has room for. */
  capacity: number
  /** Code hashes, base64. */
  revoked: Set<string>
  kinds: BuiltTable
  /** Entries of the journal that they are made from. What came later may be in them too. */
  upTo: number
}

/** Everything that the lists are made of. */
export interface ListSource {
  pages: TicketPages
  printedOpens: PrintedOpens
  /** Highest id of a ticket, and codes: about how much there is. */
  tickets: number
  codes: number
  /** Entries of the journal whose tickets are all there. */
  upTo: number
  /** Of the manifest, 16 bytes. */
  salt: Uint8Array
}

/** @param capacity of the lists before: kept where it suffices */
export async function buildLists(
  { pages, printedOpens, tickets, codes, upTo, salt }: ListSource,
  capacity: number,
  turn: () => Promise<unknown>,
): Promise<CodeLists> {
  const room = codesOf(tickets) <= capacity ? capacity : Math.max(1000, codesOf(tickets) * ROOM)
  const lists = {
    filter: createBloom({ ...bloomSize(room, FALSE_POSITIVES), salt }),
    revoked: new Set<string>(),
  }
  const kinds = new KindTable()
  kinds.begin(codes)
  for (const page of pages.codesSince(0, printedOpens)) {
    addCodes(lists, page)
    kinds.add(page)
    await turn()
  }
  return { ...lists, capacity: room, kinds: await kinds.finish(turn), upTo }
}

/** Takes codes as they are now, new ones and changed ones. */
export function addCodes(
  { filter, revoked }: Pick<CodeLists, 'filter' | 'revoked'>,
  codes: readonly TicketCode[],
): void {
  for (const { codeHash, valid } of codes) {
    if (valid && !bloomHas(filter, codeHash)) bloomAdd(filter, codeHash)
    if (!valid) revoked.add(toBase64(codeHash))
    else if (revoked.size > 0) revoked.delete(toBase64(codeHash))
  }
}

/** Codes that so many tickets have, if each has a printed one and a key. */
export function codesOf(tickets: number): number {
  return tickets * 2
}
