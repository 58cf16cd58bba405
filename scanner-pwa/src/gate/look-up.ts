/** Looks tickets up by name, order or seat, for a supervisor. Only the box has the names: this device stores none of them. */

import type { LookUpAnswer } from '@gatehouse/proto/wire/desk.ts'
import type { BoxClient } from '../box/client.ts'
import { refused } from '../box/refused.ts'
import type { Records } from '../store/records.ts'
import { gateWords } from '../words/core.ts'
import { ScannerError } from './model.ts'

const words = gateWords.lookUp

interface LookUpDeps {
  box: BoxClient
  records: Records
}

/** @throws ScannerError while nobody is signed on, when the box refuses (too few letters, too often, switched off) or is not reached */
export async function lookUp(text: string, { box, records }: LookUpDeps): Promise<LookUpAnswer> {
  const actor = records.shift.peek().operator
  if (actor === null) throw new ScannerError(words.who)
  const { data, error } = await box.client.POST('/v1/look-up', { body: { text, actor } }).catch((cause) => {
    throw new ScannerError(words.unreachable, { cause })
  })
  if (!data) throw await refused(error)
  return data
}
