/** Bounds that every listener of ours has to keep. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { ask } from './ask.ts'
import { until } from './until.ts'

/** Fails unless the listener closes further connections once it has `most` of one network, and answers again when those have gone. */
export async function boundsConnections(port: number, most: number): Promise<void> {
  const sockets: Socket[] = []
  const open = async (count: number) => {
    const opened = Array.from({ length: count }, () =>
      connect(port, '127.0.0.1')
        .on('error', () => {})
        .resume(),
    )
    sockets.push(...opened)
    await Promise.all(opened.map((socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')])))
    return opened
  }
  try {
    const held = await open(most)
    const further = await open(10)
    await until(() => further.every(({ destroyed }) => destroyed))
    assert.ok(held.every(({ destroyed }) => !destroyed))
    for (const socket of held) socket.destroy()
    await until(async () => (await ask(port, '/healthz').catch(() => undefined))?.status === 200)
  } finally {
    for (const socket of sockets) socket.destroy()
  }
}
