/** Routes for updates of the machine and for restarts (admin tier). */
import { Readable } from 'node:stream'
import {
  ApplianceAction,
  Restarting,
  UpdateQuery,
  UpdateState,
  UsbUpdateRequest,
} from '@gatehouse/proto/wire/appliance.ts'
import { by } from '../ca/actor.ts'
import { GatehouseError } from '../errors.ts'
import type { App } from '../http/app.ts'
import { mayTakeItsTime } from '../http/connection.ts'
import { failures } from '../http/openapi.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { type Appliance, requireAppliance } from './appliance.ts'
import { MOST_UPDATE_BYTES } from './updates.ts'

export interface UpdateRouteDeps {
  /** Undefined on any other machine. */
  appliance: Appliance | undefined
  ledger: Ledger
}

export function updateRoutes(app: App, deps: UpdateRouteDeps): void {
  const { appliance, ledger } = deps

  app.get('/v1/admin/update', {
    schema: {
      operationId: 'updateState',
      summary: 'The progress of an update, the content of the two slots, and the files on a stick.',
      response: { 200: UpdateState, ...failures('not_found') },
    },
    handler: async () => requireAppliance(appliance).updates.state(),
  })

  app.register(async (scope) => uploadRoute(scope as App, deps))

  app.post('/v1/admin/update/usb', {
    schema: {
      operationId: 'updateFromStick',
      summary: 'Install an update that is on the stick.',
      body: UsbUpdateRequest,
      response: { 200: UpdateState, ...failures('bad_request', 'not_found', 'conflict', 'ledger_unavailable') },
    },
    handler: async (request) => {
      const { updates, backups } = requireAppliance(appliance)
      const { name, actor, older } = request.body
      await backups.refuseWhileBusy()
      await updates.takeFromStick(name, older, () =>
        ledger.commit(() =>
          ledger.append('update', {
            ...by(request, actor),
            source: 'usb',
            name,
            ...(older !== undefined && { older }),
          }),
        ),
      )
      return updates.state()
    },
  })
}

/** The body is the file and is read as a stream: a system image is larger than the memory of a small board. */
function uploadRoute(app: App, { appliance, ledger }: UpdateRouteDeps): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, body, done) => done(null, body))
  app.addHook('preClose', (done) => {
    appliance?.updates.close()
    done()
  })
  app.post('/v1/admin/update', {
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
    handler: async (request) => {
      const { updates } = requireAppliance(appliance)
      const { actor, older } = request.query as UpdateQuery
      if (!(request.body instanceof Readable))
        throw new GatehouseError('bad_request', 'The body is empty: send the update as the body.')
      // Node has checked that it is a number; a chunked body has none.
      const sent = request.headers['content-length']
      const length = sent === undefined ? undefined : Number(sent)
      using _patience = mayTakeItsTime(request.raw.socket)
      await updates.take(request.body, { length, older }, (received) =>
        ledger.commit(() =>
          ledger.append('update', {
            ...by(request, actor),
            source: 'upload',
            ...received,
            ...(older !== undefined && { older }),
          }),
        ),
      )
      return updates.state()
    },
  })
}

export function restartRoutes(app: App, { appliance, ledger }: UpdateRouteDeps): void {
  app.post('/v1/admin/update/restart', {
    schema: {
      operationId: 'restart',
      summary: 'Restart the machine: with the new version, where an update is ready.',
      body: ApplianceAction,
      response: { 200: Restarting, ...failures('bad_request', 'not_found', 'conflict', 'ledger_unavailable') },
    },
    handler: async (request) => {
      const { requests, updates, backups } = requireAppliance(appliance)
      await updates.refuseWhileBusy()
      await backups.refuseWhileBusy()
      await ledger.commit(() => ledger.append('restart', by(request, request.body.actor)))
      await requests.send('restart')
      return { restarting: true }
    },
  })

  app.post('/v1/admin/update/rollback', {
    schema: {
      operationId: 'rollback',
      summary: 'Go back to the version before, with a restart; or leave an update unstarted that is ready.',
      body: ApplianceAction,
      response: { 200: Restarting, ...failures('bad_request', 'not_found', 'conflict', 'ledger_unavailable') },
    },
    handler: async (request) => {
      const { requests, updates, backups } = requireAppliance(appliance)
      await backups.refuseWhileBusy()
      const { slot, runs } = await updates.slotBefore()
      await ledger.commit(() => ledger.append('rollback', { ...by(request, request.body.actor), slot }))
      await requests.send('rollback', slot)
      return { restarting: !runs }
    },
  })
}
