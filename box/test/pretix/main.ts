/**
 * `npm run test:pretix`: the newest pretix from PyPI with a PostgreSQL, an event that its own models make, orders by its own API, and a
 * box beside it. `-- --short` is the form for CI; `-- --only WORD` runs the scenarios whose name has it.
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { RealPretix } from './real.ts'
import type { Scenario } from './scenario.ts'
import { away } from './scenarios/away.ts'
import { beside } from './scenarios/beside.ts'
import { boxes } from './scenarios/boxes.ts'
import { down } from './scenarios/down.ts'
import { limited } from './scenarios/limits.ts'
import { oracles } from './scenarios/oracle.ts'
import { sameRulesScenarios } from './scenarios/same-rules.ts'
import { screens } from './scenarios/screen.ts'
import { signedCodes } from './scenarios/signed.ts'
import { sideBySide } from './scenarios/speed.ts'
import { up } from './scenarios/up.ts'
import { walkUps } from './scenarios/walk-up.ts'
import { pretixTool } from './tool.ts'

const SCENARIOS: readonly Scenario[] = [
  ...down,
  ...screens,
  ...up,
  ...sameRulesScenarios,
  ...signedCodes,
  ...walkUps,
  ...limited,
  ...boxes,
  ...beside,
  ...oracles,
  ...away,
  ...sideBySide,
]

// Box and command are started dozens of times.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../../../node_modules/.cache/gatehouse/compiled')

// Otherwise nothing that ends with this process would: servers and databases would go on.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

const { values } = parseArgs({ options: { short: { type: 'boolean' }, only: { type: 'string' } } })
const tool = await pretixTool()
if (tool.python === undefined) console.log(`skipped: ${tool.whyNot}`)
else await runAll(tool)

async function runAll(found: { python: string; version: string }): Promise<void> {
  const chosen = SCENARIOS.filter(({ inShort, name }) => {
    return (inShort || !values.short) && name.includes(values.only ?? '')
  })
  const began = performance.now()
  await using pretix = await RealPretix.start(found)
  console.log(`pretix ${found.version} at ${pretix.url} after ${seconds(began)} s`)
  let failed = 0
  for (const { name, run } of chosen) {
    const started = performance.now()
    const said: string[] = []
    try {
      await run({ pretix, say: (line) => said.push(line) })
      console.log(`✔ ${name} (${seconds(started)} s)`)
    } catch (error) {
      failed++
      console.log(`✖ ${name} (${seconds(started)} s)\n${(error as Error).stack}`)
    }
    for (const line of said) console.log(`    ${line}`)
  }
  console.log(`pretix: ${chosen.length - failed} of ${chosen.length} scenarios hold, ${seconds(began)} s`)
  process.exitCode = failed > 0 || chosen.length === 0 ? 1 : 0
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1)
}
