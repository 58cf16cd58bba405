/** What the box's answer to a scan means for whoever sent it. Pure, but for reading the headers. */
import type { RefusedScan, ScansAnswer, Verdict } from '@gatehouse/proto/wire/scan.ts'
import type { Outcome } from './queue.ts'

export interface Answer<T = Verdict> {
  data?: T | undefined
  error?: { code?: string; message?: string } | undefined
  response: Response
}

/** A device that the box does not know, or no longer wants: nothing that it sends will be taken. */
export function isEnd(code: string | undefined): boolean {
  return code === 'device_revoked' || code === 'bad_token' || code === 'bad_certificate'
}

/** What became of an admission that was made alone and then sent. */
export function outcomeOf({ data, error, response }: Answer): Outcome {
  if (data) return { outcome: 'taken', verdict: data }
  const { status } = response
  if (isEnd(error?.code)) return { outcome: 'ended' }
  // 401: the signature was too old or too early, and the next one goes by a clock that has been compared since.
  if (status === 401 || status === 408 || status === 429 || status >= 500 || status < 400) {
    return { outcome: 'later', waitMs: retryAfterMs(response) }
  }
  return { outcome: 'refused', message: error?.message ?? `HTTP ${status}` }
}

/**
 * What became of many that were sent together, in their order; undefined where the box could not read them all, so that each
 * has to be asked for by itself.
 */
export function outcomesOf(answer: Answer<ScansAnswer>): Outcome[] | undefined {
  const { data, error, response } = answer
  if (data) {
    return data.verdicts.map((each) => {
      return isRefusal(each) ? { outcome: 'refused', message: each.message } : { outcome: 'taken', verdict: each }
    })
  }
  const outcome = outcomeOf({ error, response })
  return outcome.outcome === 'refused' ? undefined : [outcome]
}

function isRefusal(each: Verdict | RefusedScan): each is RefusedScan {
  return 'code' in each
}

/** What a scan that was sent at once came to. */
export type Asked =
  | { asked: 'verdict'; verdict: Verdict }
  /** It was heard, and cannot be answered: the message says what to do. */
  | { asked: 'refused'; code: string; message: string }
  /** There is no telling from the box. */
  | { asked: 'no-answer' }

export function askedOf({ data, error, response }: Answer): Asked {
  if (data) return { asked: 'verdict', verdict: data }
  // It cannot write, or something failed: nobody was admitted by this, and people stand there all the same.
  if (response.status >= 500) return { asked: 'no-answer' }
  return { asked: 'refused', code: error?.code ?? '', message: error?.message ?? `HTTP ${response.status}` }
}

/** `Retry-After` in seconds; undefined where there is none. */
function retryAfterMs(response: Response): number | undefined {
  const seconds = Number(response.headers.get('retry-after'))
  return seconds > 0 && seconds < 3600 ? seconds * 1000 : undefined
}
