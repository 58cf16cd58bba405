/** `scans`: the stored answer of each scan id is that of its entry. There are as many rows as entries, so none is kept in memory. */
import { count, eq, sql } from '../../drizzle/core.ts'
import type { EntryFields } from '../../ledger/entries.ts'
import { unpacked } from '../../ledger/packed-id.ts'
import { journal, scans } from '../../ledger/schema.ts'
import { prepareFind } from '../../rights/scans.ts'
import { differences, type ExplainContext, type Explainer, type Values } from './explainer.ts'

export function explainScans({ drizzle, problems }: ExplainContext): Explainer {
  const find = prepareFind({ drizzle })
  let explained = 0
  return {
    add({ index, kind, fields: entry, box }) {
      if (kind !== 'scan') return
      const row = find(entry.scan_id)
      if (!row) {
        problems.add('scan_missing', index, `no answer is stored for scan ${entry.scan_id}`)
        return
      }
      const { passed, response, entry: answered } = row
      // A later answer replaces a refusal when a scanner reports that it has let the person in.
      if (passed && !hasPassed(entry) && (answered > index || box !== undefined)) return
      // Another box has answered the scan as well, and this one keeps the first answer.
      if (answered !== index && box !== undefined) return
      if (answered === index) explained++
      const differing = answered === index ? answerDiffers(entry, passed, response) : ['entry']
      if (differing.length > 0) problems.add('scan_differs', index, `scan ${entry.scan_id}: ${differing.join(', ')}`)
    },
    finish() {
      const [rows] = drizzle.select({ rows: count() }).from(scans).all()
      if (rows?.rows === explained) return
      const stray = unexplainedScan(drizzle)
      const whose = stray ? `to scan ${stray.scanId}` : 'to a scan that was heard of'
      problems.add('scan_unexplained', stray?.entry ?? null, `no entry explains the answer ${whose}`)
    },
  }
}

/** A row whose entry is not about it. */
function unexplainedScan(drizzle: ExplainContext['drizzle']): { scanId: string; entry: number } | undefined {
  return drizzle
    .select({ scanId: scans.scanId, entry: scans.entry })
    .from(scans)
    .leftJoin(journal, eq(journal.index, scans.entry))
    .where(
      sql`${journal.kind} is null or ${journal.kind} not in ('scan', 'heard') or (${journal.kind} = 'scan'
        and instr(${journal.bytes}, cast('"scan_id":"' || ${unpacked(scans.scanId)} || '"' as blob)) = 0)`,
    )
    .limit(1)
    .get()
}

const hasPassed = ({ verdict, offline_admitted }: EntryFields<'scan'>) =>
  verdict === 'ADMIT' || verdict === 'EXIT' || offline_admitted

function answerDiffers(entry: EntryFields<'scan'>, passed: boolean, response: string): string[] {
  const { scan_id, verdict, hlc, confidence, direction, occurrence } = entry
  const answer = readAnswer(response)
  if (!answer) return ['response']
  const expected = { scan_id, verdict, hlc, confidence, direction, occurrence }
  return [...differences(expected, answer), ...(passed === hasPassed(entry) ? [] : ['passed'])]
}

function readAnswer(response: string): Values | undefined {
  try {
    return JSON.parse(response) as Values
  } catch {
    return undefined
  }
}
