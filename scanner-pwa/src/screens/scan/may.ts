/** The decisions that a person may take against a verdict. */
import type { ScanRecord } from '../../gate/model.ts'

/** @param supervisor the person at this phone is one */
export function mayAdmit({ class: is, supervised, failed }: ScanRecord, supervisor: boolean): boolean {
  return supervisor && is !== 'admit' && is !== 'exit' && !supervised && !failed
}

export function mayUndo({ class: is, undone }: ScanRecord): boolean {
  return is === 'admit' && !undone
}
