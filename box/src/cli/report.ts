/** `gatehouse report`: verifies an export, and prints its report as an HTML page. */
import { describe } from '../../verify-export.ts'
import { drawReport } from '../seal/report/page.ts'
import type { Report } from '../seal/report/shape.ts'
import { type Command, textOf } from './command.ts'
import { findingsOf, KEY_OPTIONS } from './verify-export.ts'

export const report: Command = {
  usage: 'report FILE --key VKEY [OPTIONS]',
  summary: 'verify an export, and print its report as an HTML page',
  details: 'The page goes to standard output. VKEY is "verifier_key" in the answer of the box\'s /v1/meta.',
  statuses: { 1: 'the export was tampered with, or cut short; no page is printed' },
  examples: ['gatehouse report festival.jsonl --key VKEY > report.html'],
  operands: 1,
  options: KEY_OPTIONS,
  async run({ values, positionals: [file] }) {
    const findings = findingsOf(file, values)
    if (!findings.genuine) {
      console.error(describe(findings))
      return false
    }
    const verified = findings.report as unknown as Report
    const page = { checkpoint: findings.note, verifierKey: textOf(values.key)?.trim() ?? '' }
    process.stdout.write(await drawReport(verified, page))
    return true
  },
}
