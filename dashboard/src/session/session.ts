/** The session of this tab: the admin token of the box, and the name that every action is recorded with. */
import { type GatehouseClient, gatehouseClient } from '@gatehouse/proto/client.ts'
import { mayUse, type OperationId, type StaffRole } from '@gatehouse/proto/operations.ts'
import type { NewSession } from '@gatehouse/proto/wire/staff.ts'
import { type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { Forms } from '../widgets/forms.ts'
import { loadLate } from '../words/late.ts'
import { words } from '../words/words.ts'
import { answered, Refused } from './answered.ts'
import { rememberName } from './known-names.ts'
import { cleanRole, lockWhenIdle } from './person.ts'
import { cleanActor, cleanToken, kept } from './stored.ts'
import type { SessionEnd } from './whose-file.ts'

export interface Session {
  /** The token that the box took; null for nobody. */
  token: ReadonlySignal<string | null>
  /** Role of the person who has signed in; null with the admin token, which may do everything. */
  role: ReadonlySignal<StaffRole | null>
  /** True if the role has an operation: what the box would refuse is not offered. */
  may(operation: OperationId): boolean
  /** Name that actions are recorded with; null until somebody gave one. */
  actor: ReadonlySignal<string | null>
  /** Reason for a sign-out that nobody asked for. */
  signedOutBecause: ReadonlySignal<string | null>
  /** The box that this page came from. */
  client: GatehouseClient
  /** fetch with the token, to this box alone; a 401 ends the session. For what the typed client cannot do: streams; with `send`, files. */
  boxFetch(
    input: string | Request,
    init?: RequestInit,
    send?: (request: Request) => Promise<Response>,
  ): Promise<Response>
  /**
   * Tries the token, and keeps it when the box takes it.
   * @throws Refused with what is wrong
   */
  signIn(typed: string): Promise<void>
  /** Signs in as a person: what they may do is their role, and their name is the record's. @throws Refused with what is wrong */
  signInAs(name: string, secret: string): Promise<void>
  /** The code of a link that pairs this device, until it is used or refused. */
  pairing: Signal<string | null>
  /** Takes over the session that the box has opened. @param paired it is bound to the key of this device */
  enter(opened: NewSession, paired?: boolean): void
  /**
   * Forgets token and name, and closes every open question. A paired device stays paired: its person goes on with the PIN.
   * @param notice the reason, for the sign-in page
   * @param end default `left`. It decides whether a ticket file that this browser keeps stays
   */
  signOut(notice?: string | null, end?: SessionEnd): void
  /** The name to act in: asked for once a session. @throws Dismissed when the question is closed */
  withActor(): Promise<string>
  /** Asks who sits here now. @throws Dismissed when the question is closed: then it is who it was */
  changeActor(): Promise<string>
}

/** Nobody wanted to say who they are: nothing was done. */
export class Dismissed extends Error {
  override readonly name = 'Dismissed'
}

// Their sentences come late, as they do.
const byName = () => loadLate().then(() => import('./by-name.ts'))
const confirming = () => loadLate().then(() => import('./confirm.ts'))
// Where it does not load, the next start of the app forgets what is too old.
const whoseFile = () => import('./whose-file.ts').catch(() => undefined)
const HOUR_MS = 3_600_000

/** As this tab has stored it. @param baseUrl of the box */
export function openSession(baseUrl: string, forms: Forms): Session {
  const keptToken = kept('gatehouse-admin-token', cleanToken)
  const keptActor = kept('gatehouse-actor', cleanActor)
  const token = signal(keptToken.read())
  const actor = signal(keptActor.read())
  const keptRole = kept('gatehouse-role', cleanRole)
  const role = signal(keptRole.read() as StaffRole | null)
  const keptPaired = kept('gatehouse-tablet', cleanToken)
  const isPaired = () => keptPaired.read() !== null
  const signedOutBecause = signal<string | null>(null)
  let reads = new AbortController()

  /** Answered after the session has ended, each read would be refused. */
  const callOffReads = () => {
    reads.abort()
    reads = new AbortController()
  }

  const end = (ended: string) => {
    void byName().then(({ endPersonSession }) => endPersonSession(baseUrl, ended))
  }

  const signOut = (notice: string | null = null, ended: SessionEnd = 'left') => {
    const { value } = token
    // Whoever was refused reads why.
    if (ended !== 'refused') callOffReads()
    if (role.value !== null && value !== null && !isPaired()) end(value)
    keptToken.write(null)
    keptActor.write(null)
    keptRole.write(null)
    keptPaired.write(null)
    role.value = null
    // Left open, it would be answered by whoever comes next, in the name of whoever has gone.
    forms.dismiss()
    // It names people.
    void whoseFile().then((file) => file?.fileAtSignOut(ended, Date.now()))
    signedOutBecause.value = notice
    actor.value = null
    token.value = null
  }

  const boxFetch: Session['boxFetch'] = async (input, init, send = fetch) => {
    const given = new Request(typeof input === 'string' ? new URL(input, baseUrl) : input, init)
    const signal = AbortSignal.any([given.signal, reads.signal])
    const request = given.method === 'GET' ? new Request(given, { signal }) : given
    const sent = token.value
    if (sent !== null) request.headers.set('authorization', `Bearer ${sent}`)
    // A file is sent once: whoever sends it gives the PIN, and presses again.
    const again = role.value !== null && send === fetch ? request.clone() : null
    // Signing is code that most pages never need.
    const response = await send(isPaired() ? await (await import('./tablet/signing.ts')).signed(request) : request)
    // Only for the token that it was about: another may have been typed meanwhile.
    if (response.status === 401 && sent !== null && sent === token.value) signOut(words.session.tokenRefused, 'refused')
    if (sent === null || role.value === null || response.status !== 403) return response
    const { askToConfirm, isUnconfirmed } = await confirming()
    if (!(await isUnconfirmed(response))) return response
    const isGiven = await askToConfirm(forms, actor.value ?? '', boxFetch)
    return isGiven && again ? boxFetch(again) : response
  }

  const signInAs = async (name: string, secret: string) => {
    const opened = await (await byName()).openPersonSession(baseUrl, name, secret)
    rememberName(opened.person.name)
    enter(opened)
  }

  const enter = (opened: NewSession, paired = false) => {
    const before = role.value === null || isPaired() ? null : token.value
    void whoseFile().then((file) => file?.fileAtSignIn(opened.person.name, Date.now()))
    keptPaired.write(paired ? opened.session : null)
    keptToken.write(opened.token)
    keptActor.write(opened.person.name)
    keptRole.write(opened.person.role)
    signedOutBecause.value = null
    actor.value = opened.person.name
    role.value = opened.person.role
    token.value = opened.token
    if (before !== null) end(before)
  }

  /** Somebody else takes over the screen; whoever was signed in is signed out. */
  const changePerson = async () => {
    if (!(await (await byName()).askWho(forms, signInAs))) throw new Dismissed()
    return actor.value ?? ''
  }

  const changeActor = async () => {
    if (role.value !== null) return changePerson()
    const name = await (await byName()).askActor(forms, actor.value ?? '')
    if (!name) throw new Dismissed()
    keptActor.write(name)
    actor.value = name
    return name
  }

  lockWhenIdle(
    () => role.value !== null && role.value !== 'viewer',
    () => signOut(words.session.person.locked, 'locked'),
  )
  // The screens of the file may never be opened again, and a page in the control room stays open for days.
  const forgetOld = () => void whoseFile().then((file) => file?.fileAtAnyTime(Date.now()))
  forgetOld()
  setInterval(forgetOld, HOUR_MS)

  return {
    token,
    role,
    may: (operation) => mayUse(role.value ?? 'admin', operation),
    signInAs,
    pairing: signal(null),
    enter,
    actor,
    signedOutBecause,
    client: gatehouseClient({ baseUrl, fetch: (request) => boxFetch(request) }),
    boxFetch,
    async signIn(typed) {
      const candidate = cleanToken(typed)
      if (candidate === null) throw new Refused('bad_token', 0, words.session.noToken)
      const trial = gatehouseClient({ baseUrl, token: candidate })
      await answered(trial.GET('/v1/admin/holds')).catch((error) => {
        throw error.status === 401 ? new Refused('bad_token', 401, words.session.wrongToken) : error
      })
      // A new admin token of somebody who is signed in is no sign-in.
      if (token.value === null) void whoseFile().then((file) => file?.fileAtSignIn(null, Date.now()))
      keptToken.write(candidate)
      signedOutBecause.value = null
      token.value = candidate
    },
    signOut,
    withActor: async () => actor.value ?? changeActor(),
    changeActor,
  }
}
