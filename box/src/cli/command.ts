/** What a command is to the command line. */
import type { Environment } from '../config.ts'

export interface Command {
  /** As it is typed, after `gatehouse`. */
  usage: string
  summary: string
  /** More for `--help`. */
  details?: string
  /** How many words it takes beside its options, at most. */
  operands: number
  options: Record<string, { type: 'string' | 'boolean'; multiple?: boolean; description: string }>
  /** @returns false when the answer is no. Throws when it could not be asked. */
  run(input: { values: Values; positionals: string[]; environment: Environment }): Promise<boolean>
}

export type Values = Record<string, string | boolean | (string | boolean)[] | undefined>

export function textOf(value: Values[string]): string | undefined {
  return typeof value === 'string' ? value : undefined
}

export function textsOf(value: Values[string]): string[] {
  return (Array.isArray(value) ? value : value === undefined ? [] : [value]).filter((v) => typeof v === 'string')
}

export const JSON_OPTION = { json: { type: 'boolean', description: 'print JSON, for a program' } } as const
