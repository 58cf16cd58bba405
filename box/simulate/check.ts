/** Compares the box's statistics with what the simulation has done. */
import type { GatehouseClient } from '@gatehouse/proto/client.ts'
import type { Stats } from '@gatehouse/proto/wire/stats.ts'
import type { Made } from './made.ts'
import type { FlagKind } from './plan.ts'
import { answered } from './scanner.ts'

/** By kind: the scan ids in its cases. */
export type Flagged = ReadonlyMap<FlagKind, ReadonlySet<string>>

/** @returns every difference, in words; empty where the box has counted each person as the scanners did */
export function differences(made: Made, before: Stats, after: Stats, flagged: Flagged): string[] {
  const found: string[] = made.surprises.map((what) => `answered: ${what}`)
  const same = (what: string, box: number, simulation: number) => {
    if (box !== simulation) found.push(`${what}: the box says ${box}, the simulation made ${simulation}`)
  }
  const counts = (
    what: string,
    box: Record<string, number>,
    was: Record<string, number>,
    did: Record<string, number>,
  ) => {
    for (const key of new Set([...Object.keys(box), ...Object.keys(did)])) {
      same(`${what} ${key}`, (box[key] ?? 0) - (was[key] ?? 0), did[key] ?? 0)
    }
  }
  counts('verdict', after.verdicts, before.verdicts, made.verdicts)
  for (const { id, verdicts } of after.gates) {
    counts(
      `gate ${id}, verdict`,
      verdicts,
      before.gates.find((gate) => gate.id === id)?.verdicts ?? {},
      made.gates[id] ?? {},
    )
  }
  counts('people in', byId(after.zones, 'occupancy'), byId(before.zones, 'occupancy'), made.zones)
  counts('admitted tickets', byId(after.tiers, 'admitted'), byId(before.tiers, 'admitted'), made.admitted)
  counts('incidents', after.incidents, before.incidents, made.incidents)
  for (const total of ['admissions', 'exits', 'offline', 'supervised', 'undone'] as const)
    same(total, after[total] - before[total], made[total])
  for (const [kind, ids] of Object.entries(made.flagged) as [FlagKind, string[]][]) {
    const cases = (stats: Stats) => (stats.flags_by_kind[kind]?.open ?? 0) + (stats.flags_by_kind[kind]?.resolved ?? 0)
    same(`cases of ${kind}`, cases(after) - cases(before), ids.length)
    same(`scans in cases of ${kind}`, ids.filter((id) => flagged.get(kind)?.has(id)).length, ids.length)
  }
  return found
}

function byId<K extends string>(
  rows: readonly ({ id: string } & Record<K, number>)[],
  field: K,
): Record<string, number> {
  return Object.fromEntries(rows.map((row) => [row.id, row[field]]))
}

/** Reads every case of the box. */
export async function flaggedAt(admin: GatehouseClient): Promise<Flagged> {
  const flagged = new Map<FlagKind, Set<string>>([
    ['double_use', new Set()],
    ['revoked_admission', new Set()],
  ])
  for (let after: string | null | undefined; after !== null; ) {
    const query = { limit: 500, ...(after !== undefined && { after }) }
    const page = await answered(() => admin.GET('/v1/admin/flags', { params: { query } }))
    for (const { kind, records } of page.flags) {
      const ids = flagged.get(kind as FlagKind)
      // The case of a double use also names the first admission, which was no mistake.
      for (const { scan_id, offline_admitted } of records) if (offline_admitted) ids?.add(scan_id)
    }
    after = page.next
  }
  return flagged
}
