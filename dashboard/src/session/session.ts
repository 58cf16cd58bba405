/** Who uses this dashboard: the admin token of the box, and the name that every action is recorded with. */
import { type GatehouseClient, gatehouseClient } from '@gatehouse/proto/client.ts'
import { type ReadonlySignal, signal } from '@preact/signals'
import { ask, dismissForms } from '../widgets/forms.ts'
import { words } from '../words/en.ts'
import { answered, Refused } from './answered.ts'
import { cleanActor, cleanToken, kept } from './stored.ts'

const keptToken = kept('gatehouse-admin-token', cleanToken)
const keptActor = kept('gatehouse-actor', cleanActor)

const tokenNow = signal(keptToken.read())
const actorNow = signal(keptActor.read())
const noticeNow = signal<string | null>(null)

/** The token that the box took; null for nobody. */
export const token: ReadonlySignal<string | null> = tokenNow
/** Whose name actions are recorded with; null until somebody said. */
export const actor: ReadonlySignal<string | null> = actorNow
/** Why somebody is signed out who did not ask for it. */
export const signedOutBecause: ReadonlySignal<string | null> = noticeNow

/** fetch with the token, to this box alone; a 401 ends the session. For what the typed client cannot do: files, streams. */
export async function boxFetch(input: string | Request, init?: RequestInit): Promise<Response> {
  const request = new Request(typeof input === 'string' ? new URL(input, location.origin) : input, init)
  const sent = tokenNow.value
  if (sent !== null) request.headers.set('authorization', `Bearer ${sent}`)
  const response = await fetch(request)
  // Only for the token that it was about: another may have been typed meanwhile.
  if (response.status === 401 && sent !== null && sent === tokenNow.value) signOut(words.session.tokenRefused)
  return response
}

/** The box that this page came from. */
export const client: GatehouseClient = gatehouseClient({ baseUrl: location.origin, fetch: boxFetch })

/**
 * Tries the token, and keeps it when the box takes it.
 * @throws Refused with what is wrong
 */
export async function signIn(typed: string): Promise<void> {
  const candidate = cleanToken(typed)
  if (candidate === null) throw new Refused('bad_token', 0, words.session.noToken)
  const trial = gatehouseClient({ baseUrl: location.origin, token: candidate })
  await answered(trial.GET('/v1/admin/holds')).catch((error) => {
    throw error.status === 401 ? new Refused('bad_token', 401, words.session.wrongToken) : error
  })
  keptToken.write(candidate)
  noticeNow.value = null
  tokenNow.value = candidate
}

/** Forgets token and name, and every question that was asked of whoever sat here. @param notice what the sign-in page says about it */
export function signOut(notice: string | null = null): void {
  keptToken.write(null)
  keptActor.write(null)
  // Left open, it would be answered by whoever comes next, in the name of whoever has gone.
  dismissForms()
  noticeNow.value = notice
  actorNow.value = null
  tokenNow.value = null
}

/** Nobody wanted to say who they are: nothing was done. */
export class Dismissed extends Error {
  override readonly name = 'Dismissed'
}

/** Who acts: asked once a session. @throws Dismissed when the question is closed */
export async function withActor(): Promise<string> {
  return actorNow.value ?? changeActor()
}

/** Asks who sits here now. @throws Dismissed when the question is closed: then it is who it was */
export async function changeActor(): Promise<string> {
  const { title, text, label, submit, empty } = words.session.actor
  const given = await ask({
    title,
    text,
    submit,
    fields: [{ name: 'actor', label, value: actorNow.value ?? '', required: true, autocomplete: 'name' }],
    send: async ({ actor = '' }) => {
      if (cleanActor(actor) === null) throw new Refused('bad_request', 0, empty)
    },
  })
  const name = given && cleanActor(given.actor ?? '')
  if (!name) throw new Dismissed()
  keptActor.write(name)
  actorNow.value = name
  return name
}
