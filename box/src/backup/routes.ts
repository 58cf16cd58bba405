/** `GET /v1/admin/backup`: the box as a file, over the network. */
import type { Readable } from 'node:stream'
import { BackupQuery } from '@gatehouse/proto/wire/admin.ts'
import { Type } from 'typebox'
import { GatehouseError } from '../errors.ts'
import { by } from '../http/actor.ts'
import type { App } from '../http/app.ts'
import { failures } from '../http/openapi.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { archiveOf, type BackupPlace, discard } from './backup.ts'
import { stageInThread } from './stage.ts'

export interface BackupRouteDeps extends Pick<BackupPlace, 'dataDir' | 'eventDir'> {
  ledger: Ledger
  /** Unix ms. */
  now: () => number
}

export function backupRoutes(app: App, { ledger, dataDir, eventDir, now }: BackupRouteDeps): void {
  let busy = false
  let sending: Readable | undefined
  // A download may stand still for as long as its reader likes, and the box would wait for it.
  app.addHook('preClose', (done) => {
    sending?.destroy()
    done()
  })
  app.get(
    '/v1/admin/backup',
    {
      // It copies the ledger, and is journalled: asking for its headers must not.
      exposeHeadRoute: false,
      schema: {
        operationId: 'backup',
        summary: 'Everything that this box is, keys too, in one file. "gatehouse restore" puts it back.',
        querystring: BackupQuery,
        produces: ['application/gzip'],
        response: { 200: Type.Unsafe<Readable>(Type.String()), ...failures('conflict', 'ledger_unavailable') },
      },
    },
    async (request, reply) => {
      // Each takes as much room as the ledger: a press too many must not fill the disk.
      if (busy) throw new GatehouseError('conflict', 'A backup is being made already: wait until it has arrived.')
      busy = true
      try {
        const who = by(request, request.query.actor)
        // Before it is made: the backup tells of itself, and nobody takes the keys along unseen.
        await ledger.commit(() => ledger.append('backup', { ...who, to: 'network' }))
        const staged = await stageInThread({ dataDir, eventDir, now: now() })
        const archive = archiveOf(staged)
        sending = archive
        const finish = () => {
          busy = false
          sending = undefined
          void discard(staged)
        }
        archive.once('close', finish)
        return reply
          .type('application/gzip')
          .header('content-disposition', `attachment; filename="${staged.name}"`)
          .header('cache-control', 'no-store')
          .send(archive)
      } catch (error) {
        busy = false
        throw error
      }
    },
  )
}
