/** The gRPC and webhook sinks over TLS: the certificates that they trust, and the one that they present. */
import assert from 'node:assert/strict'
import { randomUUID, X509Certificate } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { ServerCredentials } from '@grpc/grpc-js'
import { Value } from 'typebox/value'
import type { Sink, SinkContext } from '../../src/feed/sink.ts'
import grpc from '../../src/feed/sinks/grpc.ts'
import webhook from '../../src/feed/sinks/webhook.ts'
import { makeAuthority } from '../world/certificates.ts'
import { until } from '../world/until.ts'
import { startReceiver } from './grpc-receiver.ts'
import { EngineFolder } from './running.ts'
import { serve } from './scripted-sink.ts'
import { ScriptedSource, transaction } from './scripted-source.ts'

const CONTEXT = { now: () => Date.now() } as SinkContext

function openGrpc(options: object) {
  return grpc.open(Value.Parse(grpc.options, Value.Default(grpc.options, options)))
}

async function writeCertificates(folder: EngineFolder) {
  const authority = await makeAuthority('receivers')
  const server = await authority.issue('receiver', [
    { type: 'ip', value: '127.0.0.1' },
    { type: 'dns', value: 'receiver.example' },
  ])
  const client = await authority.issue('change feed')
  const stranger = await (await makeAuthority('others')).issue('stranger')
  const write = (name: string, text: string) => {
    const path = join(folder.path, name)
    writeFileSync(path, text)
    return path
  }
  const pair = (name: string, { cert, key }: { cert: string; key: string }) => ({
    cert: write(`${name}.crt`, cert),
    key: write(`${name}.key`, key),
  })
  return {
    server,
    authority: authority.ca,
    ca: write('ca.crt', authority.ca),
    client: pair('client', client),
    stranger: pair('stranger', stranger),
  }
}

/** The outcome of one event: taken, or the last error. */
async function outcome(sink: Sink): Promise<string> {
  // Another folder each time: a sink that was paused stays so.
  using folder = new EngineFolder()
  const source = new ScriptedSource({ log: [transaction(16n, ['x'])], identity: randomUUID() })
  await using engine = folder.engine(source, [serve(sink, { maxAttempts: 2 })])
  await engine.start()
  await until(() => source.slot.confirmed === 24n || engine.stats().sinks[0]?.status === 'paused')
  return engine.stats().sinks[0]?.lastError ?? 'taken'
}

describe('gRPC over TLS', () => {
  it('presents its client certificate when the receiver asks for one', async () => {
    using folder = new EngineFolder()
    const { server, authority, ca, client, stranger } = await writeCertificates(folder)
    const pair = [{ cert_chain: Buffer.from(server.cert), private_key: Buffer.from(server.key) }]
    const credentials = ServerCredentials.createSsl(Buffer.from(authority), pair, true)
    const shown: string[] = []
    await using receiver = await startReceiver(
      (_, call) => {
        const { sslPeerCertificate } = call.getAuthContext()
        shown.push(String(sslPeerCertificate?.subject.CN))
        return { ok: true }
      },
      { credentials },
    )
    const { address, port } = receiver
    assert.equal(await outcome(await openGrpc({ address, ca, ...client })), 'taken')
    assert.deepEqual(shown, ['change feed'])
    assert.match(await outcome(await openGrpc({ address, ca })), /^gRPC UNAVAILABLE: /)
    assert.match(await outcome(await openGrpc({ address, ca, ...stranger })), /^gRPC UNAVAILABLE: /)
    assert.match(await outcome(await openGrpc({ address, ...client })), /^gRPC UNAVAILABLE: .*certificate/)
    assert.match(await outcome(await openGrpc({ address, plaintext: true })), /^gRPC UNAVAILABLE: /)

    const byName = { address: `localhost:${port}`, ca, ...client }
    assert.match(await outcome(await openGrpc(byName)), /^gRPC UNAVAILABLE: .*localhost/)
    assert.equal(await outcome(await openGrpc({ ...byName, serverName: 'receiver.example' })), 'taken')
    assert.equal(shown.length, 2, 'nobody else got through')

    await grpc.check?.({ deadlineMs: 1000, maxMessageBytes: 1e6, plaintext: false, address, ca, ...client } as never)
  })

  it('shows a renewed certificate from the next batch on, and keeps the old one while the new one cannot be read', async () => {
    using folder = new EngineFolder()
    const { server, authority, ca, client } = await writeCertificates(folder)
    const pair = [{ cert_chain: Buffer.from(server.cert), private_key: Buffer.from(server.key) }]
    const shown: string[] = []
    await using receiver = await startReceiver(
      (_, call) => {
        shown.push(String(call.getAuthContext().sslPeerCertificate?.fingerprint256))
        return { ok: true }
      },
      { credentials: ServerCredentials.createSsl(Buffer.from(authority), pair, true) },
    )
    await using sink = await openGrpc({ address: receiver.address, ca, ...client })
    const deliver = () => sink.deliver(transaction(16n, ['x']).events, new AbortController().signal)
    await deliver()
    // One file, and nothing in it yet: what a reader of a file that is not replaced as a whole may see.
    const { cert, key } = { cert: readFileSync(client.cert), key: readFileSync(client.key) }
    writeFileSync(client.key, '')
    await deliver()
    writeFileSync(client.key, key)
    await deliver()
    assert.equal(new Set(shown).size, 1)
    // The receiver's own certificate will do: it is of the same authority.
    writeFileSync(client.cert, server.cert)
    writeFileSync(client.key, server.key)
    await deliver()
    assert.equal(new Set(shown).size, 2)
    assert.equal(shown.at(-1), new X509Certificate(server.cert).fingerprint256)
    assert.notEqual(shown.at(-1), new X509Certificate(cert).fingerprint256)
  })

  it('says what is wrong with its settings, and never falls back to plain text', async () => {
    using folder = new EngineFolder()
    const { ca, client } = await writeCertificates(folder)
    const address = '127.0.0.1:1'
    await assert.rejects(openGrpc({ address, ca, cert: client.cert }), /cert and key go together/)
    await assert.rejects(openGrpc({ address, plaintext: true, ca }), /plaintext is without TLS/)
    await assert.rejects(openGrpc({ address, ca: '/nowhere/ca.crt' }), /ENOENT.*\/nowhere\/ca\.crt/)
    await assert.rejects(openGrpc({ address: 'https://receiver.example' }), /host:port, without http/)
    await assert.rejects(openGrpc({ address, ca, cert: client.key, key: client.cert }))
  })
})

describe('a webhook over TLS', () => {
  it('trusts the configured authority and no other', async () => {
    using folder = new EngineFolder()
    const { server, ca } = await writeCertificates(folder)
    let requests = 0
    const listener = createServer(
      { cert: server.cert, key: server.key },
      async (request: IncomingMessage, response) => {
        requests++
        request.resume()
        response.writeHead(204).end()
      },
    )
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
    await using _closed = { [Symbol.asyncDispose]: async () => void listener.close().closeAllConnections() }
    const url = `https://127.0.0.1:${(listener.address() as AddressInfo).port}/hook?token=secret-of-the-url`
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    const options = { url, secret, timeoutMs: 5000 }
    assert.equal(await outcome(await webhook.open({ ...options, ca }, CONTEXT)), 'taken')
    const refused = await outcome(await webhook.open(options, CONTEXT))
    assert.match(refused, /^The webhook could not be reached: [A-Z_]+\.$/)
    assert.equal(requests, 1)
    await webhook.check({ ...options, ca })
    await assert.rejects(webhook.check(options), (error: Error) => !error.message.includes('secret-of-the-url'))
  })
})
