/**
 * The server that scans are compared with: a bare fastify over the same TLS, which checks the same request, does nothing,
 * and sends it back. `node echo.ts <server.pem> <authority.pem>` prints its port.
 */
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { ScanRequest } from '@gatehouse/proto/wire/scan.ts'
import fastify from 'fastify'

const [identity = '', authority = ''] = process.argv.slice(2).map((path) => readFileSync(path, 'utf8'))
const https = { key: identity, cert: identity, ca: authority, requestCert: true, rejectUnauthorized: true }
const app = fastify({ https })
app.post('/v1/scan', { schema: { body: ScanRequest, response: { 200: ScanRequest } } }, async ({ body }) => body)
await app.listen({ host: '127.0.0.1', port: 0 })
console.log(JSON.stringify({ event: 'echo_open', ports: { device: (app.server.address() as AddressInfo).port } }))
