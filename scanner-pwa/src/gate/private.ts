/** Takes out of a verdict the texts that a scanner shows and never stores: the holder's name and the note for the door. Pure. */
import type { Verdict } from '@gatehouse/proto/wire/scan.ts'
import type { ScanRecord } from './model.ts'

/** The record as it is kept, in memory and on the disk. */
export function withoutPerson(record: ScanRecord): ScanRecord {
  const { verdict, afterwards } = record
  if (!hasPerson(verdict) && !(afterwards && hasPerson(afterwards))) return record
  return { ...record, verdict: strip(verdict), ...(afterwards && { afterwards: strip(afterwards) }) }
}

function strip({ holder, note, ...verdict }: Verdict): Verdict {
  return verdict
}

function hasPerson(verdict: Verdict): boolean {
  return 'holder' in verdict || 'note' in verdict
}
