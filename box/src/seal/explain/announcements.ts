/** `announcements`: each row is what its entry says, and is signed. */
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import { verifyEd25519 } from '../../ed25519.ts'
import { announcements } from '../../ledger/schema.ts'
import type { NoteKey } from '../note.ts'
import { ExpectedRows, type ExplainContext, type Explainer, unixMs } from './explainer.ts'

/** @param key of the event, with which every box signs announcements */
export function explainAnnouncements({ drizzle, problems }: ExplainContext, key: NoteKey): Explainer {
  const table = new ExpectedRows('announcement', problems)
  return {
    add({ index, hlc, kind, fields }) {
      if (kind !== 'announcement') return
      // The signature is over the entry without its place in the journal and without its author.
      const { actor: _, address: __, index: ___, kind: ____, ...signed } = fields
      const {
        id,
        severity,
        text,
        lang,
        zones = null,
        issued_at,
        expires_at,
        replaces = null,
        withdrawn = null,
      } = signed
      const times = { issuedAt: unixMs(issued_at), expiresAt: unixMs(expires_at) }
      const said = { severity, text, lang, zones, replaces, withdrawn }
      table.set(id, index, { ...said, ...times, hlc, entry: index, signed: canonicalJson(signed) })
    },
    finish() {
      const rows = drizzle.select().from(announcements).all()
      table.compare(
        rows.map(({ signature, ...row }) => {
          const signed = table.get(row.id)?.signed
          const isGood = typeof signed === 'string' && verifyEd25519(key.publicKey, Buffer.from(signed), signature)
          return { key: row.id, index: row.entry, values: { ...row, signed: isGood ? signed : null } }
        }),
      )
    },
  }
}
