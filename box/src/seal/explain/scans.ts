/** `scans`: the answer that is stored for a scan id is the one of its entry. As many rows as entries: nothing is kept. */
import { count, eq, sql } from '../../drizzle/core.ts'
import { journal, scans } from '../../ledger/schema.ts'
import type { StoredScanEntry } from '../../scan/entry.ts'
import { differences, type ExplainContext, type Explainer, type Fact, type Values } from './explainer.ts'

export function explainScans({ drizzle, problems }: ExplainContext): Explainer {
  const find = drizzle
    .select({ passed: scans.passed, response: scans.response, entry: scans.entry })
    .from(scans)
    .where(eq(scans.scanId, sql.placeholder('scanId')))
    .prepare()
  let explained = 0

  function fact({ index, kind, said, box }: Fact): void {
    if (kind !== 'scan') return
    const entry = said as unknown as StoredScanEntry
    const [row] = find.values({ scanId: entry.scan_id }) as [passed: number, response: string, entry: number][]
    if (!row) {
      problems.add('scan_missing', index, `no answer is stored for scan ${entry.scan_id}`)
      return
    }
    const [passed, response, answered] = row
    // A refusal gives way to a later answer when a scanner turns out to have let the person in.
    if (passed && !hasPassed(entry) && (answered > index || box !== undefined)) return
    // Whoever answered first has answered; the others have it from there.
    if (answered !== index && box !== undefined) return
    if (answered === index) explained++
    const differing = answered === index ? answerDiffers(entry, passed !== 0, response) : ['entry']
    if (differing.length > 0) problems.add('scan_differs', index, `scan ${entry.scan_id}: ${differing.join(', ')}`)
  }

  function end(): void {
    const [rows] = drizzle.select({ rows: count() }).from(scans).all()
    if (rows?.rows === explained) return
    // Every entry has found its own row, so any other row names an entry that is not about it.
    const stray = drizzle
      .select({ scanId: scans.scanId, entry: scans.entry })
      .from(scans)
      .leftJoin(journal, eq(journal.index, scans.entry))
      .where(
        sql`${journal.kind} is null or ${journal.kind} not in ('scan', 'heard') or (${journal.kind} = 'scan'
          and instr(${journal.bytes}, cast('"scan_id":"' || ${scans.scanId} || '"' as blob)) = 0)`,
      )
      .limit(1)
      .get()
    const whose = stray ? `to scan ${stray.scanId}` : 'to a scan that was heard of'
    problems.add('scan_unexplained', stray?.entry ?? null, `no entry explains the answer ${whose}`)
  }

  return { fact, end }
}

const hasPassed = ({ verdict, offline_admitted }: StoredScanEntry) =>
  verdict === 'ADMIT' || verdict === 'EXIT' || offline_admitted

function answerDiffers(entry: StoredScanEntry, passed: boolean, response: string): string[] {
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
