/** `/v1/admin/backup`: the box as a file, over the network. */
import type { Readable } from 'node:stream'
import { BackupQuery } from '@gatehouse/proto/wire/admin.ts'
import { BackupRequest } from '@gatehouse/proto/wire/backup.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { by } from '../ca/actor.ts'
import { GatehouseError } from '../errors.ts'
import type { App } from '../http/app.ts'
import { failures } from '../http/openapi.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { ArchiveThread } from './archive-thread.ts'
import { type BackupPlace, discard } from './backup.ts'
import { type Encryption, encryptedName } from './encryption.ts'
import { requestedEncryption } from './requested.ts'
import { stageInThread } from './stage.ts'

export interface BackupRouteDeps extends Pick<BackupPlace, 'dataDir' | 'eventDir'> {
  ledger: Ledger
  /** Unix ms. */
  now: () => number
}

interface Asked {
  actor: string | undefined
  encryption: Encryption | undefined
}

export function backupRoutes(app: App, deps: BackupRouteDeps): void {
  const send = sender(app, deps)
  app.get('/v1/admin/backup', {
    // No HEAD: a backup copies the ledger and is journalled, which a request for headers must not do.
    exposeHeadRoute: false,
    schema: {
      operationId: 'backup',
      summary:
        'Everything on this box, with its keys, in one file that is not encrypted. "gatehouse restore" puts it back.',
      querystring: BackupQuery,
      produces: ['application/gzip'],
      response: { 200: Type.Unsafe<Readable>(Type.String()), ...failures('conflict', 'ledger_unavailable') },
    },
    handler: (request, reply) => send(request, reply, { actor: request.query.actor, encryption: undefined }),
  })
  app.post('/v1/admin/backup', {
    schema: {
      operationId: 'encryptedBackup',
      summary:
        'The same file, encrypted with age where the body has a passphrase or recipients. They are neither kept nor logged.',
      body: BackupRequest,
      produces: ['application/octet-stream', 'application/gzip'],
      response: {
        200: Type.Unsafe<Readable>(Type.String()),
        ...failures('bad_request', 'conflict', 'ledger_unavailable'),
      },
    },
    handler: (request, reply) => {
      const { actor } = request.body
      return send(request, reply, { actor, encryption: requestedEncryption(request.body) })
    },
  })
}

function sender(app: App, { ledger, dataDir, eventDir, now }: BackupRouteDeps) {
  let busy = false
  let sending: Readable | undefined
  // A reader may pause a download for as long as it likes, and a closing box would wait for it.
  app.addHook('preClose', (done) => {
    sending?.destroy()
    done()
  })
  return async (request: FastifyRequest, reply: FastifyReply, { actor, encryption }: Asked) => {
    // One at a time: each takes as much space as the ledger, and repeated requests must not fill the disk.
    if (busy)
      throw new GatehouseError('conflict', 'A backup is being made already: wait until it has arrived.', {
        reason: 'backup_busy',
      })
    busy = true
    let thread: ArchiveThread | undefined
    try {
      thread = await ArchiveThread.open(encryption)
      // Journalled before it is made, so that the backup contains the entry and nobody can take the keys unnoticed.
      const fields = { ...by(request, actor), to: 'network' as const, ...(encryption && { encrypted: true as const }) }
      await ledger.commit(() => ledger.append('backup', fields))
      const staged = await stageInThread({ dataDir, eventDir, now: now() })
      const archive = await thread.archiveOf(staged).catch(async (error) => {
        await discard(staged)
        throw error
      })
      sending = archive
      archive.once('close', () => {
        busy = false
        sending = undefined
        void discard(staged)
      })
      return reply
        .type(encryption ? 'application/octet-stream' : 'application/gzip')
        .header('content-disposition', `attachment; filename="${encryptedName(staged.name, encryption)}"`)
        .header('cache-control', 'no-store')
        .send(archive)
    } catch (error) {
      thread?.close()
      busy = false
      throw error
    }
  }
}
