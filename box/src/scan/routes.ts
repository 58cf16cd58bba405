/** `POST /v1/scan`, and `POST /v1/scans` for what comes late (device tier). */
import {
  OverrideRequest,
  type RefusedScan,
  ScanRequest,
  ScansAnswer,
  ScansRequest,
  Undone,
  Verdict,
} from '@gatehouse/proto/wire/scan.ts'
import { Id } from '@gatehouse/proto/wire/terms.ts'
import { Type } from 'typebox'
import { GatehouseError, STATUS } from '../errors.ts'
import type { App } from '../http/app.ts'
import { failures } from '../http/openapi.ts'
import type { TokenBuckets } from '../http/token-bucket.ts'
import { type RedeemDeps, redeem, type ScanningDevice } from './redeem.ts'
import { type SuperviseDeps, supervisorAdmit } from './supervise.ts'
import { undo } from './undo.ts'

const ScanParams = Type.Object({ scan_id: Id })

const MAX_PAYLOAD_BYTES = 1024
/** Two hundred scans, each with the longest payload, and few characters of it escaped. */
const SCANS_LIMIT = 512 * 1024
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
      reply.type('application/json; charset=utf-8')
      return (await redeemSound(request.body, request.device, deps)) as unknown as Verdict
    },
  )

  app.post(
    '/v1/scans',
    {
      bodyLimit: SCANS_LIMIT,
      schema: {
        operationId: 'scans',
        summary: 'Hand over what was let in alone, in the order of the gate: each is answered as by `POST /v1/scan`.',
        body: ScansRequest,
        response: {
          200: ScansAnswer,
          ...failures('bad_request', 'too_large', 'rate_limited', 'ledger_unavailable'),
        },
      },
      serializerCompiler: () => (body) => body as unknown as string,
    },
    async (request, reply) => {
      const { scans } = request.body
      deps.uploadBuckets.require(request.device.id, TOO_OFTEN, scans.length)
      // All in this turn, one after the other: they are written in this order, and share a commit.
      const answers = await Promise.allSettled(scans.map((scan) => redeemSound(scan, request.device, deps)))
      const texts = answers.map((answer, i) =>
        answer.status === 'fulfilled'
          ? answer.value
          : JSON.stringify(refusalOf(scans[i]?.scan_id ?? '', answer.reason)),
      )
      reply.type('application/json; charset=utf-8')
      return `{"verdicts":[${texts.join(',')}]}` as unknown as ScansAnswer
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

async function redeemSound(scan: ScanRequest, device: ScanningDevice, deps: RedeemDeps): Promise<string> {
  if (Buffer.byteLength(scan.payload) > MAX_PAYLOAD_BYTES) {
    throw new GatehouseError(
      'bad_request',
      'The field "payload" is longer than 1 KiB: this is no ticket, scan another code.',
    )
  }
  return redeem(scan, device, deps)
}

/** Throws again what is no fault of this scan: then nobody has an answer, and all of them are sent once more. */
function refusalOf(scanId: string, error: unknown): RefusedScan {
  if (!(error instanceof GatehouseError) || STATUS[error.code] >= 500) throw error
  return { scan_id: scanId, code: error.code, message: error.message }
}
