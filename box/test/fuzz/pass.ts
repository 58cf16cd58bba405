/** Runs the fuzzer over the operations of one tier at one port, and reads its report. */
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { configurationOf, type Known, type Target } from './configuration.ts'

/** No 5xx, no undocumented status or type of content, no header or body that breaks its schema, no admin route without token. */
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'ignored_auth',
]

export interface Pass extends Target {
  name: string
  /** Path of the OpenAPI document. */
  document: string
  /** Values that exist where it asks. */
  known: Known
  /** Left out in the short form: the same operations are asked by another pass. */
  inFull?: true
}

export interface PassOptions {
  /** The program. */
  file: string
  /** For configuration and report; removed by whoever has made it. */
  folder: string
  /** Requests that are invented for each operation, beside those at the edges of its schema. */
  examples: number
  seed: number
}

export interface PassResult {
  /** Operations of the document that were asked. */
  operations: number
  /** The same for all tiers. */
  ofDocument: number
  requests: number
  /** Valid requests that the box carried out. */
  accepted: number
  /** Findings, a line each; operations that were not asked are findings too. */
  findings: string[]
  /** The output of schemathesis: each finding with its request and its answer. */
  output: string
}

/** Longer lines, as a whole file of Python in a message, are cut. */
const LONGEST_LINE = 2_000

/** The parts of its report that are read here. */
interface Report {
  complete: boolean
  operations: { total: number; selected: number; tested: number }
  test_cases: { generated: number }
  failures: { title: string; operations: string[] }[]
  errors: { title: string; count: number }[]
  /** By operation and phase. */
  valid_rates: Record<string, Record<string, { accepted: number }>>
}

export async function runPass(pass: Pass, options: PassOptions): Promise<PassResult> {
  const { file, examples, seed } = options
  const { document, known } = pass
  const folder = join(options.folder, pass.name.replaceAll(/\W+/g, '-'))
  mkdirSync(folder)
  writeFileSync(join(folder, 'schemathesis.toml'), configurationOf(pass, known), { mode: 0o600 })
  const words = [
    ...['run', document, '--include-tag', pass.tier, '--checks', CHECKS.join(',')],
    ...['--max-examples', String(examples), '--seed', String(seed), '--continue-on-failure', '--no-color'],
    ...['--generation-database', 'none', '--suppress-health-check', 'all', '--warnings', 'off'],
    // One thread: hypothesis on Python 3.11 breaks in several ("AST constructor recursion depth mismatch").
    ...['--workers', '1', '--report', 'json', '--report-dir', folder],
  ]
  const { status, output } = await ended(file, words, folder)
  const name = readdirSync(folder).find((path) => path.startsWith('json-'))
  if (name === undefined) {
    return {
      operations: 0,
      ofDocument: 0,
      requests: 0,
      accepted: 0,
      findings: [`no report, exit status ${status}`],
      output,
    }
  }
  const report = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Report
  const { total, selected, tested } = report.operations
  const findings = [
    ...report.failures.map(({ title, operations }) => `${title}: ${operations.join(', ')}`),
    ...report.errors.map(({ title, count }) => `${title}: ${count}`),
    ...(tested < selected || !report.complete ? [`only ${tested} of ${selected} operations were asked`] : []),
  ]
  if (status !== 0 && findings.length === 0) findings.push(`exit status ${status}`)
  const accepted = Object.values(report.valid_rates)
    .flatMap((phases) => Object.values(phases))
    .reduce((sum, phase) => sum + phase.accepted, 0)
  return { operations: tested, ofDocument: total, requests: report.test_cases.generated, accepted, findings, output }
}

function ended(file: string, words: string[], cwd: string): Promise<{ status: number | null; output: string }> {
  const child = spawn(file, words, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  const output: Buffer[] = []
  child.stdout.on('data', (chunk) => output.push(chunk))
  child.stderr.on('data', (chunk) => output.push(chunk))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (status) => {
      const lines = Buffer.concat(output).toString().split('\n')
      resolve({ status, output: lines.map((line) => line.slice(0, LONGEST_LINE)).join('\n') })
    })
  })
}
