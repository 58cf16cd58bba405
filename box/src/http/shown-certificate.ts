/** TLS options of a port that shows the certificates of HTTPS: the name that the caller asks for decides which one. */
import { createSecureContext, type SecureContext, type SecureContextOptions, type TlsOptions } from 'node:tls'
import type { CertifiedKey } from '../ca/server-identity.ts'
import type { Certificates } from './certificates.ts'
import { OWN_CERTIFICATE } from './own-certificate.ts'

type Shown = Pick<CertifiedKey, 'key' | 'cert'>

/** A renewed certificate of HTTPS is set by whoever opens the port: see `Certificates.follow`. */
export function httpsOptions(certificates: Certificates): TlsOptions {
  const publicContext = newestContext()
  const contextFor = (name: string): SecureContext | undefined => {
    // A box that joins trusts only the event's authority.
    if (name === OWN_CERTIFICATE) return createSecureContext(contextOf(certificates.own))
    const { current, name: publicName } = certificates.public ?? {}
    if (!current || name.toLowerCase() !== publicName) return undefined
    try {
      return publicContext(current)
    } catch {
      // A certificate that OpenSSL does not take must not end the handshake: the box's own is shown.
      return undefined
    }
  }
  const byName = (name: string, show: (error: null, context?: SecureContext) => void) => show(null, contextFor(name))
  const isNamed = certificates.hasOrganisers || certificates.public !== undefined
  return { ...contextOf(certificates.https), ...(isNamed && { SNICallback: byName }) }
}

/** Reading a key takes a board a millisecond: once for each certificate, and not for each phone. */
function newestContext(): (shown: Shown) => SecureContext {
  let last: { cert: string; context: SecureContext } | undefined
  return (shown) => {
    if (last?.cert !== shown.cert) last = { cert: shown.cert, context: createSecureContext(contextOf(shown)) }
    return last.context
  }
}

export function contextOf({ key, cert }: Shown): SecureContextOptions {
  return { key, cert, minVersion: 'TLSv1.2' }
}
