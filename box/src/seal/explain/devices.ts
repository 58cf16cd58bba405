/** `devices` and `invites`: who may scan where, and on whose invitation. */
import { devices, invites } from '../../ledger/schema.ts'
import { type ExplainContext, type Explainer, SmallTable, unixMs } from './explainer.ts'

interface EnrolmentEntry {
  certificate: string
  checkpoints: string[]
  device: string
  supervisor: boolean
}

export function explainDevices({ drizzle, problems }: ExplainContext): Explainer {
  const table = new SmallTable('device', problems)
  return {
    fact({ index, kind, said }) {
      if (kind === 'enrolment') {
        const { device, certificate: fingerprint, checkpoints, supervisor } = said as unknown as EnrolmentEntry
        table.set(device, index, { fingerprint, checkpoints, supervisor, revoked: false, revokedReason: null })
      } else if (kind === 'device_revoked') {
        const { device, reason } = said as { device: string; reason: string }
        table.change(device, index, { revoked: true, revokedReason: reason })
      }
    },
    end() {
      const rows = drizzle.select().from(devices).all()
      table.compare(
        rows.map((row) => ({ key: row.id, index: null, values: { ...row, revoked: row.revokedAt !== null } })),
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
    fact({ index, kind, said }) {
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
