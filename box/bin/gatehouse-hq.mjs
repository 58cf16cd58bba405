#!/usr/bin/env -S node --max-semi-space-size=16
// The young generation is bounded, which V8 otherwise sizes by the machine: 100 MB less under load.
// Runs the command line under the Node that the project brings, whatever Node the machine started this with.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const hq = join(here, '../src/hq-main.ts')
const own = join(here, '../../node_modules/.bin/node')

if (Number(process.versions.node.split('.')[0]) >= 24) {
  await import(hq)
} else if (existsSync(own)) {
  const child = spawn(own, [...process.execArgv, hq, ...process.argv.slice(2)], { stdio: 'inherit' })
  // Whoever stops this process means HQ. An interrupt from the keyboard reaches both by itself.
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  process.on('SIGINT', () => {})
  child.on('exit', (status) => {
    process.exitCode = status ?? 2
  })
} else {
  console.error('gatehouse-hq needs its packages: run "npm install" in the project, then try again.')
  process.exitCode = 2
}
