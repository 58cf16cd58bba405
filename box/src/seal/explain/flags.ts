/** `flags` and `flag_scans`: every case with all its scans, and its resolution, at whichever box. */
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import { MOST_IN_ROW } from '../../cases/flags.ts'
import { readValue } from '../../ledger/identity.ts'
import { flagScans, flags } from '../../ledger/schema.ts'
import { type Flag, Flags, type Resolution } from '../cases/flags.ts'
import { ExpectedRows, type ExplainContext, type Explainer, unixMs, type Values } from './explainer.ts'
import { Notes } from './notes.ts'

export function explainFlags({ drizzle, problems }: ExplainContext): Explainer {
  const table = new ExpectedRows('flag', problems)
  const notes = new Notes('flag', problems)
  const cases = new Flags(readValue({ drizzle }, 'box_id')?.toString() ?? '')
  return {
    add(fact) {
      notes.add(fact)
      if (fact.kind === 'flag_resolved' && fact.box === undefined && !cases.byId.has(fact.fields.flag)) {
        table.addUnknown(fact.fields.flag, fact.index)
      } else cases.add(fact)
    },
    finish() {
      for (const [id, flag] of cases.byId) {
        table.set(id, flag.changed.index, expectedRow(flag))
        notes.expect(id, flag.resolved?.fact)
      }
      const rows = drizzle.select().from(flags).all()
      const scansOf = Map.groupBy(drizzle.select().from(flagScans).orderBy(flagScans.id).all(), ({ flag }) => flag)
      table.compare(
        rows.map((row) => {
          // Resolved before there were several boxes, when the row did not need the resolution's place among others.
          const old = row.resolution !== null && row.resolutionHlc === null
          const values = old ? { ...row, ...placeOf(cases.byId.get(row.id)?.resolved) } : row
          const scans = scansOf.get(row.id)?.map(({ scanId }) => scanId)
          scansOf.delete(row.id)
          return {
            key: row.id,
            index: row.entry,
            values: { ...values, scans, shop: row.shop && canonicalJson(row.shop) },
          }
        }),
      )
      for (const id of scansOf.keys())
        problems.add('flag_unexplained', null, `there are scans of a case ${id}, and no case`)
      for (const { id, resolutionNote, resolutionSalt } of rows) notes.compare(id, resolutionNote, resolutionSalt)
    },
  }
}

function expectedRow({ kind, ticket: ticketRef, device, scans, opened, resolved, changed }: Flag): Values {
  return {
    kind,
    ticketRef,
    device,
    scanIds: scans.slice(0, MOST_IN_ROW),
    scans,
    shop: opened?.fields.shop ? canonicalJson(opened.fields.shop) : null,
    resolution: resolved?.fact.fields.resolution ?? null,
    resolvedBy: resolved?.fact.fields.actor ?? null,
    resolvedAt: unixMs(resolved?.fact.fields.at),
    ...placeOf(resolved),
    // An entry of another box may change the row without an entry of this one that the row could name.
    ...(changed.box === undefined && { entry: changed.index }),
  }
}

function placeOf(resolved: Resolution | undefined) {
  return { resolutionHlc: resolved?.fact.hlc ?? null, resolutionBox: resolved?.box ?? null }
}
