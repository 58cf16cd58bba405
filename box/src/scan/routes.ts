/** `POST /v1/scan` (device tier). */
import { ScanRequest, Verdict } from '@gatehouse/proto/wire/scan.ts'
import { GatehouseError } from '../errors.ts'
import type { App } from '../http/app.ts'
import { failures } from '../http/openapi.ts'
import type { TokenBuckets } from '../http/token-bucket.ts'
import { type RedeemDeps, redeem } from './redeem.ts'

const MAX_PAYLOAD_BYTES = 1024

export function scanRoutes(app: App, deps: RedeemDeps & { buckets: TokenBuckets }): void {
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
      deps.buckets.require(request.device.id, 'This scanner sends more scans than a person can: wait a moment.')
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
}
