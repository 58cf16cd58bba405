/** Invites: each is a QR code with which one device can enrol, once, within a few minutes. */
import { createHash, randomBytes } from 'node:crypto'
import { eq } from '../drizzle/core.ts'
import { GatehouseError } from '../errors.ts'
import type { Event } from '../event/event.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { invites, type PretixScanMode } from '../ledger/schema.ts'
import type { By } from './actor.ts'

export const INVITE_SECONDS = 600

export interface MintedInvite {
  /** 128 bits, base64url: shown once, and stored only as a hash. */
  code: string
  /** Unix ms. */
  expiresAt: number
}

export type StoredInvite = typeof invites.$inferSelect

export interface NewInvite {
  name?: string
  checkpoints: readonly string[]
  seconds?: number
  /** The enrolled device may admit refused tickets. */
  supervisor?: boolean
  /** For pretixSCAN: the code that the app is to send, and its mode. */
  app?: { code: string; mode: PretixScanMode }
  by: By
}

/** @throws GatehouseError `not_found` for a checkpoint that the event does not have */
export async function mintInvite(
  options: NewInvite,
  { event, ledger, now }: { event: Event; ledger: Ledger; now: number },
): Promise<MintedInvite> {
  if (!options.checkpoints.every((id) => event.checkpointById.has(id))) {
    const known = [...event.checkpointById.keys()].join(', ')
    throw new GatehouseError('not_found', `This event has no such checkpoint: choose from ${known}.`, {
      reason: 'checkpoint_unknown',
    })
  }
  const code = options.app?.code ?? randomBytes(16).toString('base64url')
  const expiresAt = now + (options.seconds ?? INVITE_SECONDS) * 1000
  const { name = null, supervisor = false, by, app } = options
  const checkpoints = [...new Set(options.checkpoints)]
  await ledger.commit(() => {
    ledger.db.drizzle
      .insert(invites)
      .values({ codeHash: hashOf(code), name, checkpoints, expiresAt, supervisor, app: app?.mode ?? null })
      .run()
    const expires_at = new Date(expiresAt).toISOString()
    ledger.append('invite', { ...by, checkpoints, expires_at, supervisor, ...(app && { app: 'pretixscan' }) })
  })
  return { code, expiresAt }
}

/** True for an invite with which a scanner of ours can enrol now. One lookup by the hash of `code`, which anybody may have made up. */
export function isOpenInvite(code: string, { ledger, now }: { ledger: Ledger; now: number }): boolean {
  const invite = find(code, ledger)
  return invite !== undefined && invite.app === null && invite.usedAt === null && invite.expiresAt > now
}

/**
 * @param kind an invite for a scanner of ours pairs no pretixSCAN, which would do without a certificate, nor the other way round
 * @throws GatehouseError `not_found`, `invite_used`, `invite_expired`: the message says what to do
 */
export function requireInvite(
  code: string,
  { ledger, now }: { ledger: Ledger; now: number },
  kind: 'scanner' | 'pretixscan' = 'scanner',
): StoredInvite {
  const invite = find(code, ledger)
  if (!invite || (invite.app === null) !== (kind === 'scanner'))
    throw new GatehouseError('not_found', 'This box never made this invite: scan the QR code of this box again.', {
      reason: 'invite_unknown',
    })
  if (invite.usedAt !== null) {
    throw new GatehouseError('invite_used', 'This invite has been used: ask the control room for a new one.')
  }
  if (invite.expiresAt <= now) {
    throw new GatehouseError('invite_expired', 'This invite has expired: ask the control room for a new one.')
  }
  return invite
}

/** Within a transaction. */
export function useInvite(invite: StoredInvite, { ledger, now }: { ledger: Ledger; now: number }): void {
  ledger.db.drizzle.update(invites).set({ usedAt: now }).where(eq(invites.codeHash, invite.codeHash)).run()
}

/** The text of the QR code: the box's address, the fingerprint of its authority, and the code. */
export function invitePayload(options: { baseUrl: string; caFingerprint: string; invite: MintedInvite }): string {
  const { baseUrl, caFingerprint, invite } = options
  const json = JSON.stringify({ u: baseUrl, fp: caFingerprint, i: invite.code, x: Math.floor(invite.expiresAt / 1000) })
  return `${baseUrl}/scanner/#i=${Buffer.from(json).toString('base64url')}`
}

/**
 * The invite by way of the page on which a phone comes to trust the box. The code stays in the fragment, which no request contains;
 * but whoever can change that page on its way, on plain HTTP, can have it.
 * @param link as `invitePayload` gives it @param plainUrl base URL of plain HTTP
 */
export function trustLink(link: string, plainUrl: string): string {
  return `${new URL(plainUrl).origin}/trust/${new URL(link).hash}`
}

/**
 * The same page for a device whose invite is worth more than plain HTTP protects: with the steps, and nothing of the invite.
 * @param place where the page leads on to @param plainUrl base URL of plain HTTP
 */
export function trustPage(place: 'scanner' | 'dashboard', plainUrl: string): string {
  return `${new URL(plainUrl).origin}/trust/${place === 'dashboard' ? '#room' : ''}`
}

function find(code: string, { db }: Ledger): StoredInvite | undefined {
  return db.drizzle
    .select()
    .from(invites)
    .where(eq(invites.codeHash, hashOf(code)))
    .get()
}

function hashOf(code: string): Buffer {
  return createHash('sha256').update(code).digest()
}
