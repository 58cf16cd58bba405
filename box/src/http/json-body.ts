/** Reads the body of a request as JSON: valid UTF-8, bounded in depth, without half characters. */
import { GatehouseError } from '../errors.ts'

/** Levels of arrays and objects in a body. The deepest message has about ten. */
const MOST_DEPTH = 32
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Refuses invalid UTF-8: a decoder that replaces it would give two different bodies the same meaning. */
export function parseJson(body: Buffer): unknown {
  let text: string
  try {
    text = utf8.decode(body)
  } catch (cause) {
    throw new GatehouseError('bad_request', 'The body is not valid UTF-8: update the app that sent it.', { cause })
  }
  if (isDeeperThan(MOST_DEPTH, body)) {
    throw new GatehouseError('bad_request', 'The body is nested too deeply: update the app that sent it.')
  }
  try {
    // Half a surrogate pair can only come from an escape. Most bodies have none, so scans skip the search.
    return /\\ud[89a-f]/i.test(text) ? JSON.parse(text, refuseHalfCharacters) : JSON.parse(text)
  } catch (cause) {
    throw new GatehouseError('bad_request', 'The body is not valid JSON: update the app that sent it.', { cause })
  }
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c]

/** True if brackets outside of strings are nested deeper. Valid JSON or not: it is looked at before it is parsed. */
function isDeeperThan(most: number, body: Buffer): boolean {
  let depth = 0
  let inString = false
  for (let i = 0; i < body.length; i++) {
    const byte = body[i]
    if (inString) {
      if (byte === BACKSLASH) i++
      else if (byte === QUOTE) inString = false
    } else if (byte === QUOTE) inString = true
    else if (byte === 0x5b || byte === 0x7b) {
      if (++depth > most) return true
    } else if (byte === 0x5d || byte === 0x7d) depth--
  }
  return false
}

function refuseHalfCharacters(key: string, value: unknown): unknown {
  if (key.isWellFormed() && (typeof value !== 'string' || value.isWellFormed())) return value
  throw new SyntaxError('A lone surrogate (RFC 8259, 8.2)')
}
