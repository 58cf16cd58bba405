/** Signing in with name and PIN, saying a name beside the admin token, and signing out: loaded when somebody does. */
import type { NewSession } from '@gatehouse/proto/wire/staff.ts'
import type { Forms } from '../widgets/forms.ts'
import { signInWords } from '../words/late.ts'
import { words } from '../words/words.ts'
import { Refused, refusalOf } from './answered.ts'
import { knownNames } from './known-names.ts'
import { cleanActor } from './stored.ts'

const say = words.session.person

/** The header of HTTP Basic (RFC 7617) with UTF-8. */
export function basic(name: string, secret: string): string {
  return `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`${name.trim()}:${secret}`)))}`
}

/** @throws Refused with what is wrong */
export async function openPersonSession(baseUrl: string, name: string, secret: string): Promise<NewSession> {
  if (name.trim() === '' || secret === '') throw new Refused('bad_request', 0, signInWords.empty)
  const headers = { authorization: basic(name, secret) }
  const answer = await fetch(new URL('/v1/admin/session', baseUrl), { method: 'POST', headers }).catch(() => {
    throw new Refused('unreachable', 0, words.session.unreachable)
  })
  const body: unknown = await answer.json().catch(() => undefined)
  if (answer.ok) return body as NewSession
  throw answer.status === 401 ? new Refused('bad_token', 401, signInWords.wrong) : await refusalOf(answer.status, body)
}

/** Tells the box; a session whose box is away ends there by itself. */
export function endPersonSession(baseUrl: string, token: string): void {
  const headers = { authorization: `Bearer ${token}` }
  void fetch(new URL('/v1/admin/session/end', baseUrl), { method: 'POST', headers, keepalive: true }).catch(
    () => undefined,
  )
}

/** Asks in whose name the admin token is used. @param known the name that was given before @returns null when the question was closed */
export async function askActor(forms: Forms, known: string): Promise<string | null> {
  const { title, text, label, submit, empty } = words.session.actor
  const given = await forms.ask({
    title,
    text,
    submit,
    fields: [{ name: 'actor', label, value: known, required: true, autocomplete: 'name' }],
    send: async ({ actor = '' }) => {
      if (cleanActor(actor) === null) throw new Refused('bad_request', 0, empty)
    },
  })
  return given && cleanActor(given.actor ?? '')
}

/** Asks who takes over, and signs them in. @returns false when the question was closed */
export async function askWho(
  forms: Forms,
  signInAs: (name: string, secret: string) => Promise<void>,
): Promise<boolean> {
  const given = await forms.ask({
    title: signInWords.changeTitle,
    submit: say.submit,
    fields: [
      { name: 'name', label: say.name, required: true, maxLength: 80, suggestions: knownNames() },
      { name: 'secret', label: say.secret, kind: 'secret', required: true, maxLength: 128 },
    ],
    send: ({ name = '', secret = '' }) => signInAs(name, secret),
  })
  return given !== null
}
