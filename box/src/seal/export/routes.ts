/** The whole record as a file, and its report as a page (admin tier). */
import { Readable } from 'node:stream'
import { ExportQuery } from '@gatehouse/proto/wire/admin.ts'
import { Type } from 'typebox'
import { by } from '../../ca/actor.ts'
import type { App } from '../../http/app.ts'
import { failures } from '../../http/openapi.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { drawReport } from '../report/page.ts'
import { type Seal, type Sealer, sealed } from '../sealer.ts'
import type { ExportCover } from './export.ts'
import type { ExportThreads } from './thread.ts'

export interface ExportRouteDeps extends Omit<ExportCover, 'madeAt' | 'size'> {
  ledger: Ledger
  sealer: Sealer
  exports: ExportThreads
  verifierKey: string
  /** Unix ms. */
  now: () => number
}

export function exportRoutes(app: App, deps: ExportRouteDeps): void {
  const { ledger, sealer, exports, origin, signingKey, software, now } = deps
  const coverOf = ({ size }: Seal): ExportCover => ({ origin, signingKey, software, madeAt: now(), size })

  app.get('/v1/admin/export', {
    // No HEAD: an export is journalled, and a request for headers must not be.
    exposeHeadRoute: false,
    schema: {
      operationId: 'export',
      summary: 'The sealed record in one file: entries, seals, signed report. Check it with gatehouse verify-export.',
      querystring: ExportQuery,
      produces: ['application/octet-stream'],
      response: { 200: Type.Unsafe<Readable>(Type.String()), ...failures('conflict', 'ledger_unavailable') },
    },
    handler: async (request, reply) => {
      const who = by(request, request.query.actor)
      // Journalled before it is made, so that the export contains the entry and nobody can take the record unnoticed.
      await ledger.commit(() => ledger.append('export', who))
      const seal = sealed(await sealer.seal())
      return reply
        .type('application/octet-stream')
        .header('content-disposition', `attachment; filename="${fileName(origin, seal.size)}"`)
        .header('cache-control', 'no-store')
        .send(Readable.from(exports.export(coverOf(seal)), { objectMode: false }))
    },
  })

  app.get('/v1/admin/report', {
    exposeHeadRoute: false,
    schema: {
      operationId: 'report',
      summary: 'The attendance report as a page to print, up to now.',
      produces: ['text/html'],
      response: { 200: Type.String(), ...failures('conflict', 'ledger_unavailable') },
    },
    handler: async (_request, reply) => {
      const seal = sealed(await sealer.seal())
      const report = await exports.report(coverOf(seal))
      return reply
        .type('text/html; charset=utf-8')
        .header('cache-control', 'no-store')
        .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
        .send(await drawReport(report, { checkpoint: seal.note, verifierKey: deps.verifierKey }))
    },
  })
}

/** `gatehouse-harbour-26-box-1a2b3c4d-1234.jsonl` */
export function fileName(origin: string, size: number): string {
  return `${origin.replaceAll('/', '-')}-${size}.jsonl`
}
