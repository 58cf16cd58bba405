import { join } from 'node:path'
import type { Verification } from '@gatehouse/proto/wire/seal.ts'
import { openSnapshot } from '../../src/ledger/db.ts'
import { verifyLedger } from '../../src/seal/verify.ts'

/** Problems that `gatehouse verify` finds in the ledger of a data folder. */
export function problemsIn(dataDir: string): Verification['problems'] {
  using snapshot = openSnapshot(join(dataDir, 'ledger.db'))
  return verifyLedger(snapshot).problems
}
