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

export async function check(): Promise<Counts> {
  const results = await Promise.all(Object.entries(STEPS).map(([name, command]) => runStep(name, command)))
  const failed = results.filter((ok) => !ok).length
  return { passed: results.length - failed, failed }
}

async function runStep(name: string, [command = '', ...args]: string[]): Promise<boolean> {
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
  if (status !== 0) process.stdout.write(Buffer.concat(output))
  return status === 0
}

if (import.meta.main) {
  const { failed } = await check()
  process.exitCode = failed > 0 ? 1 : 0
}
