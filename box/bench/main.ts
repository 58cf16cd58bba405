/**
 * `npm run bench`: measures the budgets, prints each as a ratio to its limit, and saves them. Nothing here is a
 * test: a missed budget is printed as missed, and the exit status is 0. It is 2 when something could not be measured; all other rows
 * are printed and saved all the same.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { bundlePrograms } from '../test/world/programs.ts'
import { bulkRows } from './bulk-rows.ts'
import { costRows } from './cost-rows.ts'
import { deskRows } from './desk-rows.ts'
import { feedRows } from './feed-rows.ts'
import { crowdRows } from './flood-rows.ts'
import { describeMachine, type Machine } from './machine.ts'
import { meshRows } from './mesh-rows.ts'
import { pretixScanRows } from './pretixscan-rows.ts'
import { isKept, type Row, table } from './row.ts'
import { profileScans } from './scan-profile.ts'
import { type ScanBench, scanRows } from './scan-rows.ts'
import { sealRows } from './seal-rows.ts'
import { pinLoad } from './server.ts'
import { staffRows } from './staff-rows.ts'

const GROUPS = {
  scan: scanRows,
  cost: costRows,
  crowd: crowdRows,
  bulk: bulkRows,
  desk: deskRows,
  pretixscan: pretixScanRows,
  seal: sealRows,
  staff: staffRows,
  feed: feedRows,
  mesh: meshRows,
} satisfies Record<string, (bench: ScanBench) => AsyncIterable<Row>>
/** Of one round, unless `--seconds` says otherwise. */
const SECONDS = 3
const REPORTS = join(import.meta.dirname, '../../.reports')

const HELP = `npm run bench: measure speed against limits, most of them measured in the same run

Usage: npm run bench -- [OPTIONS]

Options:
  --only GROUP     one group of rows: ${Object.keys(GROUPS).join(', ')}
  --json FILE      file for the figures (default: .reports/bench.json)
  --profile        profile where the time of a scan goes, instead of measuring rows
  --tickets N      tickets of the large ledger, and entries of the sealed one (default: 1000000)
  --seconds N      length of one round of load (default: 3; of a flood: 10)
  --rounds N       number of rounds of each kind (default: 6)
  --floods IDS     of the group crowd only these rows, such as nested,topology,queue

Example:
  npm run bench -- --only scan

Exit status:
  0  measured, even if a limit was missed
  2  it could not be measured`

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
      seconds: { type: 'string' },
      rounds: { type: 'string', default: '6' },
      floods: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return console.log(HELP)
  const groups = Object.entries(GROUPS).filter(([name]) => values.only === undefined || name === values.only)
  if (groups.length === 0) throw new Error(`there is no group "${values.only}".\n\n${HELP}`)
  const [tickets, seconds, rounds] = (['tickets', 'seconds', 'rounds'] as const).map((name) => {
    const number = Number(values[name] ?? SECONDS)
    if (!(number > 0)) throw new Error(`--${name} ${values[name]} is not a number above 0.`)
    return number
  }) as [number, number, number]

  const rows: Row[] = []
  mkdirSync(REPORTS, { recursive: true })
  // In the project, not in the system's folder for temporary files, which may be in memory, where a commit costs nothing.
  const folder = mkdtempSync(join(REPORTS, 'bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const callOff = () => {
    if (rows.length > 0) report(rows)
    process.exit(2)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, callOff)

  const machine = await describeMachine(folder)
  const floodSeconds = values.seconds === undefined ? undefined : seconds
  const floods = values.floods?.split(',')
  const bench = { folder, tickets, seconds, rounds, floodSeconds, floods, pinned: pinLoad(), progress }
  if (values.profile) return console.log(`${introduce(machine, bench)}\n\n${await profileScans(bench, REPORTS)}`)

  // A profile, above, runs the sources, because it names functions by their files.
  await bundlePrograms()
  const failures: unknown[] = []
  for (const [name, measure] of groups) {
    try {
      for await (const row of measure(bench)) rows.push(row)
    } catch (error) {
      progress(`${name} could not be finished: ${(error as Error).message}`)
      failures.push(error)
    }
  }
  if (rows.length > 0) report(rows)
  if (failures.length > 0) throw failures[0]

  function report(measured: readonly Row[]): void {
    const saved = {
      date: new Date().toISOString(),
      machine,
      ...{ tickets, seconds, rounds, pinned: bench.pinned },
      rows: measured.map((row) => ({ ...row, ratio: row.value / row.limit, ok: isKept(row) })),
    }
    mkdirSync(dirname(values.json), { recursive: true })
    writeFileSync(values.json, `${JSON.stringify(saved, null, 2)}\n`)
    console.log(`${introduce(machine, bench)}\n\n${table(measured)}\n\n${values.json}`)
  }
}

function introduce(
  { cpu, cores, kernel, node, disk, load_average, millisecond_ms }: Machine,
  { pinned }: ScanBench,
): string {
  return [
    `${cpu}, ${cores} cores, ${pinned ? 'server and load on one each' : 'nothing pinned'}; ${kernel}; Node ${node}`,
    `disk: ${disk.syncs_per_second} syncs/s, p99 ${disk.sync_ms.p99.toFixed(1)} ms; load average before: ${load_average.toFixed(2)}`,
    `a loop of 1 ms takes ${millisecond_ms.p99.toFixed(1)} ms at p99`,
  ].join('\n')
}

function progress(what: string): void {
  console.error(what)
}
