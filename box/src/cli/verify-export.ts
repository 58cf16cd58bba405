/** `gatehouse verify-export`: runs `box/verify-export.ts`, and adds the check of cases. */
import { describe, type Findings, showProgress, Unreadable, verifyFile } from '../../verify-export.ts'
import { ExportedCases } from '../seal/export/exported-cases.ts'
import { UsageError } from '../usage.ts'
import { type Command, JSON_OPTION, textOf, textsOf, type Values } from './command.ts'
import { Unanswered } from './exit.ts'

export const KEY_OPTIONS = {
  key: {
    type: 'string',
    value: 'VKEY',
    description: "the box's verifier key, known from elsewhere than the file (required)",
  },
  'other-key': {
    type: 'string',
    value: 'VKEY',
    multiple: true,
    description: 'log key of another box, if the event has several; repeat for each',
  },
  checkpoint: {
    type: 'string',
    value: 'FILE',
    multiple: true,
    description: 'a seal that was kept elsewhere, which the export has to contain; repeat for each',
  },
} as const

export const verifyExport: Command = {
  usage: 'verify-export FILE --key VKEY [OPTIONS]',
  summary: 'verify an export: every signature, entry and total',
  details: `VKEY is "verifier_key" in the answer of the box's /v1/meta, and is printed on the report. Only FILE is read.
To check without Gatehouse: node box/verify-export.ts FILE --key VKEY. That omits only what became of each flag, incident
and held gate.`,
  statuses: { 0: 'the export is genuine', 1: 'it was tampered with, or cut short' },
  examples: ['gatehouse verify-export festival.jsonl --key VKEY'],
  operands: 1,
  options: { ...KEY_OPTIONS, ...JSON_OPTION },
  async run({ values, positionals: [file] }) {
    const findings = findingsOf(file, values)
    console.log(values.json ? JSON.stringify(findings) : describe(findings))
    return findings.genuine
  },
}

/** @throws UsageError; Unanswered when the file could not be checked */
export function findingsOf(file: string | undefined, values: Values): Findings {
  if (file === undefined) throw new UsageError('Name the export to check: gatehouse verify-export FILE --key VKEY')
  const progress = process.stderr.isTTY && !values.json
  const cases = new ExportedCases()
  try {
    const findings = verifyFile(file, {
      key: textOf(values.key),
      otherKeys: textsOf(values['other-key']),
      checkpoints: textsOf(values.checkpoint),
      follow: cases.follow,
      ...(progress && { onProgress: showProgress }),
    })
    return cases.checked(findings)
  } catch (cause) {
    throw cause instanceof Unreadable ? new Unanswered(cause.message, { cause }) : cause
  }
}
