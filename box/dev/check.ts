/** `npm run check`: format, lint, types, layers, unused code, generated files in step. Everything but the tests. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Counts } from './counts.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Each step with its command, which a developer can run by hand. */
const STEPS: Record<string, string[]> = {
  'format and lint (fix with "npm run format")': ['biome', 'ci', '--error-on-warnings', '.'],
  types: ['tsc', '-p', '.'],
  'layers (ARCHITECTURE.md)': ['node', 'box/dev/layers.ts'],
  'unused code': ['knip', '--no-progress'],
  'generated files in step': ['node', 'box/dev/generate.ts', '--check'],
}

/** @returns with the output of each step that failed */
export async function check(): Promise<Counts & { reports: string[] }> {
  const results = await Promise.all(Object.entries(STEPS).map(([name, command]) => runStep(name, command)))
  const reports = results.filter((report) => report !== undefined)
  return { passed: results.length - reports.length, failed: reports.length, reports }
}

/** @returns what a step that failed has said */
async function runStep(name: string, [command = '', ...args]: string[]): Promise<string | undefined> {
  const started = performance.now()
  const child = spawn(command, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  const output: Buffer[] = []
  child.stdout.on('data', (chunk) => output.push(chunk))
  child.stderr.on('data', (chunk) => output.push(chunk))
  const status = await new Promise((resolve) => {
    child.once('close', resolve)
    child.once('error', (error) => {
      output.push(Buffer.from(String(error)))
      resolve(1)
    })
  })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${status === 0 ? '✔' : '✖'} ${name} (${seconds} s)`)
  if (status === 0) return undefined
  const said = Buffer.concat(output).toString()
  process.stdout.write(said)
  return `${name} failed. It said:\n${said}`
}

if (import.meta.main) {
  const { failed } = await check()
  process.exitCode = failed > 0 ? 1 : 0
}
