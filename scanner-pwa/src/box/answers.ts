/** The meaning of the box's answer to a scan. Pure, except that it reads response headers. */
import type { Refusal } from '@gatehouse/proto/refusals.ts'
import type { RefusedScan, ScansAnswer, Verdict } from '@gatehouse/proto/wire/scan.ts'

export interface Answer<T = Verdict> {
  data?: T | undefined
  error?: Partial<Refusal> | undefined
  response: Response
}

/** True for an answer of a box that does not know this device or has revoked it, and accepts nothing more from it. */
export function isEnd(code: string | undefined): boolean {
  return code === 'device_revoked' || code === 'bad_token' || code === 'bad_certificate'
}

/** The outcome of an offline admission that was sent to the box. */
export type Outcome =
  | Settled
  /** Not now: neither this one nor what follows it. */
  | { outcome: 'later'; waitMs?: number | undefined }
  /** Not now, because its ticket has very many passages; what follows it is not concerned. */
  | { outcome: 'waits'; waitMs: number }
  /** Not by this device, ever again. */
  | { outcome: 'ended' }

export type Settled =
  | { outcome: 'taken'; verdict: Verdict }
  /** The box will refuse it however often it is sent. */
  | ({ outcome: 'refused' } & Refusal)

export function isSettled(outcome: Outcome): outcome is Settled {
  return outcome.outcome === 'taken' || outcome.outcome === 'refused'
}

/** The outcome of one offline admission. */
export function outcomeOf({ data, error, response }: Answer): Outcome {
  if (data) return { outcome: 'taken', verdict: data }
  const { status } = response
  if (isEnd(error?.code)) return { outcome: 'ended' }
  // 401: the signature was too old or too early. The next one uses a clock that has been compared since.
  if (status === 401 || status === 408 || status === 429 || status >= 500 || status < 400) {
    return { outcome: 'later', waitMs: retryAfterMs(response) }
  }
  return { outcome: 'refused', ...refusalIn(error, status) }
}

/**
 * The outcomes of several offline admissions that were sent together, in their order. Undefined where the box refused the whole
 * request, so that each has to be sent by itself.
 */
export function outcomesOf(answer: Answer<ScansAnswer>): Outcome[] | undefined {
  const { data, error, response } = answer
  if (data) {
    return data.verdicts.map((each): Outcome => {
      if (!isRefusal(each)) return { outcome: 'taken', verdict: each }
      const { code, message, reason, retry_after_seconds: seconds = 1 } = each
      if (code === 'rate_limited') return { outcome: 'waits', waitMs: seconds * 1000 }
      return { outcome: 'refused', code, message, ...(reason !== undefined && { reason }) }
    })
  }
  const outcome = outcomeOf({ error, response })
  return outcome.outcome === 'refused' ? undefined : [outcome]
}

function isRefusal(each: Verdict | RefusedScan): each is RefusedScan {
  return 'code' in each
}

/** The outcome of a scan that was sent at once. */
export type ScanAnswer =
  | { answer: 'verdict'; verdict: Verdict }
  /** The box has received it and cannot answer it: the message says what to do. */
  | ({ answer: 'refused'; code: string } & Refusal)
  /** It is not known what the box has made of it. */
  | { answer: 'none' }

export function scanAnswerOf({ data, error, response }: Answer): ScanAnswer {
  if (data) return { answer: 'verdict', verdict: data }
  // It cannot write, or something failed: nobody was admitted by this, and people stand there all the same.
  if (response.status >= 500) return { answer: 'none' }
  return { answer: 'refused', code: error?.code ?? '', ...refusalIn(error, response.status) }
}

/** Something between this phone and the box may have answered: then there is no more than the status. */
function refusalIn({ message, ...more }: Partial<Refusal> = {}, status: number): Refusal {
  return { ...more, message: message ?? `HTTP ${status}` }
}

/** `Retry-After` in seconds; undefined where there is none. */
function retryAfterMs(response: Response): number | undefined {
  const seconds = Number(response.headers.get('retry-after'))
  return seconds > 0 && seconds < 3600 ? seconds * 1000 : undefined
}
