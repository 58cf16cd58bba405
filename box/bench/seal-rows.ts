/** The rows of the sealed record: a long journal, written by the box's own code without a network, sealed as it grows. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { eventTag } from '@gatehouse/proto/code.ts'
import { COMMAND_LINE } from '../src/ca/actor.ts'
import { Flags } from '../src/cases/flags.ts'
import { Overrides } from '../src/cases/overrides.ts'
import { parseEvent } from '../src/event/event.ts'
import { recordEvent } from '../src/event/recorded.ts'
import { Holds } from '../src/gates/holds.ts'
import { openSnapshot } from '../src/ledger/db.ts'
import { openLedger } from '../src/ledger/open.ts'
import { createLogger } from '../src/log.ts'
import { singleBoxReservations } from '../src/rights/reservation.ts'
import { Scans } from '../src/rights/scans.ts'
import { PhoneClocks } from '../src/scan/phone-clocks.ts'
import { type RedeemDeps, redeem } from '../src/scan/redeem.ts'
import { provenAttendance } from '../src/seal/attendance.ts'
import { inclusionProof } from '../src/seal/merkle.ts'
import { Sealer } from '../src/seal/sealer.ts'
import { LogTree } from '../src/seal/tree.ts'
import { originOf, signingKey } from '../src/seal/verifier-key.ts'
import { CodeReader } from '../src/tickets/codes.ts'
import { importTickets } from '../src/tickets/import-tickets.ts'
import { Tickets } from '../src/tickets/tickets.ts'
import { CHECKPOINT, EVENT, scanOf } from './crowd.ts'
import { latencyOf } from './figures.ts'
import type { Row } from './row.ts'
import type { ScanBench } from './scan-rows.ts'

/** Scans of each ticket: one is admitted, the others are refused. */
const SCANS_A_TICKET = 10
/** Scans under way at a time, as at many gates: they share commits. */
const AT_A_TIME = 400
const PROOFS = 200

/** `tickets` is the number of entries here. */
export async function* sealRows(bench: ScanBench): AsyncGenerator<Row> {
  const dataDir = join(bench.folder, 'sealed')
  const parsed = parseEvent(EVENT)
  if ('mistakes' in parsed) throw new Error('the event of the bench is wrong.')
  const { event } = parsed
  const opened = openLedger({ dataDir, eventId: event.id, wallClock: Date.now })
  const { clock, identity } = opened
  const codes = new CodeReader(identity.manifestSalt, await eventTag(event.id))
  let proofs: number[] = []
  let sealMs = 0
  let attendanceMs = 0
  {
    using ledger = opened.ledger
    const tickets = new Tickets(ledger.db, identity.refKey)
    await recordEvent(event, identity.boxId, ledger)
    const many = Math.ceil(bench.tickets / SCANS_A_TICKET)
    const file = ['code,tier', ...Array.from({ length: many }, (_, n) => `SEAL-26-${n},day`)].join('\n')
    await importTickets(
      Buffer.from(file),
      { format: 'gatehouse', tierMap: {}, dryRun: false, by: COMMAND_LINE },
      { event, ledger, tickets, codes },
    )
    const origin = originOf(event.id, identity.boxId)
    const logger = createLogger('error')
    const key = signingKey(identity.signingSeed)
    const sealer = new Sealer({ ledger, origin, signingKey: key, logger, now: Date.now })
    sealer.start()
    const deps: RedeemDeps = {
      ...{
        event,
        clock,
        ledger,
        tickets,
        codes,
        reservations: singleBoxReservations(() => 'STRICT'),
        phoneClocks: new PhoneClocks(),
      },
      ...{ scans: new Scans(ledger.db), flags: new Flags({ db: ledger.db, ledger, clock }) },
      overrides: new Overrides(ledger.db),
      ...{ holds: new Holds({ ledger, now: Date.now }), walkingSeconds: () => null, timeQuality: () => 'synced' },
    }
    const device = { id: 'bench', checkpoints: new Set([CHECKPOINT]) }
    for (let n = 0; ledger.size < bench.tickets; ) {
      const until = n + AT_A_TIME
      const scans: Promise<string>[] = []
      for (; n < until; n++) scans.push(redeem(scanOf(`SEAL-26-${(n * 7919) % many}`), device, deps))
      await Promise.all(scans)
      if (n % 100_000 === 0) bench.progress(`writing the journal: ${ledger.size} entries of ${bench.tickets}`)
    }
    const asked = performance.now()
    const seal = await sealer.seal(COMMAND_LINE)
    sealMs = performance.now() - asked
    if (!seal) throw new Error('nothing was sealed.')
    {
      using snapshot = openSnapshot(join(dataDir, 'ledger.db'))
      const tree = new LogTree(snapshot)
      const range = (start: number, end: number) => tree.range(start, end)
      proofs = Array.from({ length: PROOFS }, (_, n) => {
        const started = performance.now()
        inclusionProof((n * 611_953) % seal.size, seal.size, range)
        return performance.now() - started
      })
      const ref = tickets.lookUp('SEAL-26-5', codes)?.ref ?? ''
      const started = performance.now()
      const { entries } = provenAttendance(snapshot, ref, seal)
      attendanceMs = performance.now() - started
      bench.progress(`${entries.length} entries of one ticket proven`)
    }
    await sealer[Symbol.asyncDispose]()
  }
  const entries = `${bench.tickets} entries`
  yield {
    ...{ id: 'seal', what: `seal, ${entries}`, value: sealMs / 1000, limit: 2, unit: 's', details: {} },
    ...{ budget: { ratio: 'at most', of: 1 }, note: 'limit: the budget; the journal was sealed as it grew' },
  }
  const proof = latencyOf(proofs)
  yield {
    ...{ id: 'inclusion-proof', what: `inclusion proof, ${entries}`, value: proof.p99, limit: 10, unit: 'ms' },
    ...{ budget: { ratio: 'at most', of: 1 }, note: 'p99; limit: the budget', details: proof },
  }
  yield {
    ...{ id: 'attendance', what: "one ticket's entries, proven", value: attendanceMs / 1000, limit: 60, unit: 's' },
    ...{ budget: null, note: 'in a thread of its own: reads the whole journal', details: {} },
  }
  yield await verified(dataDir, entries, bench)
}

/** `gatehouse verify` in a process of its own, and how much memory that takes. */
async function verified(dataDir: string, entries: string, bench: ScanBench): Promise<Row> {
  const started = performance.now()
  const child = spawn(process.execPath, [join(import.meta.dirname, '../src/cli.ts'), 'verify', '--json'], {
    env: { PATH: process.env.PATH ?? '', GATEHOUSE_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const answered = text(child.stdout)
  const resident: number[] = []
  let running = true
  child.once('exit', () => {
    running = false
  })
  while (running) {
    resident.push(residentMb(child.pid))
    await setTimeout(500)
  }
  const seconds = (performance.now() - started) / 1000
  const { ok, problems } = JSON.parse(await answered)
  if (!ok) throw new Error(`the record of the bench does not hold: ${JSON.stringify(problems)}`)
  bench.progress(`verified, ${Math.max(...resident)} MB at most`)
  return {
    ...{ id: 'verify', what: `gatehouse verify, ${entries}`, value: seconds, limit: 60, unit: 's' },
    ...{ budget: { ratio: 'at most', of: 1 }, note: `limit: the budget; ${Math.max(...resident)} MB at most` },
    details: { resident_mb: resident },
  }
}

/** Of a process on Linux; 0 elsewhere. */
function residentMb(pid: number | undefined): number {
  try {
    const [, kb] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Math.round(Number(kb ?? 0) / 1024)
  } catch {
    return 0
  }
}
