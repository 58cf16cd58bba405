/** The machine: settings, clock, updates, restart, backups on a stick (admin tier). Anywhere but on the appliance: none of it. */
import { uptime } from 'node:os'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  ApplianceAction,
  Appliance as ApplianceAnswer,
  Restarting,
  type SettingsProblem,
  TimeRequest,
  TimeSet,
  UpdateQuery,
  UpdateState,
  UsbBackup,
  UsbUpdateRequest,
} from '@gatehouse/proto/wire/appliance.ts'
import { iso } from '../clock/iso.ts'
import { GatehouseError } from '../errors.ts'
import { by } from '../http/actor.ts'
import type { App } from '../http/app.ts'
import { mayTakeItsTime } from '../http/connection.ts'
import { failures } from '../http/openapi.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Appliance } from './appliance.ts'
import { readStick, roomOn, temperature } from './machine-state.ts'
import { reasonOf } from './reasons.ts'
import { MOST_UPDATE_BYTES } from './updates.ts'

export interface ApplianceRouteDeps {
  /** Undefined on any other machine. */
  appliance: Appliance | undefined
  /** What is wrong with its settings. */
  problems: () => Promise<SettingsProblem[]>
  ledger: Ledger
  dataDir: string
  timeQuality: () => 'synced' | 'unsynced'
  /** Unix ms. */
  now: () => number
  monotonic: () => number
}

/** What a browser of today can show: an hour that is none of these would be a mistake, or worse. */
const EARLIEST = Date.parse('2026-01-01T00:00:00Z')
const LATEST = Date.parse('2100-01-01T00:00:00Z')
/** How long root may take to set the clock. */
const CLOCK_MS = 10_000

export function applianceRoutes(app: App, deps: ApplianceRouteDeps): void {
  const { ledger, timeQuality, now, monotonic } = deps
  const appliance = (): Appliance => {
    if (deps.appliance) return deps.appliance
    throw new GatehouseError('not_found', 'This box does not run on the appliance: use the tools of its own machine.')
  }

  app.get(
    '/v1/admin/appliance',
    {
      schema: {
        operationId: 'appliance',
        summary: 'The machine: what is wrong with its settings, its clock, its disk, its stick.',
        response: { 200: ApplianceAnswer },
      },
    },
    async () => {
      const machine = deps.appliance
      const room = await roomOn(deps.dataDir)
      return {
        appliance: machine !== undefined,
        problems: await deps.problems(),
        time_quality: timeQuality(),
        time_source: machine?.clock.source ?? null,
        uptime_ms: machine ? Math.round(uptime() * 1000) : null,
        free_bytes: room?.free ?? null,
        total_bytes: room?.total ?? null,
        temperature_celsius: machine ? await temperature() : null,
        stick: machine ? (await readStick(machine.folder)) !== undefined : false,
        backup: machine
          ? await machine.backups.state()
          : { state: 'idle' as const, percent: null, name: null, reason: null },
        // Last: whoever asks compares it with their own clock.
        now: iso(now()),
      }
    },
  )

  app.post(
    '/v1/admin/time',
    {
      schema: {
        operationId: 'setTime',
        summary: "Set the machine's clock, as long as nothing better than this does.",
        body: TimeRequest,
        response: { 200: TimeSet, ...failures('bad_request', 'not_found', 'conflict', 'ledger_unavailable') },
      },
    },
    async (request) => {
      const { requests } = appliance()
      const to = Date.parse(request.body.now)
      if (to < EARLIEST || to > LATEST)
        throw new GatehouseError(
          'bad_request',
          'The field "now" is no time of these years: set the clock of this device.',
        )
      if (timeQuality() === 'synced')
        throw new GatehouseError('conflict', 'The clock of the box is set by the network already: leave it so.')
      const from = Math.round(now())
      await ledger.commit(() =>
        ledger.append('clock_set', { ...by(request, request.body.actor), from: iso(from), to: iso(to) }),
      )
      await requests.ask('time', to, from)
      const end = monotonic() + CLOCK_MS
      let said = await requests.said('time')
      while (said?.state === 'asked' && monotonic() < end) {
        await sleep(50)
        said = await requests.said('time')
      }
      if (said?.state === 'refused')
        throw new GatehouseError('conflict', 'The clock of the box has just been set by the network: leave it so.')
      if (said?.state !== 'set') throw new GatehouseError('conflict', reasonOf(said?.detail ?? 'gatehouse: unanswered'))
      return { now: iso(now()), time_quality: timeQuality() }
    },
  )

  app.get(
    '/v1/admin/update',
    {
      schema: {
        operationId: 'updateState',
        summary: 'How far an update is, what the two slots hold, and what a stick offers.',
        response: { 200: UpdateState, ...failures('not_found') },
      },
    },
    async () => appliance().updates.state(),
  )

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    // As it comes: a system is larger than the memory of a small board.
    scope.addContentTypeParser('*', (_request, body, done) => done(null, body))
    scope.addHook('preClose', (done) => {
      deps.appliance?.updates.close()
      done()
    })
    scope.post(
      '/v1/admin/update',
      {
        bodyLimit: MOST_UPDATE_BYTES,
        schema: {
          operationId: 'sendUpdate',
          summary: 'Send an update, which is installed beside the version that runs; the body is the file.',
          querystring: UpdateQuery,
          consumes: ['application/octet-stream'],
          response: {
            200: UpdateState,
            ...failures('bad_request', 'not_found', 'conflict', 'too_large', 'ledger_unavailable'),
          },
        },
      },
      async (request) => {
        const { updates } = appliance()
        const { actor } = request.query as UpdateQuery
        if (!(request.body instanceof Readable))
          throw new GatehouseError('bad_request', 'The body is empty: send the update as the body.')
        // Node has looked that it is a number; what comes in chunks has none.
        const length = request.headers['content-length']
        using _patience = mayTakeItsTime(request.raw.socket)
        await updates.take(request.body, length === undefined ? undefined : Number(length), ({ bytes, sha256 }) =>
          ledger.commit(() => ledger.append('update', { ...by(request, actor), source: 'upload', bytes, sha256 })),
        )
        return updates.state()
      },
    )
  })

  app.post(
    '/v1/admin/update/usb',
    {
      schema: {
        operationId: 'updateFromStick',
        summary: 'Install an update that is on the stick.',
        body: UsbUpdateRequest,
        response: { 200: UpdateState, ...failures('bad_request', 'not_found', 'conflict', 'ledger_unavailable') },
      },
    },
    async (request) => {
      const { updates, backups } = appliance()
      const { name, actor } = request.body
      await backups.refuseWhileBusy()
      await updates.takeFromStick(name, () =>
        ledger.commit(() => ledger.append('update', { ...by(request, actor), source: 'usb', name })),
      )
      return updates.state()
    },
  )

  app.post(
    '/v1/admin/update/restart',
    {
      schema: {
        operationId: 'restart',
        summary: 'Restart the machine: with the new version, where an update is ready.',
        body: ApplianceAction,
        response: { 200: Restarting, ...failures('bad_request', 'not_found', 'conflict', 'ledger_unavailable') },
      },
    },
    async (request) => {
      const { requests, updates, backups } = appliance()
      await updates.refuseWhileBusy()
      await backups.refuseWhileBusy()
      await ledger.commit(() => ledger.append('restart', by(request, request.body.actor)))
      await requests.ask('restart')
      return { restarting: true }
    },
  )

  app.post(
    '/v1/admin/update/rollback',
    {
      schema: {
        operationId: 'rollback',
        summary: 'Go back to the version before, with a restart; or leave an update unstarted that is ready.',
        body: ApplianceAction,
        response: { 200: Restarting, ...failures('bad_request', 'not_found', 'conflict', 'ledger_unavailable') },
      },
    },
    async (request) => {
      const { requests, updates, backups } = appliance()
      await backups.refuseWhileBusy()
      const { slot, runs } = await updates.slotBefore()
      await ledger.commit(() => ledger.append('rollback', { ...by(request, request.body.actor), slot }))
      await requests.ask('rollback', slot)
      return { restarting: !runs }
    },
  )

  app.post(
    '/v1/admin/backup/usb',
    {
      schema: {
        operationId: 'backupToStick',
        summary: 'Write a backup to the USB stick in the box: everything that this box is, keys too.',
        body: ApplianceAction,
        response: { 200: UsbBackup, ...failures('bad_request', 'not_found', 'conflict', 'ledger_unavailable') },
      },
    },
    async (request) => {
      const { updates, backups } = appliance()
      await updates.refuseWhileBusy()
      await backups.start(() =>
        ledger.commit(() => ledger.append('backup', { ...by(request, request.body.actor), to: 'usb' })),
      )
      return backups.state()
    },
  )
}
