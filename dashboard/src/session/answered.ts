/** An answer of the box as a value, or as an error whose message may be shown to a person as it is. */
import type { Refusal } from '@gatehouse/proto/refusals.ts'
import { words } from '../words/words.ts'

/** The box said no, or said nothing. `message` says what to do. */
export class Refused extends Error {
  override readonly name = 'Refused'
  /** As in box/docs/errors.md; `unreachable` when there was no answer, `unknown` for an answer that is not the box's. */
  readonly code: string
  /** HTTP status; 0 when there was no answer. */
  readonly status: number

  constructor(code: string, status: number, message: string) {
    super(message)
    this.code = code
    this.status = status
  }
}

/** An answer of openapi-fetch. */
export interface Answer<T> {
  data?: T
  error?: unknown
  response: Response
}

/**
 * `await answered(client.GET('/v1/admin/stats'))`: the body of a 2xx.
 * @throws Refused for every other answer, and for none
 */
export async function answered<T>(call: Promise<Answer<T>>): Promise<T> {
  let answer: Answer<T>
  try {
    answer = await call
  } catch (error) {
    // fetch says no more than "failed" for a box that is off, and a body that breaks off is no answer either.
    if (error instanceof Refused || isAbort(error)) throw error
    throw new Refused('unreachable', 0, words.session.unreachable)
  }
  if (answer.response.ok) return answer.data as T
  throw await refusalOf(answer.response.status, answer.error)
}

/** From the error body `{ code, message, reason, values }`, where it is one: in the language of this page. */
export async function refusalOf(status: number, body: unknown): Promise<Refused> {
  const { code, message, ...more } = (typeof body === 'object' && body !== null ? body : {}) as Partial<Refusal>
  return typeof code === 'string' && typeof message === 'string' && message !== ''
    ? new Refused(code, status, await sentenceFor({ code, message, ...more }))
    : new Refused('unknown', status, words.session.strange(status))
}

/** The words are loaded with the first refusal; the box's own stand in for them where they do not come. */
async function sentenceFor(refusal: Refusal): Promise<string> {
  try {
    const { refusedSentence } = await import('../words/refused.ts')
    return await refusedSentence(refusal)
  } catch {
    return refusal.message
  }
}

/** Any error as a sentence to show; empty for a read that a sign-out has called off, whose screen is gone. */
export function sentenceOf(error: unknown): string {
  if (error instanceof Refused) return error.message
  if (isAbort(error)) return ''
  console.error(error)
  return words.session.unexpected
}

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}
