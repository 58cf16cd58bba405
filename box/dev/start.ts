/** `npm start`: builds the apps that are older than their sources, then runs a box and its change feed. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

// In a process of its own, so that the box does not have Vite in its memory.
const { status } = spawnSync(process.execPath, [join(import.meta.dirname, 'build.ts')], { stdio: 'inherit' })
if (status !== 0) process.exit(status ?? 1)
await import('../src/main.ts')
