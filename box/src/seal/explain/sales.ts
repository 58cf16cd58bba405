/** `sales`: what the desk made and sold, and what was voided. */
import { mergeSale, type SaleFact, saleIn } from '../../cases/sale-fact.ts'
import { sales } from '../../ledger/schema.ts'
import { ExpectedRows, type ExplainContext, type Explainer } from './explainer.ts'

export function explainSales({ drizzle, problems }: ExplainContext): Explainer {
  const table = new ExpectedRows<SaleFact>('sale', problems)
  return {
    add(fact) {
      if (fact.kind !== 'sale') return
      const said = saleIn(fact.fields, fact.box)
      const key = `${said.id} of ${said.homeBox}`
      table.set(key, fact.index, mergeSale(table.get(key), said))
    },
    finish() {
      const rows = drizzle.select().from(sales).all()
      table.compare(rows.map((row) => ({ key: `${row.id} of ${row.homeBox}`, index: row.entry, values: row })))
    },
  }
}
