/** Invites, roster, flags, mode and log (admin tier). */

import { randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
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
import { Log, LogQuery } from '@gatehouse/proto/wire/log.ts'
import QRCode from 'qrcode'
import { type Static, Type } from 'typebox'
import { by } from '../ca/actor.ts'
import type { Authority } from '../ca/authority.ts'
import { invitePayload, mintInvite, trustLink, trustPage } from '../ca/invites.ts'
import type { Roster } from '../ca/roster.ts'
import { type FlagListDeps, listFlags, withRecords } from '../cases/flag-list.ts'
import type { Flags } from '../cases/flags.ts'
import { iso, isoOrNull } from '../clock/iso.ts'
import type { App } from '../http/app.ts'
import { failures } from '../http/openapi.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { SALT_BYTES } from '../ledger/note-hash.ts'
import type { ModeSwitch } from '../rights/mode.ts'
import { type LogDeps, readLog } from './log.ts'

export interface ControlDeps extends Omit<FlagListDeps, 'db'> {
  ledger: Ledger
  authority: Authority
  roster: Roster
  flags: Flags
  modeSwitch: ModeSwitch
  now: () => number
  /** Base URL by which phones reach the HTTPS port. */
  baseUrl: () => string
  /** Base URL of plain HTTP, where phones have to be told to trust the certificate of HTTPS. */
  untrustedPlainUrl: () => string | undefined
  pretixScan: {
    slowedAt: (device: string) => number | undefined
    softwareOf: (device: string) => string | undefined
  }
}

export function controlRoutes(app: App, deps: ControlDeps): void {
  inviteRoute(app, deps)
  deviceRoutes(app, deps)
  flagRoutes(app, deps)
  modeRoute(app, deps)
}

function inviteRoute(app: App, { event, ledger, authority, baseUrl, untrustedPlainUrl, now }: ControlDeps): void {
  app.post('/v1/admin/invite', {
    schema: {
      operationId: 'invite',
      summary: 'Mint a scanner invite, single use, with the QR code to show.',
      body: InviteRequest,
      response: { 201: Invite, ...failures('bad_request', 'not_found', 'ledger_unavailable') },
    },
    handler: async (request, reply) => {
      const { name, checkpoints, expires_in_seconds, supervisor = false, actor } = request.body
      const invite = await mintInvite(
        {
          ...(name !== undefined && { name }),
          checkpoints,
          supervisor,
          by: by(request, actor),
          ...(expires_in_seconds && { seconds: expires_in_seconds }),
        },
        { event, ledger, now: now() },
      )
      const qrPayload = invitePayload({ baseUrl: baseUrl(), caFingerprint: authority.fingerprint, invite })
      const plainUrl = untrustedPlainUrl()
      return reply.code(201).send({
        invite: invite.code,
        expires_at: iso(invite.expiresAt),
        qr_payload: qrPayload,
        qr_svg: await QRCode.toString(qrPayload, { type: 'svg', errorCorrectionLevel: 'M' }),
        // A supervisor's is worth more than the way by plain HTTP protects.
        trust_link: plainUrl === undefined || supervisor ? null : trustLink(qrPayload, plainUrl),
        trust_page: plainUrl === undefined || !supervisor ? null : trustPage('scanner', plainUrl),
      })
    },
  })
}

function deviceRoutes(app: App, { roster, now, pretixScan }: ControlDeps): void {
  app.get('/v1/admin/devices', {
    schema: { operationId: 'devices', summary: 'Every device that was ever enrolled.', response: { 200: Devices } },
    handler: async () => ({
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
        ...(device.app !== null && {
          app: {
            software: pretixScan.softwareOf(device.id) ?? device.app,
            slowed_at: isoOrNull(pretixScan.slowedAt(device.id) ?? null),
          },
        }),
      })),
    }),
  })

  app.post('/v1/admin/devices/:id/revoke', {
    schema: {
      operationId: 'revokeDevice',
      summary: 'Take a scanner out of service: its streams close, its next request is refused.',
      params: Type.Object({ id: Type.String({ maxLength: 128 }) }),
      body: RevokeRequest,
      response: { 200: Revoked, ...failures('bad_request', 'not_found', 'ledger_unavailable') },
    },
    handler: async (request) => {
      const { actor, reason } = request.body
      const device = await roster.revoke(request.params.id, { ...by(request, actor), reason, at: now() })
      return {
        id: device.id,
        revoked_at: iso(device.revokedAt ?? now()),
        revoked_reason: device.revokedReason ?? reason,
      }
    },
  })
}

function flagRoutes(app: App, { event, ledger, flags, walkingSeconds }: ControlDeps): void {
  const listed = { db: ledger.db, event, walkingSeconds }
  app.get('/v1/admin/flags', {
    schema: {
      operationId: 'flags',
      summary: 'Double uses and other cases, with full records, newest first.',
      querystring: FlagsQuery,
      response: { 200: FlagList, ...failures('bad_request') },
    },
    handler: async (request) => listFlags(request.query, listed),
  })

  app.post('/v1/admin/flags/:id/resolve', {
    schema: {
      operationId: 'resolveFlag',
      summary: 'Write down what a case turned out to be. Its records stay; resolving again replaces the resolution.',
      params: Type.Object({ id: Type.String({ maxLength: 128 }) }),
      body: ResolveRequest,
      response: { 200: Flag, ...failures('bad_request', 'not_found', 'conflict', 'ledger_unavailable') },
    },
    handler: async (request, reply) => {
      const row = await flags.resolve(
        request.params.id,
        request.body,
        by(request, request.body.actor),
        randomBytes(SALT_BYTES),
      )
      const [flag] = withRecords([row], listed)
      return reply.send(flag as Static<typeof Flag>)
    },
  })
}

function modeRoute(app: App, { modeSwitch }: ControlDeps): void {
  app.put('/v1/admin/mode', {
    schema: {
      operationId: 'setMode',
      summary: 'Force a consistency mode.',
      body: ModeRequest,
      response: { 200: ModeState, ...failures('bad_request', 'ledger_unavailable') },
    },
    handler: async (request) => {
      await modeSwitch.force(request.body.mode, by(request, request.body.actor), request.body.reason)
      return { mode: modeSwitch.mode }
    },
  })
}

export function logRoutes(app: App, deps: Omit<LogDeps, 'pause'>): void {
  app.get('/v1/admin/log', {
    schema: {
      operationId: 'log',
      summary: 'The log, newest first: every admission, and every decision that a person made.',
      description:
        'A page may come back short, or empty, with `next` set: so much of the journal was looked through for it.',
      querystring: LogQuery,
      response: { 200: Log, ...failures('bad_request', 'not_found') },
    },
    // Made here and of known form, with whole entries in it.
    serializerCompiler: () => (body) => JSON.stringify(body),
    handler: async (request, reply) => {
      reply.type('application/json; charset=utf-8').header('cache-control', 'no-store')
      return readLog(request.query, { ...deps, pause: setImmediate })
    },
  })
}
