/** `gatehouse verify-export`: the box's own door to the verifier that needs no box. */
import { describe, type Findings, showProgress, Unreadable, verifyFile } from '../../verify-export.ts'
import { type Command, JSON_OPTION, textOf, textsOf, type Values } from './command.ts'
import { Unanswered } from './exit.ts'
import { UsageError } from './usage.ts'

export const KEY_OPTIONS = {
  key: { type: 'string', description: "the box's verifier key, from outside the file" },
  'other-key': { type: 'string', multiple: true, description: "another box's log key, where the event has several" },
  checkpoint: { type: 'string', multiple: true, description: 'a file with a seal that was kept elsewhere' },
} as const

export const verifyExport: Command = {
  usage: 'verify-export FILE --key VKEY',
  summary: 'check an export: every signature, entry and total',
  details: `  Reads nothing but the file. The same without Gatehouse: node box/verify-export.ts FILE --key VKEY
  VKEY is "verifier_key" at the box's /v1/meta, and printed on the report. Exit status 1: it was tampered with.`,
  operands: 1,
  options: { ...KEY_OPTIONS, ...JSON_OPTION },
  async run({ values, positionals: [file] }) {
    const findings = findingsOf(file, values)
    console.log(values.json ? JSON.stringify(findings) : describe(findings))
    return findings.genuine
  },
}

/** @throws UsageError, Unanswered when it could not be checked */
export function findingsOf(file: string | undefined, values: Values): Findings {
  if (file === undefined) throw new UsageError('Name the export to check: gatehouse verify-export FILE --key VKEY')
  const progress = process.stderr.isTTY && !values.json
  try {
    return verifyFile(file, {
      key: textOf(values.key),
      otherKeys: textsOf(values['other-key']),
      checkpoints: textsOf(values.checkpoint),
      ...(progress && { onProgress: showProgress }),
    })
  } catch (cause) {
    throw cause instanceof Unreadable ? new Unanswered(cause.message, { cause }) : cause
  }
}
