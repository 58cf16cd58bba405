/**
 * The admin token: in the Authorization header, or in the query for browsers that cannot set one. It is the only
 * credential and no browser sends it by itself, as it would a cookie: a foreign page, also one that rebinds its name to this
 * address, can ask but not show it. So neither Host nor Origin decides anything here.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** 256 bits, in characters that need no escape in a URL. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

export function tokenCheck(token: string): (request: IncomingMessage, query: URLSearchParams) => boolean {
  const expected = digest(token)
  // Hashed first: equal lengths whatever came, and a comparison that takes the same time for every wrong token.
  const matches = (given: string) => timingSafeEqual(digest(given), expected)
  return ({ headers }, query) => {
    const [, bearer = ''] = /^Bearer +([\x21-\x7e]+)$/i.exec(headers.authorization ?? '') ?? []
    // Both are compared whatever the first one gives.
    const byHeader = matches(bearer)
    const byQuery = matches(query.get('token') ?? '')
    return byHeader || byQuery
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
