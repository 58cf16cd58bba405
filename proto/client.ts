/** The typed client of the box's API, for Node and browsers. Its types are generated from the box's own routes. */
import createClient, { type Client } from 'openapi-fetch'
import type { paths } from './gen/openapi.d.ts'

export type { components, paths } from './gen/openapi.d.ts'
export type GatehouseClient = Client<paths>

export interface ClientOptions {
  /** `https://host:port`, without a path. */
  baseUrl: string
  /** Bearer token of a device or of an admin. */
  token?: string
  /** Another fetch: one that shows a client certificate, or signs each request. */
  fetch?: (request: Request) => Promise<Response>
}

/** Answers are `{ data }` or `{ error: { code, message } }`; a box that cannot be reached throws, as fetch does. */
export function gatehouseClient({ baseUrl, token, fetch }: ClientOptions): GatehouseClient {
  return createClient<paths>({
    baseUrl,
    ...(fetch && { fetch }),
    ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
  })
}
