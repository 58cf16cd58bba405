/** Codes of what is wrong with a guest list or a sale, for apps. */
import type { Coded, CodeOf, SaidValues } from '@gatehouse/proto/said.ts'

export type SaleCode = Coded<CodeOf<'sale'>>

export function saleCode(code: SaleCode['code'], values?: SaidValues): SaleCode {
  return { code, ...(values && { values }) }
}
