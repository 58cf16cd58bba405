/** Binds a listener, on every address by default: also on machines without IPv6. */
import type { AddressInfo } from 'node:net'
import { GatehouseError } from '../errors.ts'
import type { App } from './app.ts'

/** @returns the port, which is another one than asked for when that was 0 */
export async function listen(app: App, options: { host: string; port: number; setting: string }): Promise<number> {
  const { port, setting } = options
  // Fastify would open a second server for each address of this name, which no renewed certificate reaches.
  const host = options.host === 'localhost' ? '127.0.0.1' : options.host
  try {
    await app.listen({ host, port })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EAFNOSUPPORT' && host === '::') return listen(app, { ...options, host: '0.0.0.0' })
    if (code === 'EADDRINUSE') {
      throw new GatehouseError(
        'internal',
        `Port ${port} is in use: stop what uses it, or set ${setting} to another port.`,
        { cause: error },
      )
    }
    if (code === 'EACCES') {
      throw new GatehouseError('internal', `Port ${port} needs a privilege: set ${setting} to a port above 1023.`, {
        cause: error,
      })
    }
    throw error
  }
  return (app.server.address() as AddressInfo).port
}
