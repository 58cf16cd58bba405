/** The mix of answers to scans, by verdict class. Pure. */
import { VERDICT_CLASSES, type VerdictClass, verdictClass } from '@gatehouse/proto/ui/verdict-class.ts'
import type { VerdictName } from '@gatehouse/proto/wire/scan.ts'

export interface Part {
  of: VerdictClass
  scans: number
  /** 0 to 1. */
  share: number
}

export interface Mix {
  scans: number
  /** Let in or out. */
  passed: number
  /** Those that there are, in the order of the classes. */
  parts: Part[]
}

/** A verdict that this page does not know is one to ask about. */
export function mixOf(verdicts: Readonly<Record<string, number>>): Mix {
  const byClass = new Map<VerdictClass, number>()
  for (const [verdict, scans] of Object.entries(verdicts)) {
    const of = verdictClass(verdict as VerdictName) ?? 'supervisor'
    byClass.set(of, (byClass.get(of) ?? 0) + scans)
  }
  const scans = [...byClass.values()].reduce((sum, some) => sum + some, 0)
  const parts = VERDICT_CLASSES.flatMap((of) => {
    const some = byClass.get(of) ?? 0
    return some > 0 ? [{ of, scans: some, share: some / scans }] : []
  })
  return { scans, passed: (byClass.get('admit') ?? 0) + (byClass.get('exit') ?? 0), parts }
}
