/**
 * The admin token, in the Authorization header, or in the query for browsers that cannot set one. It is the only credential,
 * and unlike a cookie no browser sends it by itself: a foreign page, even one that rebinds its name to this address, can make
 * requests but not show it. So neither Host nor Origin is checked here.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** 256 random bits, in characters that need no escape in a URL. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

export function tokenCheck(token: string): (request: IncomingMessage, query: URLSearchParams) => boolean {
  const expected = digest(token)
  // Digests have equal lengths, so that the comparison takes the same time for every wrong token.
  const matches = (given: string) => timingSafeEqual(digest(given), expected)
  return ({ headers }, query) => {
    const [, bearer = ''] = /^Bearer +([\x21-\x7e]+)$/i.exec(headers.authorization ?? '') ?? []
    // Both are compared, whatever the first comparison gives.
    const byHeader = matches(bearer)
    const byQuery = matches(query.get('token') ?? '')
    return byHeader || byQuery
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
