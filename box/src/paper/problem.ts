/** A problem of a line of a paper list that was typed in: a sentence in English, and the same as a code for apps. */
import { type Coded, type CodeOf, coded, type SaidValues } from '@gatehouse/proto/said.ts'

export interface PaperProblem {
  text: string
  /** None for a refusal of a scan, which has no code here. */
  coded?: Coded<CodeOf<'paper'>>
}

export function problem(code: CodeOf<'paper'>, text: string, values?: SaidValues): PaperProblem {
  return { text, coded: coded(code, values) }
}
