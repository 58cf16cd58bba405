/** Opens a server on an address: also on machines without IPv6, and with a message that says what to do where it cannot. */
import type { AddressInfo, Server } from 'node:net'
import { GatehouseError } from './errors.ts'

export interface Address {
  /** `::` is all addresses, also of IPv4. */
  host: string
  /** 0: any free port. */
  port: number
  /** Returns the message for an error code such as EADDRINUSE; undefined to throw the error itself. */
  explain: (code: string) => string | undefined
}

/**
 * @returns the port
 * @throws GatehouseError with what `explain` says
 */
export async function listen(server: Server, address: Address): Promise<number> {
  await bind(
    (host) =>
      new Promise<void>((resolve, reject) => {
        // Stays when the server listens: a connection that cannot be accepted later (EMFILE) must not end the process.
        server.on('error', reject)
        server.listen({ host, port: address.port }, resolve)
      }),
    address,
  )
  return (server.address() as AddressInfo).port
}

/** The same for a library that opens its own server. @param attempt rejects with the error of the system */
export async function bind(
  attempt: (host: string) => Promise<unknown>,
  { host, explain }: Pick<Address, 'host' | 'explain'>,
): Promise<void> {
  try {
    await attempt(host)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'EAFNOSUPPORT' && host === '::') return bind(attempt, { host: '0.0.0.0', explain })
    const message = explain(code)
    throw message === undefined ? error : new GatehouseError('internal', message, { cause: error })
  }
}

/** @param setting what moves the port */
export function portAdvice(port: number, setting: string): (code: string) => string | undefined {
  const advice: Record<string, string> = {
    EADDRINUSE: `Port ${port} is in use: stop what uses it, or set ${setting} to another port.`,
    EACCES: `Port ${port} needs a privilege: set ${setting} to a port above 1023.`,
  }
  return (code) => advice[code]
}

/** A host name or an address as a URL has it: an IPv6 address in brackets. */
export function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
