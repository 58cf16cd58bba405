/** `gatehouse report`: an export's report as a page to print, once the export has been checked. */
import { describe } from '../../verify-export.ts'
import { drawReport } from '../seal/report-page.ts'
import type { Report } from '../seal/report-shape.ts'
import { type Command, textOf } from './command.ts'
import { findingsOf, KEY_OPTIONS } from './verify-export.ts'

export const report: Command = {
  usage: 'report FILE --key VKEY',
  summary: "print an export's report as a page, if it is genuine",
  details: `  The page goes to standard output: gatehouse report FILE --key VKEY > report.html
  Exit status 1: the export was tampered with, and there is no page.`,
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
