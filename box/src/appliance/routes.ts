/** Routes of the machine: settings, clock, updates, restart, backups on a stick (admin tier). They exist on the appliance only. */
import { uptime } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  Appliance as ApplianceAnswer,
  type SettingsProblem,
  TimeRequest,
  TimeSet,
  UsbBackup,
} from '@gatehouse/proto/wire/appliance.ts'
import { UsbBackupRequest } from '@gatehouse/proto/wire/backup.ts'
import { requestedEncryption } from '../backup/requested.ts'
import { by } from '../ca/actor.ts'
import { iso } from '../clock/iso.ts'
import { GatehouseError } from '../errors.ts'
import type { App } from '../http/app.ts'
import { failures } from '../http/openapi.ts'
import { requireAppliance } from './appliance.ts'
import { readStick, roomOn, temperature } from './machine-state.ts'
import { refusedFor } from './reasons.ts'
import { restartRoutes, type UpdateRouteDeps, updateRoutes } from './update-routes.ts'

export interface ApplianceRouteDeps extends UpdateRouteDeps {
  /** Mistakes in its settings. */
  problems: () => Promise<SettingsProblem[]>
  dataDir: string
  timeQuality: () => 'synced' | 'unsynced'
  /** Unix ms. */
  now: () => number
  monotonic: () => number
}

/** Limits of the time that a browser may set: anything else is a mistake or an attack. */
const EARLIEST = Date.parse('2026-01-01T00:00:00Z')
const LATEST = Date.parse('2100-01-01T00:00:00Z')
/** Root has this long to set the clock. */
const CLOCK_MS = 10_000

export function applianceRoutes(app: App, deps: ApplianceRouteDeps): void {
  stateRoute(app, deps)
  clockRoute(app, deps)
  updateRoutes(app, deps)
  restartRoutes(app, deps)
  backupRoute(app, deps)
}

function stateRoute(app: App, deps: ApplianceRouteDeps): void {
  app.get('/v1/admin/appliance', {
    schema: {
      operationId: 'appliance',
      summary: 'The machine: what is wrong with its settings, its clock, its disk, its stick.',
      response: { 200: ApplianceAnswer },
    },
    handler: async () => {
      const machine = deps.appliance
      const room = await roomOn(deps.dataDir)
      return {
        appliance: machine !== undefined,
        problems: await deps.problems(),
        time_quality: deps.timeQuality(),
        time_source: machine?.clock.source ?? null,
        uptime_ms: machine ? Math.round(uptime() * 1000) : null,
        free_bytes: room?.free ?? null,
        total_bytes: room?.total ?? null,
        temperature_celsius: machine ? await temperature() : null,
        stick: machine ? (await readStick(machine.folder)) !== undefined : false,
        backup: machine
          ? await machine.backups.state()
          : { state: 'idle' as const, percent: null, name: null, reason: null },
        // Read last: the client compares it with its own clock.
        now: iso(deps.now()),
      }
    },
  })
}

function clockRoute(app: App, { appliance, ledger, timeQuality, now, monotonic }: ApplianceRouteDeps): void {
  app.post('/v1/admin/time', {
    schema: {
      operationId: 'setTime',
      summary: "Set the machine's clock, as long as nothing better than this does.",
      body: TimeRequest,
      response: { 200: TimeSet, ...failures('bad_request', 'not_found', 'conflict', 'ledger_unavailable') },
    },
    handler: async (request) => {
      const { requests } = requireAppliance(appliance)
      const to = Date.parse(request.body.now)
      if (to < EARLIEST || to > LATEST)
        throw new GatehouseError(
          'bad_request',
          'The field "now" is not a time of these years: set the clock of this device.',
          { reason: 'clock_strange' },
        )
      if (timeQuality() === 'synced')
        throw new GatehouseError('conflict', 'The clock of the box is set by the network already: leave it so.', {
          reason: 'clock_is_set',
        })
      const from = Math.round(now())
      await ledger.commit(() =>
        ledger.append('clock_set', { ...by(request, request.body.actor), from: iso(from), to: iso(to) }),
      )
      await requests.send('time', to, from)
      const end = monotonic() + CLOCK_MS
      let progress = await requests.progressOf('time')
      while (progress?.state === 'asked' && monotonic() < end) {
        await sleep(50)
        progress = await requests.progressOf('time')
      }
      if (progress?.state === 'refused')
        throw new GatehouseError('conflict', 'The clock of the box has just been set by the network: leave it so.', {
          reason: 'clock_is_set',
        })
      if (progress?.state !== 'set') throw refusedFor(progress?.detail ?? 'gatehouse: unanswered')
      return { now: iso(now()), time_quality: timeQuality() }
    },
  })
}

function backupRoute(app: App, { appliance, ledger }: ApplianceRouteDeps): void {
  app.post('/v1/admin/backup/usb', {
    schema: {
      operationId: 'backupToStick',
      summary:
        'Write a backup to the USB stick in the box: everything that this box is, keys too. Encrypted, if it has a passphrase or recipients.',
      body: UsbBackupRequest,
      response: { 200: UsbBackup, ...failures('bad_request', 'not_found', 'conflict', 'ledger_unavailable') },
    },
    handler: async (request) => {
      const { updates, backups } = requireAppliance(appliance)
      await updates.refuseWhileBusy()
      const encryption = requestedEncryption(request.body)
      await backups.start(encryption, () =>
        ledger.commit(() =>
          ledger.append('backup', {
            ...by(request, request.body.actor),
            to: 'usb',
            ...(encryption && { encrypted: true }),
          }),
        ),
      )
      return backups.state()
    },
  })
}
