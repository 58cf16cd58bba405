import type { RefusalReason, RefusalValues } from '@gatehouse/proto/refusal-reasons.ts'
import type { Coded, CodeOf, RefusalSubject } from '@gatehouse/proto/said.ts'

/**
 * Every reason for which a request cannot be answered, and the HTTP status that it travels under.
 * The closed list of the contract; `box/docs/errors.md` explains each, and a test keeps the two equal.
 */
export const STATUS = {
  bad_request: 400,
  bad_token: 401,
  bad_certificate: 401,
  bad_signature: 401,
  device_revoked: 403,
  not_allowed: 403,
  confirm_needed: 403,
  sign_on_needed: 403,
  not_found: 404,
  scan_id_reused: 409,
  conflict: 409,
  over_capacity: 409,
  invite_used: 410,
  invite_expired: 410,
  too_large: 413,
  rate_limited: 429,
  ledger_unavailable: 503,
  provider_unavailable: 503,
  internal: 500,
} as const

export type ErrorCode = keyof typeof STATUS

export interface RefusalOptions extends ErrorOptions {
  retryAfterSeconds?: number
  reason?: ReasonCode
  values?: RefusalValues
  /** In place of reason and values, where they are codes already: their sentences follow one another. */
  coded?: readonly Coded<ReasonCode>[]
}

/** Apps have a sentence for each of the first kind, and the control room for those of its screens. */
type ReasonCode = RefusalReason | CodeOf<RefusalSubject>

/**
 * A request that cannot be answered. `message` reaches a person holding a phone: one sentence that says what to
 * do next, without a ticket id, a token or a name in it. A refused ticket is a verdict, never one of these.
 */
export class GatehouseError extends Error {
  override readonly name = 'GatehouseError'
  readonly code: ErrorCode
  /** For `rate_limited`: after how many seconds a retry makes sense. */
  readonly retryAfterSeconds?: number
  /** For apps, which have a sentence for it in the language of the phone. */
  readonly reason?: ReasonCode
  /** Values that the sentence mentions. */
  readonly values?: RefusalValues
  /** Where it takes several sentences: each, the reason's first. */
  readonly coded?: readonly Coded<ReasonCode>[]

  constructor(code: ErrorCode, message: string, { coded = [], ...options }: RefusalOptions = {}) {
    super(message, options)
    this.code = code
    const { reason = coded[0]?.code, values = coded[0]?.values, retryAfterSeconds } = options
    if (retryAfterSeconds !== undefined) this.retryAfterSeconds = retryAfterSeconds
    if (reason !== undefined) this.reason = reason
    if (values !== undefined) this.values = values
    if (coded.length > 1) this.coded = coded
  }
}
