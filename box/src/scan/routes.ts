/** `POST /v1/scan` (device tier). */

import { OverrideRequest, ScanRequest, Undone, Verdict } from '@gatehouse/proto/wire/scan.ts'
import { Id } from '@gatehouse/proto/wire/terms.ts'
import { Type } from 'typebox'
import { GatehouseError } from '../errors.ts'
import type { App } from '../http/app.ts'
import { failures } from '../http/openapi.ts'
import type { TokenBuckets } from '../http/token-bucket.ts'
import { type RedeemDeps, redeem } from './redeem.ts'
import { type SuperviseDeps, supervisorAdmit } from './supervise.ts'
import { undo } from './undo.ts'

const ScanParams = Type.Object({ scan_id: Id })

const MAX_PAYLOAD_BYTES = 1024
const TOO_OFTEN = 'This scanner sends more scans than a person can: wait a moment.'

interface Limits {
  buckets: TokenBuckets
  /** For what was let in alone and comes late: a queue of hours, and nobody waits for the answer. */
  uploadBuckets: TokenBuckets
}

export function scanRoutes(app: App, deps: RedeemDeps & SuperviseDeps & Limits): void {
  app.post(
    '/v1/scan',
    {
      schema: {
        operationId: 'scan',
        summary: 'Validate a code and, if it may enter, admit it. Refusals are verdicts, not errors.',
        body: ScanRequest,
        response: {
          200: Verdict,
          ...failures(
            'bad_request',
            'not_allowed',
            'not_found',
            'scan_id_reused',
            'rate_limited',
            'ledger_unavailable',
          ),
        },
      },
      // The verdict is stored as text and sent as it is stored.
      serializerCompiler: () => (body) => body as unknown as string,
    },
    async (request, reply) => {
      const buckets = request.body.offline_admitted ? deps.uploadBuckets : deps.buckets
      buckets.require(request.device.id, TOO_OFTEN)
      if (Buffer.byteLength(request.body.payload) > MAX_PAYLOAD_BYTES) {
        throw new GatehouseError(
          'bad_request',
          'The field "payload" is longer than 1 KiB: this is no ticket, scan another code.',
        )
      }
      reply.type('application/json; charset=utf-8')
      return (await redeem(request.body, request.device, deps)) as unknown as Verdict
    },
  )

  const failing = failures('bad_request', 'not_allowed', 'not_found', 'conflict', 'rate_limited', 'ledger_unavailable')
  app.post(
    '/v1/scan/:scan_id/admit',
    {
      schema: {
        operationId: 'supervisorAdmit',
        summary: 'A supervisor admits the ticket that this scan refused.',
        params: ScanParams,
        body: OverrideRequest,
        response: { 200: Verdict, ...failing },
      },
      serializerCompiler: () => (body) => body as unknown as string,
    },
    async (request, reply) => {
      deps.buckets.require(request.device.id, TOO_OFTEN)
      reply.type('application/json; charset=utf-8')
      const { scan_id } = request.params
      return (await supervisorAdmit(scan_id, request.body, request.device, deps)) as unknown as Verdict
    },
  )

  app.post(
    '/v1/scan/:scan_id/undo',
    {
      schema: {
        operationId: 'undoScan',
        summary: 'Take back the admission that this scan gave, on the scanner that gave it.',
        params: ScanParams,
        body: OverrideRequest,
        response: { 200: Undone, ...failing },
      },
      serializerCompiler: () => (body) => body as unknown as string,
    },
    async (request, reply) => {
      deps.buckets.require(request.device.id, TOO_OFTEN)
      reply.type('application/json; charset=utf-8')
      return (await undo(request.params.scan_id, request.body, request.device, deps)) as unknown as Undone
    },
  )
}
