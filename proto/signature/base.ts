/**
 * The signature base (RFC 9421, 2.5): the bytes that a signature of a request covers, one line for each covered component. The
 * signer and the verifier both build it from the request, so both must read the request in the same way.
 */
import { type InnerList, parseDictionary, serializeInnerList } from 'structured-headers'

export type SignableRequest = {
  method: string
  /** Absolute, http or https. When verifying: as it was requested, byte for byte; see `requestedUrl`. */
  url: string
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
  /** The bytes on the wire, before any decoding. Absent or empty for a request without a body. */
  body?: Uint8Array
}

// Several times what a legitimate client sends; the parser walks character by character.
const LONGEST_HEADER = 4096

/** Reason why a component cannot be covered, for the author of the client. */
export type Uncoverable = { malformed: string }

export function signatureBase(
  request: Pick<SignableRequest, 'method' | 'url'>,
  fields: ReadonlyMap<string, string>,
  input: InnerList,
): string | Uncoverable {
  const derived = derivedComponents(request)
  if (!derived) return { malformed: 'url' }
  const lines: string[] = []
  const names = new Set<string>()
  for (const [name, params] of input[0]) {
    // `;sf`, `;bs`, `;key`, `;req` and `;tr` change what a name stands for, and no client of the box needs them.
    if (typeof name !== 'string' || params.size > 0) return { malformed: 'a component with parameters' }
    if (names.has(name)) return { malformed: 'a component covered twice' }
    names.add(name)
    const value = name.startsWith('@') ? derived.get(name) : fields.get(name)
    if (value === undefined) return { malformed: 'a covered component that the request does not have' }
    // A line break inside a value would let it pose as the next line of the base.
    if (!/^[\t\x20-\x7e]*$/.test(value)) return { malformed: 'a covered component that is not ASCII' }
    lines.push(`"${name}": ${value}`)
  }
  lines.push(`"@signature-params": ${serializeInnerList(input)}`)
  return lines.join('\n')
}

// The URL is split by hand and never normalised: the router sees the bytes that were sent, so these must be the bytes that were
// signed. A URL parser would treat `/v1/x/../scan` and `/v1/scan` as the same.
const URL_PARTS = /^(https?):\/\/([^/?#\s]+)(\/[^?#\s]*)?(\?[^#\s]*)?$/

/** The components that come from the request line (RFC 9421, 2.2). */
function derivedComponents({ method, url }: Pick<SignableRequest, 'method' | 'url'>): Map<string, string> | undefined {
  const parts = URL_PARTS.exec(url)
  if (!parts) return undefined
  const [, scheme = '', host = '', path = '/', query = ''] = parts
  const authority = host.toLowerCase().replace(scheme === 'https' ? /:443$/ : /:80$/, '')
  return new Map([
    ['@method', method],
    ['@scheme', scheme],
    ['@authority', authority],
    ['@target-uri', `${scheme}://${authority}${path}${query}`],
    ['@request-target', path + query],
    ['@path', path],
    ['@query', query || '?'],
  ])
}

/**
 * The URL that a server was asked for, from its Host header and request target. Undefined when either is malformed: a
 * Host of `box/v1/open?` would otherwise move the boundary between authority and path.
 */
export function requestedUrl(scheme: 'http' | 'https', host: string | undefined, target: string): string | undefined {
  if (!host || !/^[A-Za-z0-9.\-_[\]:]+$/.test(host)) return undefined
  const url = `${scheme}://${host}${target}`
  return target.startsWith('/') && URL_PARTS.test(url) ? url : undefined
}

/** Header fields by lower-case name; several lines of one field are joined as RFC 9421, 2.1 prescribes. */
export function fieldsOf(headers: SignableRequest['headers']): Map<string, string> {
  const fields = new Map<string, string>()
  for (const [name, value] of Symbol.iterator in headers ? headers : Object.entries(headers)) {
    if (value === undefined) continue
    const lines = typeof value === 'string' ? [value] : value
    fields.set(name.toLowerCase(), lines.map(trimOptionalWhitespace).join(', '))
  }
  return fields
}

/** Space and tab only: `trim` would also drop a no-break space, and so make two different headers one. */
function trimOptionalWhitespace(line: string): string {
  let start = 0
  let end = line.length
  while (start < end && (line[start] === ' ' || line[start] === '\t')) start++
  while (end > start && (line[end - 1] === ' ' || line[end - 1] === '\t')) end--
  return line.slice(start, end)
}

/** A header field that is a dictionary (RFC 9651, 3.2). Undefined where there is none, or none that parses. */
export function dictionaryIn(header: string | undefined): ReturnType<typeof parseDictionary> | undefined {
  if (header === undefined || header.length > LONGEST_HEADER) return undefined
  try {
    return parseDictionary(header)
  } catch {
    return undefined
  }
}
