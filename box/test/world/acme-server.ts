/** Debian's pebble with its challenge server: a real ACME authority and a DNS that a test writes, on loopback and free ports. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect } from 'node:tls'
import { tlsFetch } from '../../src/device/tls-fetch.ts'
import { type Issued, makeAuthority } from './certificates.ts'
import { freePorts } from './ports.ts'
import { until } from './until.ts'

/** Reason to skip where the programs are missing. */
export const NO_PEBBLE =
  spawnSync('pebble', ['-h']).error || spawnSync('pebble-challtestsrv', ['-h']).error
    ? 'needs pebble and pebble-challtestsrv, of Debian'
    : false

export interface AcmeServerOptions {
  /** Percentage of nonces that it refuses. */
  nonceReject?: number
  /** Keeps pebble's process from starting: there is DNS, and a port where nobody answers. */
  down?: boolean
}

export class AcmeServer implements AsyncDisposable {
  readonly directory: string
  /** PEM file of the CA of its own HTTPS port. */
  readonly caFile: string
  /** Its certificate, for another server of the test. */
  readonly issued: Issued
  /** `127.0.0.1:port`, which answers for DNS. */
  readonly dns: string
  readonly #management: string
  /** `http://127.0.0.1:port`, by which records are written. */
  readonly dnsManagement: string
  readonly #stack: AsyncDisposableStack
  readonly #start: () => Promise<void>

  private constructor(
    fields: {
      directory: string
      caFile: string
      issued: Issued
      dns: string
      management: string
      dnsManagement: string
    },
    stack: AsyncDisposableStack,
    start: () => Promise<void>,
  ) {
    this.directory = fields.directory
    this.caFile = fields.caFile
    this.issued = fields.issued
    this.dns = fields.dns
    this.#management = fields.management
    this.dnsManagement = fields.dnsManagement
    this.#stack = stack
    this.#start = start
  }

  /** @param folder for its files */
  static async open(folder: string, options: AcmeServerOptions = {}): Promise<AcmeServer> {
    const { nonceReject = 5, down = false } = options
    await using opening = new AsyncDisposableStack()
    const running = opening.use(new AsyncDisposableStack())
    const path = join(folder, 'pebble')
    mkdirSync(path, { recursive: true })
    const authority = await makeAuthority('pebble')
    const { cert, key } = await authority.issue('127.0.0.1', [{ type: 'ip', value: '127.0.0.1' }])
    const [acme, management, dnsManagement, dnsPort] = await freePorts(4)
    const dns = `127.0.0.1:${dnsPort}`
    const config = {
      ...{ listenAddress: `127.0.0.1:${acme}`, managementListenAddress: `127.0.0.1:${management}` },
      ...{ certificate: join(path, 'cert.pem'), privateKey: join(path, 'key.pem'), httpPort: 1, tlsPort: 1 },
    }
    const caFile = join(path, 'ca.pem')
    writeFileSync(caFile, authority.ca)
    writeFileSync(config.certificate, cert)
    writeFileSync(config.privateKey, key)
    writeFileSync(join(path, 'config.json'), JSON.stringify({ pebble: config }))
    running.adopt(
      spawn(
        'pebble-challtestsrv',
        ['-dns01', dns, '-management', `127.0.0.1:${dnsManagement}`, '-http01', '', '-https01', '', '-tlsalpn01', ''],
        { stdio: 'ignore' },
      ),
      end,
    )
    const env = {
      ...process.env,
      PEBBLE_VA_NOSLEEP: '1',
      PEBBLE_WFE_NONCEREJECT: `${nonceReject}`,
      PEBBLE_AUTHZREUSE: '0',
    }
    const start = async () => {
      running.adopt(
        spawn('pebble', ['-config', join(path, 'config.json'), '-dnsserver', dns], { stdio: 'ignore', env }),
        end,
      )
      await using fetch = tlsFetch({ ca: authority.ca })
      await until(async () => (await fetch(new Request(server.directory)).catch(() => undefined))?.ok === true)
    }
    const server = new AcmeServer(
      {
        ...{ directory: `https://127.0.0.1:${acme}/dir`, caFile, issued: { cert, key }, dns },
        ...{ management: `https://127.0.0.1:${management}`, dnsManagement: `http://127.0.0.1:${dnsManagement}` },
      },
      running,
      start,
    )
    const { fetch } = globalThis
    await until(async () => (await fetch(server.dnsManagement).catch(() => undefined)) !== undefined)
    if (!down) await start()
    opening.move()
    return server
  }

  /** Starts pebble, where it was opened `down`. */
  start(): Promise<void> {
    return this.#start()
  }

  /** Writes a TXT record into DNS, as a service would. */
  async setTxt(record: string, value: string): Promise<void> {
    // Otherwise values of earlier tests add up to more than a packet.
    await this.clearTxt(record)
    await this.#tellDns('set-txt', { host: `${record}.`, value })
  }

  async clearTxt(record: string): Promise<void> {
    await this.#tellDns('clear-txt', { host: `${record}.` })
  }

  /** Leads a record elsewhere, as an organiser does who hands only that record to acme-dns. */
  async setCname(record: string, target: string): Promise<void> {
    await this.#tellDns('set-cname', { host: `${record}.`, target: `${target}.` })
  }

  /** The certificate's state at the authority. @param serial hex */
  async statusOf(serial: string): Promise<{ Status: string; Reason?: number }> {
    return JSON.parse(await this.#ask(`/cert-status-by-serial/${serial.toLowerCase()}`))
  }

  /** PEM of the root that a phone would trust. */
  root(): Promise<string> {
    return this.#ask('/roots/0')
  }

  /** pebble gives a certificate's state with a wrong length, so the body is read to its end as it comes. */
  async #ask(path: string): Promise<string> {
    const { hostname, port } = new URL(this.#management)
    const socket = connect({
      host: hostname,
      port: Number(port),
      rejectUnauthorized: false,
      ALPNProtocols: ['http/1.1'],
    })
    socket.write(`GET ${path} HTTP/1.0\r\n\r\n`)
    const answer = await text(socket)
    return answer.slice(answer.indexOf('\r\n\r\n') + 4)
  }

  async #tellDns(what: string, body: object): Promise<void> {
    const answer = await fetch(`${this.dnsManagement}/${what}`, { method: 'POST', body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`the DNS of the test answered ${answer.status}`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync()
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
}
