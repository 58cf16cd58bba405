/** The counts of a shift: what this scanner has done since its crew took over. Pure. */
import { VERDICT_CLASSES, type VerdictClass } from '@gatehouse/proto/ui/verdict-class.ts'
import type { ScanRecord } from '../gate/model.ts'
import { isAsking } from '../gate/tray.ts'
import type { StoredShift } from './database.ts'

export function newShift(since: number, operator: string | null): StoredShift {
  const byClass = Object.fromEntries(VERDICT_CLASSES.map((each) => [each, 0])) as Record<VerdictClass, number>
  return { operator, since, byClass, alone: 0, supervised: 0, undone: 0 }
}

/** A record that somebody overrides counts as what it has become. @param before undefined for a new one */
export function counted(shift: StoredShift, before: ScanRecord | undefined, after: ScanRecord): StoredShift {
  // It belongs to an earlier shift, which has been handed over.
  if (before && before.at < shift.since) return shift
  // Nothing was decided.
  if (isOpen(after) || after.rehearsal) return shift
  const byClass = { ...shift.byClass }
  if (before && !isOpen(before)) byClass[before.class]--
  byClass[after.class]++
  const more = (flag: (record: ScanRecord) => boolean) => Number(flag(after)) - Number(before ? flag(before) : false)
  return {
    ...shift,
    byClass,
    alone: shift.alone + more(({ alone }) => alone),
    supervised: shift.supervised + more(({ supervised }) => supervised === true),
    undone: shift.undone + more(({ undone }) => undone === true),
  }
}

/** The box could not answer, or it asks something first. */
function isOpen({ failed, verdict }: ScanRecord): boolean {
  return failed === true || isAsking(verdict)
}
