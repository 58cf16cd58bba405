/** The description of a command, from which the command line parses its arguments and prints its help. */
import { createInterface } from 'node:readline/promises'
import type { Environment } from '../config.ts'
import { UsageError } from '../usage.ts'

export interface Command {
  /** Everything after `gatehouse`, with the options that are used most. */
  usage: string
  /** One line, in the imperative. */
  summary: string
  /** For a command with actions: the first argument and its operands, with a line about each. */
  actions?: Record<string, string>
  details?: string
  /** The meaning of exit statuses 0 ("done" if absent) and 1 (absent: the command never ends with it). */
  statuses?: { 0?: string; 1?: string }
  /** Whole command lines. */
  examples: readonly string[]
  /** The largest number of arguments that are not options. */
  operands: number
  /** `value` names the value of an option of type `string`. */
  options: Record<string, { type: 'string' | 'boolean'; value?: string; multiple?: boolean; description: string }>
  /**
   * @returns false for exit status 1
   * @throws an error when the command could not be carried out
   */
  run(input: { values: Values; positionals: string[]; environment: Environment }): Promise<boolean>
}

export type Values = Record<string, string | boolean | (string | boolean)[] | undefined>

export function textOf(value: Values[string]): string | undefined {
  return typeof value === 'string' ? value : undefined
}

export function textsOf(value: Values[string]): string[] {
  return (Array.isArray(value) ? value : value === undefined ? [] : [value]).filter((v) => typeof v === 'string')
}

/** The value of `--minutes`, in seconds. @throws UsageError */
export function secondsOf({ minutes }: Values, { usual, most }: { usual: number; most: number }): number {
  const text = textOf(minutes)
  if (text === undefined) return usual
  if (!/^\d+$/.test(text) || Number(text) === 0 || Number(text) > most / 60) {
    throw new UsageError(`--minutes is "${text}", not a whole number from 1 to ${most / 60}.`)
  }
  return Number(text) * 60
}

/** Asks whoever is at the keyboard. */
export async function answerTo(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return (await terminal.question(question)).trim()
  } finally {
    terminal.close()
  }
}

export const JSON_OPTION = { json: { type: 'boolean', description: 'print JSON, for a program' } } as const
