/** `shop_certificates`: the certificates with which a shop's changes may be delivered. */
import { shopCertificates } from '../../ledger/schema.ts'
import { ExpectedRows, type ExplainContext, type Explainer } from './explainer.ts'

export function explainShopCertificates({ drizzle, problems }: ExplainContext): Explainer {
  const table = new ExpectedRows('shop_certificate', problems)
  return {
    add({ index, kind, fields, box }) {
      // Certificates are not replicated.
      if (box !== undefined) return
      if (kind === 'shop_certificate')
        table.set(fields.certificate, index, { source: fields.source, revokedReason: null })
      else if (kind === 'shop_certificate_revoked') {
        table.change(fields.certificate, index, { revokedReason: fields.reason })
      }
    },
    finish() {
      const rows = drizzle.select().from(shopCertificates).all()
      table.compare(rows.map((row) => ({ key: row.fingerprint, index: null, values: { ...row } })))
    },
  }
}
