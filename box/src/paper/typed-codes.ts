/** Checks what was typed in from a paper list, line by line. Pure. */
import type { PaperLine } from '@gatehouse/proto/wire/paper.ts'
import { type PaperProblem, problem } from './problem.ts'
import { type CodeProblem, readSheet, readShortCode } from './short-code.ts'

const PROBLEMS: Readonly<Record<CodeProblem, PaperProblem>> = {
  length: problem('code_length', 'A short code has eight characters: compare it with the sheet.'),
  sign: problem('code_sign', 'Short codes have no 0, 1, I, L or O: compare it with the sheet.'),
  check: problem('code_check', 'A character is wrong, or two are swapped: compare it with the sheet.'),
}

const SHEET_PROBLEMS: Readonly<Record<CodeProblem, PaperProblem>> = {
  length: problem('sheet_length', 'A sheet number has six characters: it is at the top of every page.'),
  sign: problem('sheet_sign', 'A sheet number has no 0, 1, I, L or O: it is at the top of every page.'),
  check: problem('sheet_check', 'The sheet number has a wrong character: compare it with the top of the page.'),
}

export interface TypedCode {
  line: number
  typed: string
  code: string | null
  problem: PaperProblem | null
  /** The line with the same code before this one. */
  sameAs: number | null
}

export function readTyped(typed: readonly string[]): TypedCode[] {
  const first = new Map<string, number>()
  return typed.flatMap((text, i) => {
    if (text.trim() === '') return []
    const line = i + 1
    const read = readShortCode(text)
    if ('problem' in read) return { line, typed: text, code: null, problem: PROBLEMS[read.problem], sameAs: null }
    const sameAs = first.get(read.code) ?? null
    if (sameAs === null) first.set(read.code, line)
    return { line, typed: text, code: read.code, problem: null, sameAs }
  })
}

/** @returns the number as it is printed, or what is wrong with it */
export function readSheetNumber(typed: string): { sheet: string } | { problem: PaperProblem } {
  const read = readSheet(typed)
  return 'code' in read ? { sheet: read.code } : { problem: SHEET_PROBLEMS[read.problem] }
}

/** Of a line before its ticket is known. */
export function lineOf({ line, typed, problem, sameAs }: TypedCode): PaperLine {
  const nothing = {
    name: null,
    tier_name: null,
    known: false,
    verdict: null,
    reason: null,
    confidence: null,
    flag: null,
  }
  return { line, typed, ...problemFields(problem), same_as: sameAs, ...nothing }
}

export function problemFields(problem: PaperProblem | null): Pick<PaperLine, 'problem' | 'problem_coded'> {
  return { problem: problem?.text ?? null, ...(problem?.coded && { problem_coded: problem.coded }) }
}
