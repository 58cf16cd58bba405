/**
 * Looking tickets up by name, order or seat. It shows who has a ticket to whoever may ask, so it is bounded: three letters, few results,
 * a slow rate, and an entry in the journal before the answer, which says who asked and what for, and not what they typed.
 */
import { FEWEST_LETTERS } from '@gatehouse/proto/look-up.ts'
import type { LookUpAnswer, LookUpRequest } from '@gatehouse/proto/wire/desk.ts'
import { type By, whoOf } from '../ca/actor.ts'
import { GatehouseError } from '../errors.ts'
import type { NewEntry } from '../ledger/entries.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { type PageDeps, resultOf } from './page.ts'
import { questionOf } from './spelling.ts'

/** More are not shown, and there is no second page: a look-up finds somebody, and lists nobody. */
export const MOST_RESULTS = 20

export interface Asker extends By {
  /** Of a supervisor's scanner; null at the desk. */
  device: string | null
}

/** @throws GatehouseError `bad_request` for too few letters; `ledger_unavailable` */
export async function lookUp({ text }: Pick<LookUpRequest, 'text'>, by: Asker, deps: PageDeps): Promise<LookUpAnswer> {
  const question = questionOf(text)
  if (!question) {
    const message = `Type at least ${FEWEST_LETTERS} letters or digits of a name, an order or a seat.`
    throw new GatehouseError('bad_request', message, { reason: 'look_up_short', values: { letters: FEWEST_LETTERS } })
  }
  const { found, behind } = await deps.searchThread.search(question, MOST_RESULTS + 1)
  const tickets = found.slice(0, MOST_RESULTS).flatMap((one) => resultOf(one, deps) ?? [])
  const foundBy = [...new Set(tickets.map(({ found_by }) => found_by))].sort()
  await recordLookUp({ what: 'search', found_by: foundBy, ticket: null }, by, deps)
  return { tickets, more: found.length > MOST_RESULTS, indexing: behind }
}

/** Before anything is shown. @throws GatehouseError `ledger_unavailable` */
export async function recordLookUp(
  looked: Pick<NewEntry<'look_up'>, 'what' | 'found_by' | 'ticket'>,
  by: Asker,
  { ledger }: { ledger: Ledger },
): Promise<void> {
  await ledger.commit(() => ledger.append('look_up', { ...looked, ...whoOf(by), device: by.device }), { patient: true })
}
