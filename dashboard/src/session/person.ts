/** Signing in as a person, giving the PIN again, and the lock of a screen that nobody uses. */
import { STAFF_ROLES, type StaffRole } from '@gatehouse/proto/operations.ts'
import type { NewSession } from '@gatehouse/proto/wire/staff.ts'
import type { Forms } from '../widgets/forms.ts'
import { words } from '../words/words.ts'
import { Refused, refusalOf } from './answered.ts'

const say = words.session.person
/** A viewer's screen may hang on a wall: it is not locked. */
const LOCK_AFTER_MS = 10 * 60_000
const LOOK_EVERY_MS = 10_000

/** A stored role; null for anything else. */
export function cleanRole(text: string): StaffRole | null {
  return STAFF_ROLES.find((role) => role === text) ?? null
}

/** The header of HTTP Basic (RFC 7617) with UTF-8. */
export function basic(name: string, secret: string): string {
  return `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`${name.trim()}:${secret}`)))}`
}

/** @throws Refused with what is wrong */
export async function openPersonSession(baseUrl: string, name: string, secret: string): Promise<NewSession> {
  if (name.trim() === '' || secret === '') throw new Refused('bad_request', 0, say.empty)
  const headers = { authorization: basic(name, secret) }
  const answer = await fetch(new URL('/v1/admin/session', baseUrl), { method: 'POST', headers }).catch(() => {
    throw new Refused('unreachable', 0, words.session.unreachable)
  })
  const body: unknown = await answer.json().catch(() => undefined)
  if (answer.ok) return body as NewSession
  throw answer.status === 401 ? new Refused('bad_token', 401, say.wrong) : refusalOf(answer.status, body)
}

/** Tells the box; a session whose box is away ends there by itself. */
export function endPersonSession(baseUrl: string, token: string): void {
  const headers = { authorization: `Bearer ${token}` }
  void fetch(new URL('/v1/admin/session/end', baseUrl), { method: 'POST', headers, keepalive: true }).catch(
    () => undefined,
  )
}

/** True if the box asks for the PIN once more. */
export async function isUnconfirmed(response: Response): Promise<boolean> {
  if (response.status !== 403) return false
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined)
  return (body as { code?: unknown } | undefined)?.code === 'confirm_needed'
}

/** Asks for the PIN. @returns false when the question was closed */
export async function askToConfirm(forms: Forms, name: string, baseUrl: string, token: string): Promise<boolean> {
  const given = await forms.ask({
    title: say.confirmTitle,
    text: say.confirmText(name),
    submit: say.confirm,
    fields: [{ name: 'secret', label: say.secret, kind: 'secret', required: true, maxLength: 128 }],
    send: async ({ secret = '' }) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const answer = await fetch(new URL('/v1/admin/session/confirm', baseUrl), {
        method: 'POST',
        headers,
        body: JSON.stringify({ secret }),
      })
      if (!answer.ok) throw refusalOf(answer.status, await answer.json().catch(() => undefined))
    },
  })
  return given !== null
}

/** Calls `lock` when nobody has touched the screen for ten minutes. @param mayLock whether somebody is signed in whose screen is locked */
export function lockWhenIdle(mayLock: () => boolean, lock: () => void): void {
  let usedAt = performance.now()
  const use = () => {
    usedAt = performance.now()
  }
  for (const event of ['pointerdown', 'keydown', 'wheel'] as const) addEventListener(event, use, { passive: true })
  setInterval(() => {
    if (!mayLock()) use()
    else if (performance.now() - usedAt >= LOCK_AFTER_MS) lock()
  }, LOOK_EVERY_MS)
}
