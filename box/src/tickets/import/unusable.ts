/** Refuses a ticket file of which nothing can be used: in English, and as a code with values for the control room. */
import { type CodeOf, coded, type SaidValues } from '@gatehouse/proto/said.ts'
import { GatehouseError } from '../../errors.ts'

/** @param cause of the reader that gave up */
export function unusable(
  code: CodeOf<'file'>,
  message: string,
  { values, cause }: { values?: SaidValues; cause?: unknown } = {},
): GatehouseError {
  return new GatehouseError('bad_request', message, { coded: [coded(code, values)], cause })
}
