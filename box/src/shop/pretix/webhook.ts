/**
 * pretix's webhook. A call is not signed and proves nothing, so it only has the box ask pretix earlier. Its address has a secret part:
 * strangers cannot do even that.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Db } from '../../ledger/db.ts'
import { readValue, writeValue } from '../../ledger/identity.ts'
import { isObject } from '../../tickets/import/pretix-json.ts'
import type { ShopConnection } from './connection.ts'

const NAME = 'shop_webhook'

/** The secret part of the address; undefined before somebody has asked for it. */
export function webhookKey(db: Pick<Db, 'drizzle'>): string | undefined {
  return readValue(db, NAME)?.toString('base64url')
}

/** The same, and made where there is none. Within a transaction. */
export function makeWebhookKey(db: Db, random: (size: number) => Buffer = randomBytes): string {
  return webhookKey(db) ?? writeValue(db, NAME, random(16)).toString('base64url')
}

/** True if a call has the key, and is about the connected event. @param body as anybody may have sent it */
export function isForUs(
  call: { key: string; body: unknown },
  own: { key: string | undefined; connection: Pick<ShopConnection, 'organizer' | 'event'> },
): boolean {
  if (own.key === undefined) return false
  const [given, key] = [Buffer.from(call.key), Buffer.from(own.key)]
  if (given.length !== key.length || !timingSafeEqual(given, key)) return false
  const { organizer, event } = own.connection
  return isObject(call.body) && call.body.organizer === organizer && call.body.event === event
}
