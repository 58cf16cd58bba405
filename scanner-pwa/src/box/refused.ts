/** A refusal of the box as an error that a screen shows. */
import { type Refusal, refusalSentence } from '@gatehouse/proto/refusals.ts'
import { ScannerError } from '../gate/model.ts'

/** In the language of this phone. */
export async function refused(refusal: Refusal): Promise<ScannerError> {
  return new ScannerError(await refusalSentence(refusal))
}
