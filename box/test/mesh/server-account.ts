import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect, type NatsConnection } from '@nats-io/transport-node'

/**
 * Connects to the nats-server of a machine, with what its configuration says: whoever has the machine can.
 *
 * @throws while the server is not up
 */
export async function connectToServerOf(dataDir: string, user: 'mesh' | 'urgent'): Promise<NatsConnection> {
  const folder = join(dataDir, 'nats')
  const configuration = readFileSync(join(folder, 'nats.conf'), 'utf8')
  const pass = new RegExp(`user: "${user}", password: "([^"]+)"`).exec(configuration)?.[1]
  const ports = readdirSync(join(folder, 'ports')).map((name) => readFileSync(join(folder, 'ports', name), 'utf8'))
  const port = /"nats":\s*\[\s*"nats:\/\/127\.0\.0\.1:(\d+)"/.exec(ports.join())?.[1]
  if (!pass || !port) throw new Error(`no nats-server runs in ${folder}`)
  const reconnect = { reconnect: true, maxReconnectAttempts: -1, reconnectTimeWait: 100 }
  // Its own messages do not count as heard.
  return connect({ servers: `127.0.0.1:${port}`, user, pass, ...reconnect, ignoreAuthErrorAbort: true, noEcho: true })
}
