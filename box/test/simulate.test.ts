/**
 * Issue 4, "what must be seen", 5: after an hour of an event the box's figures are a recount of its journal, and its flags
 * are the double uses that were made.
 */
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import type { Stats } from '@gatehouse/proto/wire/stats.ts'
import { differences } from '../simulate/check.ts'
import { type FlagKind, planHour } from '../simulate/plan.ts'
import { type Outcome, simulate } from '../simulate/simulate.ts'
import { siteOf } from '../simulate/site.ts'
import type { StockTicket } from '../simulate/stock.ts'
import { tlsFetch } from '../src/device/tls-fetch.ts'
import { ReportFold } from '../src/seal/report/fold.ts'
import { BoxFolder, BoxProcess } from './world/process-box.ts'
import { World } from './world/world.ts'

const LONG = process.env.GATEHOUSE_TEST_LONG === '1'
const FAST = { GATEHOUSE_SCANS_PER_SECOND: '10000', GATEHOUSE_SCAN_BURST: '100000' }
const CASE = LONG ? { devices: 30, admissions: 20_000 } : { devices: 8, admissions: 400 }

type Line = Record<string, unknown>

/** The journal counted by rules of this file's own. */
function recount(journal: readonly Line[]) {
  let leads = new Map<string, { gate: string; from: string | null; to: string | null }>()
  const counts = {
    ...{ zones: {} as Record<string, number>, verdicts: {} as Record<string, number>, admissions: 0, exits: 0 },
    ...{
      offline: 0,
      supervised: 0,
      undone: 0,
      gates: {} as Record<string, Record<string, number>>,
      incidents: {} as Record<string, number>,
    },
  }
  const tickets = new Map<string, string>()
  const cases = new Map<string, Set<string>>()
  const incidents = new Map<string, string>()
  const bump = (of: Record<string, number>, key: string, by = 1) => {
    of[key] = (of[key] ?? 0) + by
  }
  for (const line of journal) {
    if (line.kind === 'event') {
      const { checkpoints } = line.event as { checkpoints: { id: string; gate: string; from: string; to: string }[] }
      leads = new Map(checkpoints.map((c) => [c.id, c]))
    }
    if (line.kind === 'flag')
      cases.set(String(line.flag_kind), (cases.get(String(line.flag_kind)) ?? new Set()).add(String(line.flag)))
    if (line.kind === 'incident') incidents.set(String(line.incident), 'open')
    if (line.kind === 'incident_action') incidents.set(String(line.incident), String(line.to))
    const { gate = '', from = null, to = null } = leads.get(String(line.checkpoint)) ?? {}
    if (line.kind === 'supervisor_admit' || line.kind === 'undo') {
      const people = line.kind === 'undo' ? -1 : 1
      if (from !== null) bump(counts.zones, from, -people)
      if (to !== null) bump(counts.zones, to, people)
      counts.admissions += people
      if (line.kind === 'undo') counts.undone++
      if (line.kind !== 'undo' || line.supervised) counts.supervised += people
      if (line.occurrence === 0) tickets.delete(String(line.ticket))
    }
    if (line.kind !== 'scan') continue
    bump(counts.verdicts, String(line.verdict))
    counts.gates[gate] ??= {}
    bump(counts.gates[gate], String(line.verdict))
    if (line.verdict !== 'ADMIT' && line.verdict !== 'EXIT' && line.offline_admitted !== true) continue
    if (line.offline_admitted) counts.offline++
    if (from !== null) bump(counts.zones, from, -1)
    if (to !== null) bump(counts.zones, to)
    if (line.direction === 'out') counts.exits++
    else {
      counts.admissions++
      if (line.ticket !== null) tickets.set(String(line.ticket), tickets.get(String(line.ticket)) ?? String(line.tier))
    }
  }
  for (const state of incidents.values()) bump(counts.incidents, state)
  const admitted: Record<string, number> = {}
  for (const tier of tickets.values()) bump(admitted, tier)
  return { ...counts, admitted, cases: Object.fromEntries([...cases].map(([kind, ids]) => [kind, ids.size])) }
}

/** The same, as the box says it. */
function said(stats: Stats): ReturnType<typeof recount> {
  const positive = (counts: Record<string, number>) =>
    Object.fromEntries(Object.entries(counts).filter(([, n]) => n !== 0))
  const { verdicts, admissions, exits, offline, supervised, undone } = stats
  return {
    ...{ verdicts, admissions, exits, offline, supervised, undone },
    zones: Object.fromEntries(stats.zones.map(({ id, occupancy }) => [id, occupancy])),
    // A gate without scans is in no entry.
    gates: Object.fromEntries(
      stats.gates.filter(({ verdicts }) => Object.keys(verdicts).length > 0).map(({ id, verdicts }) => [id, verdicts]),
    ),
    incidents: positive(stats.incidents),
    admitted: positive(Object.fromEntries(stats.tiers.map(({ id, admitted }) => [id, admitted]))),
    cases: Object.fromEntries(
      Object.entries(stats.flags_by_kind).map(([kind, { open, resolved }]) => [kind, open + resolved]),
    ),
  }
}

/** The same, as the attendance report says it. */
function reported(world: World): Omit<ReturnType<typeof recount>, 'incidents'> {
  const fold = new ReportFold({ several: false })
  for (const entry of world.box.ledger.read(0, 10_000_000)) fold.add(entry)
  const cover = { origin: 'o', software: 's', made_at: '2026-07-04T12:00:00.000Z', seals: [] }
  const { verdicts, zones, gates, tiers, offline, checkpoints, flags, overrides } = fold.report(cover)
  const people = (way: 'in' | 'out') =>
    checkpoints.reduce((sum, { direction, people }) => sum + (direction === way ? people : 0), 0)
  const visited = gates.filter((gate) => Object.keys(gate.verdicts).length > 0)
  const undone = overrides.filter(({ kind }) => kind === 'undo')
  const takenBack = new Set(undone.map(({ scan_id }) => scan_id))
  const supervised = overrides.filter(({ kind, scan_id }) => kind !== 'undo' && !takenBack.has(scan_id)).length
  return {
    ...{ supervised, undone: undone.length },
    ...{ verdicts, admissions: people('in'), exits: people('out'), offline: offline.in + offline.out },
    zones: Object.fromEntries(zones.map(({ id, inside }) => [id, inside])),
    gates: Object.fromEntries(visited.map(({ id, verdicts }) => [id, verdicts])),
    admitted: Object.fromEntries(tiers.flatMap(({ id, tickets }) => (tickets > 0 ? [[id, tickets]] : []))),
    cases: Object.fromEntries([...Map.groupBy(flags, ({ kind }) => kind)].map(([kind, { length }]) => [kind, length])),
  }
}

async function hourAt(
  world: World,
  options: { tickets?: StockTicket[]; seed: number; admissions?: number; devices?: number },
) {
  const admin = await world.admin()
  return simulate({
    ...{ ...CASE, admin, speed: 0, tag: 'T' },
    ...options,
    ticketIdOf: (code) => (code.startsWith('PHONE-') ? world.ticketIdOf(code) : undefined),
    importFile: async (csv) => {
      await using fetch = tlsFetch({ ca: await world.ca })
      const headers = { authorization: `Bearer ${world.box.adminToken}` }
      const url = `${world.box.baseUrl}/v1/admin/import/tickets`
      const answer = await fetch(new Request(url, { method: 'POST', headers, body: csv }))
      assert.ok(answer.ok, await answer.text())
    },
  })
}

function journalOf(world: World): Line[] {
  return world.box.ledger.read(0, 10_000_000).map(({ bytes }) => JSON.parse(bytes.toString()))
}

function assertAgrees(world: World, { after, made, differences }: Outcome): void {
  assert.deepEqual(differences, [])
  const { zones, ...rest } = recount(journalOf(world))
  const { zones: inside, ...figures } = said(after)
  assert.deepEqual(figures, rest)
  for (const [id, people] of Object.entries(inside)) assert.equal(people, zones[id] ?? 0, id)
  const { incidents: _, ...totals } = rest
  assert.deepEqual(reported(world), { ...totals, zones: inside })
  assert.equal(rest.cases.double_use, made.flagged.double_use.length)
}

describe('an hour of an event', () => {
  it('ends with the figures of a recount, and with a case for each double use', async () => {
    await using world = await World.open({ environment: FAST })
    const outcome = await hourAt(world, { seed: 4 })
    assertAgrees(world, outcome)
    const { made } = outcome
    assert.ok(made.admissions >= CASE.admissions && made.admissions < CASE.admissions * 1.01 + 10, `${made.admissions}`)
    assert.ok(made.flagged.double_use.length >= 4 && made.flagged.revoked_admission.length === 2)
    assert.ok(outcome.after.scanners.every(({ state }) => state === 'revoked'))
    assert.ok(outcome.after.zones.every(({ uncertain }) => uncertain === 0))
    assert.ok(made.supervised > 0 && made.undone > 1)
    const held = journalOf(world).filter(({ kind }) => kind === 'hold' || kind === 'hold_released')
    assert.equal(held.length, 2)
    assert.ok(made.exits > 0 && made.offline > made.flagged.double_use.length)
    assert.ok((made.incidents.resolved ?? 0) > 0 && (made.incidents.open ?? 0) + (made.incidents.acknowledged ?? 0) > 0)
    for (const verdict of [
      'ADMIT',
      'EXIT',
      'ALREADY_USED',
      'REDIRECT',
      'NOT_VALID_NOW',
      'REVOKED',
      'NOT_PAID',
      'BLOCKED',
      'UNKNOWN',
    ]) {
      assert.ok((made.verdicts[verdict] ?? 0) > 0, verdict)
    }
    // The check can fail: one person more, one case fewer, one verdict of another kind.
    const { made: did, before, after } = outcome
    const flagged = new Map(Object.entries(did.flagged).map(([kind, ids]) => [kind as FlagKind, new Set(ids)]))
    const wrong = (change: (stats: Stats) => void, of = flagged) => {
      const stats = structuredClone(after)
      change(stats)
      return differences(did, before, stats, of)
    }
    assert.deepEqual(
      wrong(() => {}),
      [],
    )
    for (const change of [
      ({ zones: [zone] }: Stats) => zone && zone.occupancy++,
      ({ verdicts }: Stats) => Object.assign(verdicts, { STALE_CODE: 1 }),
      ({ gates: [gate] }: Stats) => gate && Object.assign(gate.verdicts, { ADMIT: 0 }),
      ({ tiers: [tier] }: Stats) => tier && tier.admitted--,
      ({ flags_by_kind }: Stats) => Object.assign(flags_by_kind, { double_use: { open: 1, resolved: 0 } }),
      ({ incidents }: Stats) => incidents.open++,
      (stats: Stats) => stats.exits++,
    ]) {
      assert.equal(wrong(change).length, 1, String(change))
    }
    assert.equal(wrong(() => {}, new Map([...flagged, ['double_use', new Set()]])).length, 1)

    // The same from the disk, after the end of the process that counted it.
    await world.restart()
    const { data } = await (await world.admin()).GET('/v1/admin/stats')
    assert.deepEqual(said(data ?? assert.fail()), said(outcome.after))
  })

  it('can use the box’s own tickets, and codes from pictures of phones', async () => {
    const own = Array.from({ length: 120 }, (_, i) => ({ code: `OWN-${i}`, tier: 'once', standing: 'valid' as const }))
    const phones = Array.from({ length: 3 }, (_, i) => ({
      code: `PHONE-${i}`,
      tier: 'once',
      standing: 'valid' as const,
    }))
    const tickets = [...own, ...phones]
    const rows = tickets.map(({ code, tier }) => `${code},${tier},,,,,,valid`)
    await using world = await World.open({ environment: FAST, tickets: rows })
    const outcome = await hourAt(world, { seed: 5, tickets, admissions: 300, devices: 6 })
    assertAgrees(world, outcome)
    assert.equal(outcome.made.verdicts.STALE_CODE, 3)
    assert.ok(outcome.made.admissions < 300, 'nobody is left')
  })

  it('has double uses also when the last entrance lets nobody in twice', () => {
    const post = (id: string, to: string, tier: string) => {
      return { id, gate: id, direction: 'in' as const, from: null, to, tiers: [tier] }
    }
    const site = {
      posts: [post('a', 'arena', 'once'), post('b', 'arena', 'once'), post('yard', 'backstage', 'crew')],
      tiers: [
        { id: 'once', entry: 'once' as const },
        { id: 'crew', entry: 'unlimited' as const },
      ],
    }
    const tickets = Array.from({ length: 90 }, (_, i) => ({ code: `${i}`, tier: 'once', standing: 'valid' as const }))
    const { actions, offline, posts } = planHour({ site, tickets, devices: 3, admissions: 50, seed: 1 })
    assert.equal(posts[offline?.lane ?? -1]?.id, 'b')
    assert.ok(actions.some(({ deed }) => deed.do === 'upload' && deed.flag === 'double_use'))
  })

  it('is the same hour for the same seed', async () => {
    await using world = await World.open()
    const { data } = await (await world.admin()).GET('/v1/admin/stats')
    const site = siteOf(data ?? assert.fail(), Date.now())
    const tickets = Array.from({ length: 900 }, (_, i) => ({
      code: `${i}`,
      tier: i % 3 ? 'once' : 'vip',
      standing: 'valid' as const,
    }))
    const plan = (seed: number) => planHour({ site, tickets, devices: 8, admissions: 300, seed })
    assert.deepEqual(plan(1), plan(1))
    assert.notDeepEqual(plan(1).actions, plan(2).actions)
    // An action waits only for earlier actions, of any scanner: there is no circle.
    for (const { at, after } of plan(1).actions) for (const n of after) assert.ok((plan(1).actions[n]?.at ?? at) < at)
  })
})

describe('npm run simulate', () => {
  const MAIN = join(import.meta.dirname, '../simulate/main.ts')
  const small = ['--speed', '0', '--devices', '4', '--admissions', '40', '--check', '--seed', '7']

  it('exits 0 when the box has the same figures, 1 when it does not, 2 when it cannot begin', async () => {
    using folder = new BoxFolder()
    await using box = folder.start()
    const ports = await box.opened()
    const at = ['--url', `https://127.0.0.1:${ports.https}`, '--data', folder.dataDir]
    const run = (...args: string[]) => new BoxProcess([process.execPath, MAIN, ...args], {})

    await using stranger = run(...at, ...small)
    assert.equal((await stranger.exited()).code, 2)
    assert.match(stranger.output, /--event test-fair/)

    const meant = [...at, '--event', 'test-fair', '--tag', 'A', ...small]
    await using first = run(...meant)
    assert.equal((await first.exited()).code, 0, first.output)
    assert.match(first.output, /The box counts the same/)
    // The same tickets once more: everybody is inside already, which is not what the plan says.
    await using second = run(...meant, '--json')
    assert.equal((await second.exited()).code, 1, second.output)
    assert.match(second.output, /ALREADY_USED and not ADMIT/)

    await using help = run('--help')
    assert.equal((await help.exited()).code, 0)
    assert.ok(readFileSync(MAIN, 'utf8').includes('--check') && help.output.includes('--check'))
    await using elsewhere = run('--data', join(folder.dataDir, 'nothing'))
    assert.equal((await elsewhere.exited()).code, 2)
    assert.match(elsewhere.output, /start the box, or name its data directory with --data/)
    await using wrong = run('--speed', 'fast', ...at)
    assert.equal((await wrong.exited()).code, 2)
  })
})

describe('npm run simulate', () => {
  const main = join(import.meta.dirname, '../simulate/main.ts')
  const run = (environment: NodeJS.ProcessEnv, ...args: string[]) =>
    spawnSync(process.execPath, [main, ...args], { env: { ...process.env, ...environment }, encoding: 'utf8' })

  it('takes port and data folder from the environment, as the box does, and an option before them', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-simulate-'))
    // Takes every connection, and ends it: whoever came to this port is told so.
    let asked = 0
    const server = createServer((socket) => {
      asked++
      socket.destroy()
    })
    try {
      const nowhere = join(folder, 'nowhere')
      assert.match(run({ GATEHOUSE_DATA_DIR: nowhere }).stderr, new RegExp(`no admin-token in ${nowhere}:`))
      await mkdir(join(folder, 'ca'))
      await writeFile(join(folder, 'admin-token'), 'token')
      await writeFile(join(folder, 'ca/authority.pem'), '')
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      const { port } = server.address() as AddressInfo
      const named = { GATEHOUSE_HTTPS_PORT: String(port), GATEHOUSE_DATA_DIR: folder }
      await promisify(execFile)(process.execPath, [main], { env: { ...process.env, ...named } }).catch(() => {})
      assert.equal(asked > 0, true, 'the port of the environment')
      const before = asked
      const elsewhere = [main, '--url', 'https://127.0.0.1:1', '--data', folder]
      await promisify(execFile)(process.execPath, elsewhere, { env: { ...process.env, ...named } }).catch(() => {})
      assert.equal(asked, before)
    } finally {
      server.close()
      await rm(folder, { recursive: true })
    }
  })
})
