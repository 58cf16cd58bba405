/** The effective configuration, with defaults and environment, and without secrets: `changefeed print-config`. */

import { stringify } from 'yaml'
import { hostInUrl } from '../../listen.ts'
import type { FeedConfig } from './config.ts'

const HIDDEN = '(hidden)'

export function printConfig({ server, stateDir, logLevel, source, sinks }: FeedConfig): string {
  const { host, port, ...rest } = server
  const listen = `${hostInUrl(host)}:${port}`
  const shown = sinks.map(({ from, kind: _, ...sink }) => {
    const { id, name, ...others } = sink
    return { id, name, ...(/^(grpc|webhook|event-stream)$/.test(from) ? { kind: from } : { plugin: from }), ...others }
  })
  return stringify(withoutSecrets({ server: { listen, ...rest }, stateDir, logLevel, source, sinks: shown }), {
    lineWidth: 0,
    aliasDuplicateObjects: false,
  })
}

function withoutSecrets(value: unknown, key = ''): unknown {
  if (value === undefined || value === null) return undefined
  // Keys that name a file or a variable do not match: those names are no secrets.
  if (/(token|secret|passw\w*|headers)$/i.test(key)) return HIDDEN
  if (typeof value === 'string' && /url$/i.test(key)) {
    const url = URL.parse(value)
    return url ? `${url.protocol}//${url.host}/${HIDDEN}` : HIDDEN
  }
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item))
  if (typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutSecrets(inner, name)]))
}
