/** A supervisor's decision against a verdict: to admit all the same, or to undo an admission. Only the box can carry it out. */

import type { GatehouseClient } from '@gatehouse/proto/client.ts'
import { verdictClass } from '@gatehouse/proto/ui/verdict-class.ts'
import type { BoxClient } from '../box/client.ts'
import { refused } from '../box/refused.ts'
import { type Change, type Database, write } from '../store/database.ts'
import type { Records } from '../store/records.ts'
import { gateWords } from '../words/core.ts'
import { ScannerError, type ScanRecord } from './model.ts'
import type { OwnPassages } from './own-passages.ts'
import type { Queue } from './queue.ts'
import type { Rehearsal } from './rehearsal.ts'

const words = gateWords.overrides

export interface OverrideDeps {
  db: Database
  box: BoxClient
  records: Records
  own: OwnPassages
  queue: Queue
  rehearsal: Rehearsal
}

/** @throws ScannerError when the box refuses or cannot be reached */
export async function override(
  kind: 'admit' | 'undo',
  scanId: string,
  reason: string,
  { db, box, records, own, queue, rehearsal }: OverrideDeps,
): Promise<ScanRecord> {
  const record = records.find(scanId)
  if (!record) throw new ScannerError(gateWords.noCode)
  if (queue.has(scanId)) throw new ScannerError(words.unsent)
  const actor = records.shift.peek().operator
  if (actor === null) throw new ScannerError(words.who)
  const decision = { actor, reason: reason.trim() || '-' }
  const client = record.rehearsal ? box.rehearsing : box.client
  const changed = await answerOf(kind === 'admit' ? admit(record, decision, client) : undo(record, decision, client))
  const gone: Change[] = []
  if (kind === 'undo') {
    own.remove(scanId)
    rehearsal.own.remove(scanId)
    gone.push({ store: 'own', key: scanId, value: undefined })
  }
  await write(db, [...records.put(changed), ...gone])
  return changed
}

interface Decision {
  actor: string
  reason: string
}

async function admit(record: ScanRecord, decision: Decision, client: GatehouseClient): Promise<ScanRecord> {
  const params = { path: { scan_id: record.scanId } }
  const { data, error } = await client.POST('/v1/scan/{scan_id}/admit', { params, body: decision })
  if (!data) throw await refused(error)
  return { ...record, verdict: data, class: verdictClass(data.verdict), supervised: true }
}

async function undo(record: ScanRecord, decision: Decision, client: GatehouseClient): Promise<ScanRecord> {
  const params = { path: { scan_id: record.scanId } }
  const { data, error } = await client.POST('/v1/scan/{scan_id}/undo', { params, body: decision })
  if (!data) throw await refused(error)
  return { ...record, undone: true }
}

async function answerOf(answer: Promise<ScanRecord>): Promise<ScanRecord> {
  try {
    return await answer
  } catch (cause) {
    if (cause instanceof ScannerError) throw cause
    throw new ScannerError(words.unreachable, { cause })
  }
}
