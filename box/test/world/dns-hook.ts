/** A DNS service of the test's own over HTTPS: the webhook of box/docs/certificates.md, and acme-dns. */
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Issued } from './certificates.ts'

export interface Received {
  path: string
  headers: Record<string, string | string[] | undefined>
  body: Record<string, unknown>
}

export interface Hooks {
  /** A record is wanted. Nothing written here: a service that lies. */
  present?: (record: string, value: string) => Promise<void>
  /** Status of each answer; 200 by default, null for none at all. */
  status?: () => number | null
}

export class DnsHook implements AsyncDisposable {
  readonly received: Received[] = []
  readonly url: string
  readonly secretFile: string
  readonly #server: Server

  private constructor(server: Server, secretFile: string) {
    this.#server = server
    this.url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/dns`
    this.secretFile = secretFile
  }

  /** @param folder for its files @param issued its certificate, for 127.0.0.1 */
  static async open(folder: string, issued: Issued, hooks: Hooks = {}): Promise<DnsHook> {
    const { present = async () => {}, status = () => 200 } = hooks
    const server = createServer(issued)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const secretFile = join(mkdtempSync(join(folder, 'hook-')), 'secret')
    writeFileSync(secretFile, 'a-token\n')
    const hook = new DnsHook(server, secretFile)
    server.on('request', async (request, response) => {
      const body = JSON.parse(await text(request)) as Record<string, unknown>
      hook.received.push({ path: request.url ?? '', headers: request.headers, body })
      const answer = status()
      if (answer === null) return
      if (answer === 200 && body.action !== 'remove')
        await present(String(body.record ?? body.subdomain), String(body.value ?? body.txt))
      response.writeHead(answer, answer === 307 ? { location: 'https://127.0.0.1:1/' } : {}).end('{}')
    })
    return hook
  }

  get actions(): unknown[] {
    return this.received.map(({ body }) => body.action)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }
}
