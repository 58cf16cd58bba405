/** The receiver of the shop's changes, without a shop: strangers who knock. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { connect } from 'node:tls'
import { createLogger } from '../../src/log.ts'
import { openReceiver } from '../../src/shop/receiver.ts'
import { makeAuthority } from '../world/certificates.ts'
import { until } from '../world/until.ts'

it('strangers at the port of the shop leave a few lines in the log, however many they are', async () => {
  const authority = await makeAuthority('event')
  const { key, cert } = await authority.issue('box', [{ type: 'ip', value: '127.0.0.1' }])
  const scanner = await authority.issue('a scanner, whose certificate is no shop’s')
  const lines: string[] = []
  let asked = 0
  await using receiver = await openReceiver({
    host: '127.0.0.1',
    port: 0,
    authority: authority.ca,
    sourceOf: () => {
      asked++
      return undefined
    },
    deliveries: { deliver: async () => {}, load: async () => {} } as never,
    logger: createLogger('info', { write: (line) => void lines.push(line) }),
  })
  receiver.show({ key, cert } as never)
  const knock = async (shown: object) => {
    const socket = connect({
      host: '127.0.0.1',
      port: receiver.port,
      ca: authority.ca,
      ALPNProtocols: ['h2'],
      ...shown,
    })
    socket.on('error', () => {}).resume()
    await new Promise((resolve) => socket.once('close', resolve))
  }
  for (let i = 0; i < 40; i++) await knock(i % 2 === 0 ? {} : scanner)
  await until(() => asked === 20)
  assert.ok(lines.length >= 1 && lines.length <= 6, `${lines.length} lines`)
  assert.ok(lines.every((line) => JSON.parse(line).event === 'shop_refused'))
  assert.equal(receiver.connected().size, 0)
})
