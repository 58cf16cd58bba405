/** `announcements`: what everybody was told is what was written down, and the box has signed it. */
import { verify } from 'node:crypto'
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import { announcements } from '../../ledger/schema.ts'
import type { NoteKey } from '../note.ts'
import { type ExplainContext, type Explainer, SmallTable, unixMs } from './explainer.ts'

/** @param key the event's: every box of it signs announcements with the same one */
export function explainAnnouncements({ drizzle, problems }: ExplainContext, key: NoteKey): Explainer {
  const table = new SmallTable('announcement', problems)
  return {
    fact({ index, hlc, kind, said }) {
      if (kind !== 'announcement') return
      // What is signed: the entry without its place in the journal, and without who spoke.
      const { actor: _, address: __, index: ___, kind: ____, ...told } = said
      const {
        id,
        severity,
        text,
        lang,
        zones = null,
        issued_at,
        expires_at,
      } = told as { [name: string]: unknown } & {
        id: string
        issued_at: string
        expires_at?: string
      }
      const times = { issuedAt: unixMs(issued_at), expiresAt: unixMs(expires_at) }
      table.set(id, index, { severity, text, lang, zones, ...times, hlc, entry: index, signed: canonicalJson(told) })
    },
    end() {
      const rows = drizzle.select().from(announcements).all()
      table.compare(
        rows.map(({ signature, ...row }) => {
          const told = table.get(row.id)?.signed
          const holds = typeof told === 'string' && verify(null, Buffer.from(told), key.publicKey, signature)
          return { key: row.id, index: row.entry, values: { ...row, signed: holds ? told : null } }
        }),
      )
    },
  }
}
