/** The first block of a kind in a PEM text (RFC 7468), its BEGIN and END lines included. Undefined when there is none. */
export function pemBlock(
  text: string,
  kind: 'CERTIFICATE' | 'PRIVATE KEY' | 'CERTIFICATE REQUEST' | 'NEW CERTIFICATE REQUEST',
) {
  return new RegExp(`-----BEGIN ${kind}-----[A-Za-z0-9+/=\\s]+-----END ${kind}-----\\n?`).exec(text)?.[0]
}
