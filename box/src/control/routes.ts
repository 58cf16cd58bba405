/** Invites, roster, flags and mode (admin tier). */

import { randomBytes } from 'node:crypto'
import {
  Devices,
  Flag,
  Flags as FlagList,
  FlagsQuery,
  Invite,
  InviteRequest,
  ModeRequest,
  ModeState,
  ResolveRequest,
  Revoked,
  RevokeRequest,
} from '@gatehouse/proto/wire/admin.ts'
import QRCode from 'qrcode'
import { type Static, Type } from 'typebox'
import type { Authority } from '../ca/authority.ts'
import { invitePayload, mintInvite } from '../ca/invites.ts'
import type { Roster } from '../ca/roster.ts'
import { iso, isoOrNull } from '../clock/iso.ts'
import type { Checkpoint, Event } from '../event/event.ts'
import { by } from '../http/actor.ts'
import type { App } from '../http/app.ts'
import { failures } from '../http/openapi.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { SALT_BYTES } from '../ledger/note-hash.ts'
import { listFlags, withRecords } from '../scan/flag-list.ts'
import type { Flags } from '../scan/flags.ts'
import type { ModeSwitch } from './mode.ts'

export interface ControlDeps {
  event: Event
  ledger: Ledger
  authority: Authority
  roster: Roster
  flags: Flags
  mode: ModeSwitch
  now: () => number
  /** Seconds on foot between checkpoints; null where no map says. */
  walkingSeconds: (from: Checkpoint, to: Checkpoint) => number | null
  /** Where phones reach the HTTPS port. */
  baseUrl: () => string
}

export function controlRoutes(app: App, deps: ControlDeps): void {
  const { event, ledger, authority, roster, flags, mode, now, walkingSeconds } = deps

  app.post(
    '/v1/admin/invite',
    {
      schema: {
        operationId: 'invite',
        summary: 'Mint a scanner invite, single use, with the QR code to show.',
        body: InviteRequest,
        response: { 201: Invite, ...failures('bad_request', 'not_found', 'ledger_unavailable') },
      },
    },
    async (request, reply) => {
      const { name, checkpoints, expires_in_seconds, supervisor = false, actor } = request.body
      const invite = await mintInvite(
        {
          ...(name !== undefined && { name }),
          ...{ checkpoints, supervisor, by: by(request, actor) },
          ...(expires_in_seconds && { seconds: expires_in_seconds }),
        },
        { event, ledger, now: now() },
      )
      const qrPayload = invitePayload({ baseUrl: deps.baseUrl(), caFingerprint: authority.fingerprint, invite })
      return reply.code(201).send({
        invite: invite.code,
        expires_at: iso(invite.expiresAt),
        qr_payload: qrPayload,
        qr_svg: await QRCode.toString(qrPayload, { type: 'svg', errorCorrectionLevel: 'M' }),
      })
    },
  )

  app.get(
    '/v1/admin/devices',
    { schema: { operationId: 'devices', summary: 'Every device that was ever enrolled.', response: { 200: Devices } } },
    async () => ({
      devices: roster.list().map((device) => ({
        device_id: device.id,
        name: device.name,
        checkpoints: [...device.checkpoints],
        enrolled_at: iso(device.enrolledAt),
        certificate_fingerprint: device.fingerprint,
        certificate_expires_at: iso(device.expiresAt),
        supervisor: device.supervisor,
        revoked_at: isoOrNull(device.revokedAt),
        revoked_reason: device.revokedReason,
      })),
    }),
  )

  app.post(
    '/v1/admin/devices/:id/revoke',
    {
      schema: {
        operationId: 'revokeDevice',
        summary: 'Take a scanner out of service: its streams close, its next request is refused.',
        params: Type.Object({ id: Type.String({ maxLength: 128 }) }),
        body: RevokeRequest,
        response: { 200: Revoked, ...failures('bad_request', 'not_found', 'ledger_unavailable') },
      },
    },
    async (request) => {
      const { actor, reason } = request.body
      const device = await roster.revoke(request.params.id, { ...by(request, actor), reason, at: now() })
      return {
        id: device.id,
        revoked_at: iso(device.revokedAt ?? now()),
        revoked_reason: device.revokedReason ?? reason,
      }
    },
  )

  app.get(
    '/v1/admin/flags',
    {
      schema: {
        operationId: 'flags',
        summary: 'Double uses and other cases, with full records, newest first.',
        querystring: FlagsQuery,
        response: { 200: FlagList, ...failures('bad_request') },
      },
    },
    async (request) => listFlags(request.query, { db: ledger.db, event, walkingSeconds }),
  )

  app.post(
    '/v1/admin/flags/:id/resolve',
    {
      schema: {
        operationId: 'resolveFlag',
        summary: 'Write down what a case turned out to be. Its records stay; resolving again replaces the resolution.',
        params: Type.Object({ id: Type.String({ maxLength: 128 }) }),
        body: ResolveRequest,
        response: { 200: Flag, ...failures('bad_request', 'not_found', 'conflict', 'ledger_unavailable') },
      },
    },
    async (request, reply) => {
      const row = await flags.resolve(
        request.params.id,
        request.body,
        by(request, request.body.actor),
        randomBytes(SALT_BYTES),
      )
      const [flag] = withRecords([row], { db: ledger.db, event, walkingSeconds })
      return reply.send(flag as Static<typeof Flag>)
    },
  )

  app.put(
    '/v1/admin/mode',
    {
      schema: {
        operationId: 'setMode',
        summary: 'Force a consistency mode.',
        body: ModeRequest,
        response: { 200: ModeState, ...failures('bad_request', 'ledger_unavailable') },
      },
    },
    async (request) => {
      await mode.force(request.body.mode, by(request, request.body.actor), request.body.reason)
      return { mode: mode.mode }
    },
  )
}
