/**
 * The way over the organiser's provider and back. This tab keeps a secret meanwhile, and takes up no answer to what it has not begun.
 * Loaded after the first screen.
 */
import type { BegunAtProvider, ProviderAnswer, WaysIn } from '@gatehouse/proto/wire/sign-in.ts'
import type { NewSession } from '@gatehouse/proto/wire/staff.ts'
import { words } from '../words/words.ts'
import { Refused, refusalOf } from './answered.ts'
import { kept } from './stored.ts'

const SECRETS = /^([\w-]{43}) ([\w-]{43})$/

/** The sign-in that this tab has begun: state and secret, as the box made them. */
function begun() {
  return kept('gatehouse-provider', (text) => (SECRETS.test(text) ? text : null))
}

export interface Place {
  location: Pick<Location, 'search' | 'pathname' | 'hash'>
  history: Pick<History, 'replaceState'>
}

/**
 * Takes the provider's answer out of the address, where it would get into a history.
 * @returns undefined where there is none, or none that this tab waits for
 */
export function takeAnswer({ location, history }: Place): ProviderAnswer | undefined {
  const { search, pathname, hash } = location
  const state = new URLSearchParams(search).get('state')
  if (state === null) return undefined
  history.replaceState(null, '', pathname + hash)
  const own = begun()
  const [, mine, secret = ''] = SECRETS.exec(own.read() ?? '') ?? []
  own.write(null)
  return mine === state ? { state, secret, answer: search } : undefined
}

export async function readWays(baseUrl: string): Promise<WaysIn> {
  const answer = await fetch(new URL('/v1/admin/session/ways', baseUrl))
  if (!answer.ok) throw await refusalOf(answer.status, undefined)
  return (await answer.json()) as WaysIn
}

/** Leaves this page for the provider's. @throws Refused with what is wrong */
export async function goToProvider(baseUrl: string, go: (url: string) => void): Promise<void> {
  const { url, state, secret } = await post<BegunAtProvider>(baseUrl, '/v1/admin/session/provider')
  begun().write(`${state} ${secret}`)
  go(url)
}

/** @throws Refused with what is wrong */
export function finishAtProvider(baseUrl: string, answer: ProviderAnswer): Promise<NewSession> {
  return post<NewSession>(baseUrl, '/v1/admin/session/provider/finish', answer)
}

/** Asks the box before anybody is signed in. @throws Refused with what is wrong */
export async function post<T>(baseUrl: string, path: string, body?: object): Promise<T> {
  const answer = await fetch(new URL(path, baseUrl), {
    method: 'POST',
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  }).catch(() => {
    throw new Refused('unreachable', 0, words.session.unreachable)
  })
  const said: unknown = await answer.json().catch(() => undefined)
  if (answer.ok) return said as T
  throw await refusalOf(answer.status, said)
}
