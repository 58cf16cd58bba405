/**
 * `npm run bench`: measures the budgets, prints each as a ratio against a limit, and writes them down. Nothing here is a
 * test: a missed budget is printed as missed, and the exit status is 0. It is 2 when something could not be measured.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { feedRows } from './feed-rows.ts'
import { describeMachine, type Machine } from './machine.ts'
import { meshRows } from './mesh-rows.ts'
import { isKept, type Row, table } from './row.ts'
import { profileScans } from './scan-profile.ts'
import { type ScanBench, scanRows } from './scan-rows.ts'
import { sealRows } from './seal-rows.ts'
import { pinLoad } from './server.ts'

const GROUPS = { scan: scanRows, seal: sealRows, feed: feedRows, mesh: meshRows } satisfies Record<
  string,
  (bench: ScanBench) => AsyncIterable<Row>
>
const REPORTS = join(import.meta.dirname, '../../.reports')

const HELP = `npm run bench -- [options]

  --only GROUP     one group of rows: ${Object.keys(GROUPS).join(', ')}
  --json FILE      where the figures go (default: .reports/bench.json)
  --profile        where the time of a scan goes, instead of the rows
  --tickets N      size of the large ledger, and entries of the sealed one (default: 1000000)
  --seconds N      of one round of load (default: 3)
  --rounds N       of each kind (default: 6)`

await main().catch((error) => {
  console.error(`The bench could not finish: ${(error as Error).message}`)
  process.exitCode = 2
})

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      json: { type: 'string', default: join(REPORTS, 'bench.json') },
      profile: { type: 'boolean' },
      tickets: { type: 'string', default: '1000000' },
      seconds: { type: 'string', default: '3' },
      rounds: { type: 'string', default: '6' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return console.log(HELP)
  const groups = Object.entries(GROUPS).filter(([name]) => values.only === undefined || name === values.only)
  if (groups.length === 0) throw new Error(`there is no group "${values.only}".\n\n${HELP}`)
  const [tickets, seconds, rounds] = (['tickets', 'seconds', 'rounds'] as const).map((name) => {
    const number = Number(values[name])
    if (!(number > 0)) throw new Error(`--${name} ${values[name]} is not a number above 0.`)
    return number
  }) as [number, number, number]

  mkdirSync(REPORTS, { recursive: true })
  // Beside the project, not in the system's folder for temporary files: that one may be in memory, where a commit is free.
  const folder = mkdtempSync(join(REPORTS, 'bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  process.once('SIGINT', () => process.exit(2))

  const machine = describeMachine(folder)
  const bench = { folder, tickets, seconds, rounds, pinned: pinLoad(), progress }
  if (values.profile) return console.log(`${introduce(machine, bench)}\n\n${await profileScans(bench, REPORTS)}`)

  const rows: Row[] = []
  for (const [, measure] of groups) for await (const row of measure(bench)) rows.push(row)
  const report = {
    date: new Date().toISOString(),
    machine,
    ...{ tickets, seconds, rounds, pinned: bench.pinned },
    rows: rows.map((row) => ({ ...row, ratio: row.value / row.limit, ok: isKept(row) })),
  }
  mkdirSync(dirname(values.json), { recursive: true })
  writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`)
  console.log(`${introduce(machine, bench)}\n\n${table(rows)}\n\n${values.json}`)
}

function introduce({ cpu, cores, kernel, node, disk, load_average }: Machine, { pinned }: ScanBench): string {
  return [
    `${cpu}, ${cores} cores, ${pinned ? 'server and load on one each' : 'nothing pinned'}; ${kernel}; Node ${node}`,
    `disk: ${disk.syncs_per_second} syncs/s, p99 ${disk.sync_ms.p99.toFixed(1)} ms; load average before: ${load_average.toFixed(2)}`,
  ].join('\n')
}

function progress(what: string): void {
  console.error(what)
}
