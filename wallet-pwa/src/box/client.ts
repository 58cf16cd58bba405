/** The requests of the wallet to the box, and the ways in which each can end. Nothing here throws. */
import { gatehouseClient } from '@gatehouse/proto/client.ts'
import { reimporting } from '@gatehouse/proto/ui/reimport.ts'
import type { Announcement, TicketView } from '@gatehouse/proto/wire/attendee.ts'
import { areAnnouncements, isPlan, isTicketView, type KeptPlan } from '../store/kept.ts'
import type { TicketKey } from '../wallet/ed25519.ts'

/**
 * The reasons for a missing answer. `unreachable`: no network, no box, or something else answered in its place. `unknown`: no such
 * ticket. `elsewhere`: another phone has claimed it. `busy`: asked too often. `refused`: the box said no to the request.
 */
export type Trouble = 'unreachable' | 'unknown' | 'elsewhere' | 'busy' | 'refused'

export type Answer<T> = { ok: true; value: T } | { ok: false; trouble: Trouble }

export interface NearbyQuestion {
  stepFree: boolean
  /** Id of a checkpoint; null for the one where the ticket was last scanned. */
  from: string | null
}

export interface Box {
  /** Unix ms. */
  time(): Promise<Answer<number>>
  ticket(id: string, key?: TicketKey): Promise<Answer<TicketView>>
  claim(id: string, key: TicketKey): Promise<Answer<true>>
  /** The amenities as they came: the caller checks them. */
  nearby(id: string, question: NearbyQuestion, key?: TicketKey): Promise<Answer<unknown>>
  announcements(): Promise<Answer<Announcement[]>>
  /** Null when `etag` is still the plan's. */
  venue(etag: string | null): Promise<Answer<KeptPlan | null>>
}

export interface BoxDeps {
  /** `https://host:port` */
  baseUrl: string
  fetch: (request: Request) => Promise<Response>
  /** Unix ms by the box, as far as this phone knows. */
  now: () => number
  nonce: () => string
}

const loadSigning = reimporting(() => import('./signing.ts'))

/** With a slower network, the wallet shows what it has stored and asks the box again later. */
const PATIENCE_MS = 10_000

export function boxAt({ baseUrl, fetch, now, nonce }: BoxDeps): Box {
  // Safari before 16 has no AbortSignal.timeout: there a request lasts for as long as the browser lets it.
  const patient = (request: Request) =>
    fetch(new Request(request, { signal: AbortSignal.timeout?.(PATIENCE_MS) ?? null }))
  const client = gatehouseClient({ baseUrl, fetch: patient })
  const signing = (key: TicketKey | undefined) =>
    key && {
      fetch: async (request: Request) => patient(await (await loadSigning()).signedBy(key, request, now(), nonce())),
    }
  return {
    time: () =>
      answer(
        () => client.GET('/v1/time', { cache: 'no-store' }),
        (data) => numberOr(Date.parse(data?.now ?? '')),
      ),
    ticket: (id, key) =>
      answer(
        () => client.GET('/v1/ticket/{id}', { params: { path: { id } }, ...signing(key) }),
        (data) => (isTicketView(data) ? data : undefined),
      ),
    claim: (id, key) =>
      answer(
        async () => {
          const body = await (await loadSigning()).claimBody(id, key)
          return client.POST('/v1/ticket/{id}/claim', { params: { path: { id } }, body })
        },
        (data) => (data?.claimed === true ? true : undefined),
      ),
    nearby: (id, { stepFree, from }, key) =>
      answer(
        () =>
          client.GET('/v1/ticket/{id}/nearby', {
            params: { path: { id }, query: { ...(stepFree && { step_free: true }), ...(from !== null && { from }) } },
            ...signing(key),
          }),
        (data): unknown => data?.amenities,
      ),
    announcements: () =>
      answer(
        () => client.GET('/v1/announcements', { cache: 'no-store' }),
        (data) => (areAnnouncements(data?.announcements) ? data.announcements : undefined),
      ),
    venue: (etag) =>
      answer<unknown, KeptPlan | null>(
        () =>
          client.GET('/v1/venue', { cache: 'no-store', ...(etag !== null && { headers: { 'if-none-match': etag } }) }),
        (plan, { status, headers }) =>
          status === 304 ? null : isPlan(plan) ? { etag: headers.get('etag'), plan } : undefined,
      ),
  }
}

/** @param read returns undefined for an answer that is not a box's: the page of a captive portal, for example */
async function answer<D, T>(
  ask: () => Promise<{ data?: D; response: Response }>,
  read: (data: D | undefined, response: Response) => T | undefined,
): Promise<Answer<T>> {
  try {
    const { data, response } = await ask()
    if (!response.ok && response.status !== 304)
      return { ok: false, trouble: TROUBLE[response.status] ?? 'unreachable' }
    const value = read(data, response)
    return value === undefined ? { ok: false, trouble: 'unreachable' } : { ok: true, value }
  } catch {
    return { ok: false, trouble: 'unreachable' }
  }
}

const TROUBLE: Readonly<Record<number, Trouble>> = {
  400: 'refused',
  403: 'elsewhere',
  404: 'unknown',
  409: 'elsewhere',
  429: 'busy',
}

function numberOr(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined
}
