/** `devices` and `invites`: who may scan where, and on whose invitation. */
import { devices, invites } from '../../ledger/schema.ts'
import { type ExplainContext, type Explainer, SmallTable, unixMs, type Values } from './explainer.ts'

interface EnrolmentEntry {
  certificate: string
  checkpoints: string[]
  device: string
  supervisor: boolean
}

export function explainDevices({ drizzle, problems }: ExplainContext): Explainer {
  const table = new SmallTable<Values>('device', problems)
  /** Taken out of service at a box that was heard before the one where they came in; those came along. */
  const early = new Set<string>()
  const revoked = new Set<string>()
  return {
    fact({ index, kind, said, box }) {
      if (kind === 'enrolment') {
        const { device, certificate: fingerprint, checkpoints, supervisor } = said as unknown as EnrolmentEntry
        const standing = early.has(device) ? {} : { revoked: false, revokedReason: null }
        table.set(device, index, { fingerprint, checkpoints, supervisor, ...standing })
      } else if (kind === 'device_revoked') {
        const { device, reason } = said as { device: string; reason: string }
        if (box !== undefined && !table.get(device)) early.add(device)
        else table.change(device, index, { revoked: true, revokedReason: reason })
        // At two boxes that did not hear each other: either reason may stand.
        if (revoked.has(device)) table.forget(device, 'revokedReason')
        revoked.add(device)
      }
    },
    end() {
      const rows = drizzle.select().from(devices).all()
      const known = rows.filter(({ id }) => table.get(id) || !early.has(id))
      table.compare(
        known.map((row) => ({ key: row.id, index: null, values: { ...row, revoked: row.revokedAt !== null } })),
      )
    },
  }
}

/** An invite's entry does not name its code, which would be as good as the invite: those that say the same are counted. */
export function explainInvites({ drizzle, problems }: ExplainContext): Explainer {
  const minted = new Map<string, { index: number; count: number }>()
  let enrolled = 0
  const keyOf = (checkpoints: unknown, expiresAt: number | null, supervisor: unknown) =>
    JSON.stringify([checkpoints, expiresAt, supervisor])
  return {
    fact({ index, kind, said, box }) {
      // Each box has its own.
      if (box !== undefined) return
      if (kind === 'enrolment') enrolled++
      if (kind !== 'invite') return
      const { checkpoints, expires_at, supervisor } = said as { [name: string]: unknown; expires_at: string }
      const key = keyOf(checkpoints, unixMs(expires_at), supervisor)
      minted.set(key, { index, count: (minted.get(key)?.count ?? 0) + 1 })
    },
    end() {
      const rows = drizzle.select().from(invites).all()
      for (const { checkpoints, expiresAt, supervisor } of rows) {
        const same = minted.get(keyOf(checkpoints, expiresAt, supervisor))
        if (same && same.count > 0) same.count--
        else problems.add('invite_unexplained', null, 'no entry explains one of the invites')
      }
      for (const { index, count } of minted.values()) {
        if (count > 0) problems.add('invite_missing', index, 'the invite of this entry is not there, or is another')
      }
      const used = rows.filter(({ usedAt }) => usedAt !== null).length
      if (used !== enrolled)
        problems.add('invite_differs', null, `${used} invites are used up, ${enrolled} devices came in`)
    },
  }
}
