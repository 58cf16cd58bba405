/** `devices` and `invites`: the scanners, where they may scan, and the invites by which they were enrolled. */
import { devices, invites } from '../../ledger/schema.ts'
import { ExpectedRows, type ExplainContext, type Explainer, unixMs } from './explainer.ts'

export function explainDevices({ drizzle, problems }: ExplainContext): Explainer {
  const table = new ExpectedRows('device', problems)
  /** Revoked at a box whose entries came before those of the box where they were enrolled. */
  const early = new Set<string>()
  const revoked = new Set<string>()
  return {
    add({ index, kind, fields, box }) {
      if (kind === 'enrolment') {
        const { device, certificate: fingerprint, checkpoints, supervisor, app } = fields
        const status = early.has(device) ? {} : { revoked: false, revokedReason: null }
        table.set(device, index, { fingerprint, checkpoints, supervisor, bearerOnly: app !== undefined, ...status })
      } else if (kind === 'device_revoked') {
        const { device, reason } = fields
        if (box !== undefined && !table.get(device)) early.add(device)
        else table.change(device, index, { revoked: true, revokedReason: reason })
        // Revoked at two boxes without connection: the row has either reason.
        if (revoked.has(device)) table.accept(device, 'revokedReason')
        revoked.add(device)
      }
    },
    finish() {
      const rows = drizzle.select().from(devices).all()
      const known = rows.filter(({ id }) => table.get(id) || !early.has(id))
      table.compare(
        known.map((row) => ({
          key: row.id,
          index: null,
          values: { ...row, bearerOnly: row.app !== null, revoked: row.revokedAt !== null },
        })),
      )
    },
  }
}

/** An invite's entry does not contain its code, with which anybody could use the invite. So equal invites are counted. */
export function explainInvites({ drizzle, problems }: ExplainContext): Explainer {
  const minted = new Map<string, { index: number; count: number }>()
  let enrolled = 0
  const keyOf = (checkpoints: unknown, expiresAt: number | null, supervisor: unknown, forApp: boolean) =>
    JSON.stringify([checkpoints, expiresAt, supervisor, forApp])
  return {
    add({ index, kind, fields, box }) {
      // Invites are not replicated.
      if (box !== undefined) return
      if (kind === 'enrolment') enrolled++
      if (kind !== 'invite') return
      const { checkpoints, expires_at, supervisor, app } = fields
      const key = keyOf(checkpoints, unixMs(expires_at), supervisor, app !== undefined)
      minted.set(key, { index, count: (minted.get(key)?.count ?? 0) + 1 })
    },
    finish() {
      const rows = drizzle.select().from(invites).all()
      for (const { checkpoints, expiresAt, supervisor, app } of rows) {
        const same = minted.get(keyOf(checkpoints, expiresAt, supervisor, app !== null))
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
