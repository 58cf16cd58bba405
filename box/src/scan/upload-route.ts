/** `POST /v1/scans`: what scanners admitted offline, many at a time. Each scan has an answer of its own (device tier). */
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  type RefusedScan,
  type ScanRequest,
  ScansAnswer,
  ScansQuery,
  ScansRequest,
} from '@gatehouse/proto/wire/scan.ts'
import type { ScanningDevice } from '../ca/roster.ts'
import { GatehouseError, STATUS } from '../errors.ts'
import type { App } from '../http/app.ts'
import { failures } from '../http/openapi.ts'
import type { TokenBuckets } from '../http/token-bucket.ts'
import type { SignOns } from '../staff/sign-ons.ts'
import { type RedeemDeps, redeem } from './redeem.ts'

/** Codes of an upload that are read in one turn of the event loop: about a millisecond of signatures. */
const READ_AT_ONCE = 8
const MAX_PAYLOAD_BYTES = 1024
/** Two hundred scans with the longest payload, of which JSON escapes few characters. */
const SCANS_LIMIT = 512 * 1024

export const TOO_OFTEN = 'This scanner sends more scans than a person can: wait a moment.'
export const JSON_TEXT = 'application/json; charset=utf-8'

/** A verdict is stored as text and sent as it is stored. */
export const asStored = () => (body: unknown) => body as string

export interface UploadDeps extends RedeemDeps {
  /** For what scanners admitted offline: the queue of hours, and nobody waits for the answer. */
  uploadBuckets: TokenBuckets
  signOns: Pick<SignOns, 'required' | 'earlier'>
}

export function uploadRoute(app: App, deps: UploadDeps): void {
  app.post('/v1/scans', {
    bodyLimit: SCANS_LIMIT,
    config: { isLong: true },
    // Before the body is read: a scanner that does not wait as it was told is not listened to.
    onRequest: (request, _reply, done) => {
      deps.uploadBuckets.requireWaited(request.device.id, TOO_OFTEN)
      done()
    },
    schema: {
      operationId: 'scans',
      summary: 'Hand over what was let in alone, in the order of the gate: each is answered as by `POST /v1/scan`.',
      querystring: ScansQuery,
      body: ScansRequest,
      response: {
        200: ScansAnswer,
        ...failures('bad_request', 'too_large', 'rate_limited', 'ledger_unavailable'),
      },
    },
    serializerCompiler: asStored,
    handler: async (request, reply) => {
      const { scans } = request.body
      deps.uploadBuckets.require(request.device.id, TOO_OFTEN, scans.length)
      const inOrder = { ...deps, passageBuckets: refusingAllAfterOne(deps.passageBuckets) }
      const answers = await inSlices(scans, (scan) =>
        redeemWithinLimit(scan, deps.signOns.earlier(request.device, scan.signed_on), inOrder),
      )
      const mayWait = request.query.waits === 'each'
      const texts = answers.map((answer, i) =>
        answer.status === 'fulfilled'
          ? answer.value
          : JSON.stringify(refusalOf(scans[i]?.scan_id ?? '', answer.reason, mayWait)),
      )
      reply.type(JSON_TEXT)
      return `{"verdicts":[${texts.join(',')}]}` as unknown as ScansAnswer
    },
  })
}

/**
 * Once a ticket has to wait, all further scans of it in the upload wait too: its passages are recorded in their order, and an exit
 * does not overtake the entry before it.
 */
function refusingAllAfterOne(buckets: RedeemDeps['passageBuckets']): RedeemDeps['passageBuckets'] {
  if (!buckets) return undefined
  const waits = new Map<string, number>()
  return {
    take(key) {
      const wait = waits.get(key) ?? buckets.take(key)
      if (wait > 0) waits.set(key, wait)
      return wait
    },
  }
}

/**
 * Reads the codes of an upload a few at a time, because live scans share the event loop: a batch of rotating codes is 200
 * signatures. They are written in this order, several to a commit.
 */
async function inSlices<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<PromiseSettledResult<R>[]> {
  const answers: Promise<PromiseSettledResult<R>>[] = []
  for (const [i, item] of items.entries()) {
    if (i > 0 && i % READ_AT_ONCE === 0) await nextTurn()
    answers.push(Promise.allSettled([work(item)]).then(([settled]) => settled))
  }
  return Promise.all(answers)
}

/** As `redeem`. @throws GatehouseError `bad_request` also for a payload of more than 1 KiB */
export async function redeemWithinLimit(scan: ScanRequest, device: ScanningDevice, deps: RedeemDeps): Promise<string> {
  if (Buffer.byteLength(scan.payload) > MAX_PAYLOAD_BYTES) {
    throw new GatehouseError(
      'bad_request',
      'The field "payload" is longer than 1 KiB: this is not a ticket, scan another code.',
    )
  }
  return redeem(scan, device, deps)
}

/**
 * Rethrows an error that is no fault of this scan: no scan of the upload is answered, and all are sent once more.
 * @param mayWait the client knows that one of its scans may have to wait
 */
function refusalOf(scanId: string, error: unknown, mayWait: boolean): RefusedScan {
  if (!(error instanceof GatehouseError) || STATUS[error.code] >= 500) throw error
  const { code, message, reason, retryAfterSeconds = 1 } = error
  if (code !== 'rate_limited') return { scan_id: scanId, code, message, ...(reason && { reason }) }
  if (!mayWait) throw error
  return { scan_id: scanId, code, message, retry_after_seconds: Math.max(1, Math.ceil(retryAfterSeconds)) }
}
