/**
 * HQ's gRPC receiver: decides which connections are a box's, and passes on its batches. An unknown sender stays connected long
 * enough to read why it is refused: a reset connection would not say what to do at the box.
 */
import { X509Certificate } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import { status } from '@grpc/grpc-js'
import { type Admission, type DeliverCall, openSinkServer, StatusError } from '../feed/grpc/server.ts'
import { decodeBatch, waitingOf } from '../feed/grpc/service.ts'
import { FewLines } from '../few-lines.ts'
import type { Logger } from '../log.ts'
import { type DeliverDeps, deliver } from './deliver.ts'
import { BadBatch } from './event.ts'

export interface Identity {
  /** PEM. */
  readonly key: string
  readonly cert: string
}

export interface Receiver extends AsyncDisposable {
  readonly port: number
  /** Sets the certificate that is shown and the authorities that are trusted, from the next handshake on. @param authorities PEM */
  trust(shown: Identity, authorities: readonly string[]): void
  /** The certificates of the boxes that are connected now. */
  connected(): X509Certificate[]
  disconnect(isUnwanted: (certificate: X509Certificate) => boolean): void
}

interface ReceiverOptions extends DeliverDeps {
  host: string
  port: number
  logger: Logger
}

/** A peer whose network is gone is noticed within this time, since operators rely on `connected`. */
const PING_MS = 20_000
const MOST_CONNECTIONS = 1000
/** The boxes of a venue come from one address, and so may a stranger there. */
const MOST_OF_NETWORK = 100

/** Trusts nobody before the first `trust`. @throws GatehouseError when the port is taken */
export async function openReceiver({ host, port, ...deps }: ReceiverOptions): Promise<Receiver> {
  const { logger } = deps
  const few = new FewLines()
  const server = await openSinkServer<Buffer, X509Certificate>({
    host,
    port,
    setting: 'HQ_PORT',
    // `admit` decides whether the certificate is a box's.
    tls: { rejectUnauthorized: false, ca: [] },
    maxConnections: MOST_CONNECTIONS,
    mostOfNetwork: MOST_OF_NETWORK,
    channel: {
      'grpc.max_concurrent_streams': 8,
      'grpc.keepalive_time_ms': PING_MS,
      'grpc.keepalive_timeout_ms': PING_MS / 2,
    },
    // Batches are decoded only once their sender is known.
    decode: (message) => message,
    admit: (socket) => admit(socket, logger, few),
    refusal: 'HQ knows no box with this certificate: add the box with "gatehouse-hq add-box", or look at its clock.',
    handshakeFailed({ code, message }, socket) {
      // Port scanners and load balancers hang up during the handshake.
      if (code === 'ECONNRESET') return
      const from = socket.remoteAddress
      few.log((more) => logger.warn({ event: 'hq_handshake_refused', from, why: code ?? message, ...more }))
    },
    deliver: (call) => receive(call, deps),
    failed(error) {
      logger.error({ event: 'hq_failed', err: error })
      return 'internal error'
    },
  })
  return {
    port: server.port,
    trust: ({ key, cert }, authorities) => server.setContext({ key, cert, ca: [...authorities] }),
    connected: () => server.peers(),
    disconnect: (isUnwanted) => server.disconnect(isUnwanted),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

function admit(socket: TLSSocket, logger: Logger, few: FewLines): Admission<X509Certificate> {
  if (socket.alpnProtocol !== 'h2') return 'hang up'
  const { raw } = socket.getPeerCertificate()
  if (raw && socket.authorized) return { peer: new X509Certificate(raw) }
  const why = String(socket.authorizationError)
  few.log((more) => logger.warn({ event: 'hq_stranger', from: socket.remoteAddress, why, ...more }))
  return 'refuse'
}

function receive({ batch, metadata, certificate }: DeliverCall<Buffer>, deps: DeliverDeps) {
  if (!certificate) throw new StatusError(status.UNAUTHENTICATED, 'Show the certificate of a box.')
  const read = () => {
    try {
      return decodeBatch(batch)
    } catch {
      throw new BadBatch('it is not a ChangeEventBatch')
    }
  }
  return deliver(new X509Certificate(certificate), { read, waiting: waitingOf(metadata) }, deps)
}
