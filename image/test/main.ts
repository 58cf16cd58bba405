/**
 * `npm run image:test`: builds the image unless there is one of these sources, then boots it in the emulator many times. As root on Debian 12, like the build. Arguments choose files: `npm run image:test power`.
 */
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { notBuilt } from './tools.ts'

const here = import.meta.dirname
const why = notBuilt()
if (why) {
  console.log(`Building first: ${why}`)
  const { status } = spawnSync('bash', [join(here, '../build.sh')], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

const wanted = process.argv.slice(2)
const files = globSync('*.boot.ts', { cwd: here })
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.startsWith(part)))
  .map((file) => join(here, file))
  .sort()
if (files.length === 0) {
  console.error(`There is no test that begins with ${wanted.join(' or ')}.`)
  process.exit(2)
}

let failed = 0
const calledOff = new AbortController()
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => calledOff.abort())
const stream = run({ files, concurrency: 1, timeout: 6 * 3_600_000, signal: calledOff.signal })
stream.on('test:fail', () => {
  failed++
})
for await (const text of stream.compose(new spec())) process.stdout.write(text)
process.exitCode = failed > 0 ? 1 : 0
