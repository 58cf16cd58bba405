/**
 * The connection to the organiser's pretix: `shop.json` in the data folder, which only the box's own user may read, because it
 * has the token. The mapping, which is no secret, is `pretix.yaml` in the event's folder (`mapping.ts`).
 */

import { X509Certificate } from 'node:crypto'
import { chmod, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { coded } from '@gatehouse/proto/said.ts'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { readIfThere, replaceDurably } from '../../durable-file.ts'
import { PretixApi, type PretixApiOptions } from './api.ts'
import { PretixError } from './errors.ts'

const FILE = 'shop.json'
/** A private authority that was given as a text. */
const AUTHORITY = 'shop-ca.pem'
const slug = Type.String({ pattern: '^[a-zA-Z0-9_.-]{1,100}$' })

export const ShopConnection = Type.Object(
  {
    version: Type.Literal(1),
    shop: Type.Literal('pretix'),
    url: Type.String({ minLength: 1 }),
    organizer: slug,
    event: slug,
    /** Ids of the dates of a series that this box admits to; null for an event without dates. */
    subevents: Type.Union([Type.Null(), Type.Array(Type.Integer(), { minItems: 1, maxItems: 1000 })]),
    token: Type.Object({
      kind: Type.Union([Type.Literal('Token'), Type.Literal('Device')]),
      secret: Type.String({ pattern: '^[\\x21-\\x7e]{8,200}$' }),
    }),
    /** Number of the device in pretix, by which the box knows its own check-ins; null for the token of a team. */
    device: Type.Union([Type.Null(), Type.Integer()]),
    /** Absolute path of a private authority's PEM file; null for the public ones. */
    ca: Type.Union([Type.Null(), Type.String({ minLength: 1 })]),
    /** ISO 8601. */
    connectedAt: Type.String(),
  },
  { additionalProperties: false },
)
export type ShopConnection = Static<typeof ShopConnection>

/** The file of the connection. */
export function connectionPath(dataDir: string): string {
  return join(dataDir, FILE)
}

/**
 * Undefined where no shop is connected. A file that others may read is closed to them.
 * @throws PretixError `refused` for a file that cannot be used; its content is not shown
 */
export async function readConnection(dataDir: string): Promise<ShopConnection | undefined> {
  const path = connectionPath(dataDir)
  const text = await readIfThere(path)
  if (text === undefined) return undefined
  if (((await stat(path)).mode & 0o077) !== 0) await chmod(path, 0o600)
  const value = parsed(text)
  if (Value.Check(ShopConnection, value)) return value
  throw new PretixError(`${path} is damaged: connect the shop again with "gatehouse shop connect".`, {
    kind: 'refused',
    coded: [coded('connection_damaged')],
  })
}

export async function writeConnection(dataDir: string, connection: ShopConnection): Promise<void> {
  await replaceDurably(connectionPath(dataDir), `${JSON.stringify(connection, null, 2)}\n`)
}

/** @returns whether there was one */
export async function removeConnection(dataDir: string): Promise<boolean> {
  const path = connectionPath(dataDir)
  const isThere = (await readIfThere(path)) !== undefined
  await rm(path, { force: true })
  await rm(join(dataDir, AUTHORITY), { force: true })
  return isThere
}

const KEPT = 'shop-token.json'
const KeptToken = Type.Object({
  url: Type.String(),
  token: ShopConnection.properties.token,
  device: ShopConnection.properties.device,
  organizer: Type.Union([Type.Null(), Type.String()]),
  /** Authority that was given with the token: PEM, and the path of its file where it has one. */
  authority: Type.Optional(Type.Object({ pem: Type.String(), path: Type.Union([Type.Null(), Type.String()]) })),
})
type KeptToken = Static<typeof KeptToken>

/** Keeps a device's token until the connection is written, because pretix gives it once. @param kept undefined to remove it */
export async function keepToken(dataDir: string, kept: KeptToken | undefined): Promise<void> {
  const path = join(dataDir, KEPT)
  if (kept === undefined) await rm(path, { force: true })
  else await replaceDurably(path, `${JSON.stringify(kept)}\n`)
}

/**
 * The token for this address, with its authority: of an attempt that ended early, or of the connection that there is.
 * @throws PretixError `refused` where the authority's file cannot be read
 */
export async function keptToken(dataDir: string, url: string): Promise<KeptToken | undefined> {
  const kept = parsed((await readIfThere(join(dataDir, KEPT))) ?? '')
  if (Value.Check(KeptToken, kept) && kept.url === url) return kept
  const connection = await readConnection(dataDir)
  if (connection?.url !== url) return undefined
  const { token, device, organizer, ca } = connection
  return {
    url,
    token,
    device,
    organizer,
    ...(ca !== null && { authority: { pem: await readAuthority(ca), path: ca } }),
  }
}

/**
 * A client of the connected pretix. Dispose it.
 * @throws PretixError `refused` where the authority's file cannot be read
 */
export async function openApi(
  { url, token, ca }: Pick<ShopConnection, 'url' | 'token' | 'ca'>,
  more: Omit<PretixApiOptions, 'url' | 'token' | 'ca'> = {},
): Promise<PretixApi> {
  return new PretixApi({ ...more, url, token, ca: ca === null ? undefined : await readAuthority(ca) })
}

/** PEM of a private authority, in place of the public ones. */
export interface Authority {
  pem: string
  /** Absolute path of its file; null where it has none yet. */
  path: string | null
}

/** @throws PretixError `refused` */
export async function readAuthority(path: string): Promise<string> {
  const pem = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new PretixError(`The authority of pretix cannot be read from ${path} (${cause.code}).`, {
      kind: 'refused',
      coded: [coded('authority_unreadable', { path, why: cause.code ?? cause.name })],
      cause,
    })
  })
  return certificatesIn(pem, path)
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/**
 * The certificates of a PEM text, without anything else that is in it.
 * @param name of the text, for a sentence
 * @throws PretixError `refused`
 */
export function certificatesIn(pem: string, name: string): string {
  const found = pem.match(CERTIFICATE) ?? []
  try {
    for (const one of found) new X509Certificate(one)
    if (found.length > 0) return `${found.join('\n')}\n`
  } catch {
    // No certificate either.
  }
  throw new PretixError(`${name} has no certificate: give the PEM file of the authority that signed pretix's.`, {
    kind: 'refused',
    coded: [coded('authority_missing')],
  })
}

/** Writes an authority that has no file of its own. @returns its path */
export async function writeAuthority(dataDir: string, pem: string): Promise<string> {
  const path = join(dataDir, AUTHORITY)
  await replaceDurably(path, pem)
  return path
}

/** Begins every path of the connected event: `organizers/o/events/e/`. */
export function eventPath({ organizer, event }: Pick<ShopConnection, 'organizer' | 'event'>): string {
  return `organizers/${encodeURIComponent(organizer)}/events/${encodeURIComponent(event)}/`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
