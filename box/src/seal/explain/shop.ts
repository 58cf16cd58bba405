/** `shop_certificates`: who may deliver a shop's changes, and on whose word. */
import { shopCertificates } from '../../ledger/schema.ts'
import { type ExplainContext, type Explainer, SmallTable } from './explainer.ts'

export function explainShopCertificates({ drizzle, problems }: ExplainContext): Explainer {
  const table = new SmallTable('shop_certificate', problems)
  return {
    fact({ index, kind, said, box }) {
      // Each box's own.
      if (box !== undefined) return
      const { certificate, source, reason } = said as { certificate: string; source: string; reason: string }
      if (kind === 'shop_certificate') table.set(certificate, index, { source, revokedReason: null })
      else if (kind === 'shop_certificate_revoked') table.change(certificate, index, { revokedReason: reason })
    },
    end() {
      const rows = drizzle.select().from(shopCertificates).all()
      table.compare(rows.map((row) => ({ key: row.fingerprint, index: null, values: { ...row } })))
    },
  }
}
