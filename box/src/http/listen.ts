/** Opens the port of a Fastify listener. */
import type { AddressInfo } from 'node:net'
import { bind, portAdvice } from '../listen.ts'
import type { App } from './app.ts'

/**
 * @returns the port: the given one, or a free one for 0
 * @throws GatehouseError that names the port and the setting that changes it
 */
export async function listen(app: App, options: { host: string; port: number; setting: string }): Promise<number> {
  const { port, setting } = options
  // For this name Fastify would open a server for each address, and renewed certificates reach only the first.
  const host = options.host === 'localhost' ? '127.0.0.1' : options.host
  await bind((address) => app.listen({ host: address, port }), { host, explain: portAdvice(port, setting) })
  return (app.server.address() as AddressInfo).port
}
