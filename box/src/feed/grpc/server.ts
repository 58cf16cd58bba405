/**
 * The server of `changefeed.v1.ChangefeedSink` behind mutual TLS. The TLS listener is our own and hands its connections to
 * gRPC: a renewed certificate, or another set of authorities, is used from the next handshake on, on the same port.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { createServer, type TLSSocket, type TlsOptions, type Server as TlsServer } from 'node:tls'
import type { DeliverAck } from '@gatehouse/proto/gen/changefeed/v1/changefeed_pb.ts'
import {
  type ConnectionInjector,
  type Metadata,
  Server,
  ServerCredentials,
  ServerInterceptingCall,
  type ServerInterceptingCallInterface,
  type ServerOptions,
  type ServerUnaryCall,
  type sendUnaryData,
  status,
} from '@grpc/grpc-js'
import { boundNetworks } from '../../connection-counts.ts'
import { listen, portAdvice } from '../../listen.ts'
import { isItsHost } from '../../one-host.ts'
import { DELIVER_PATH, decodeAck, encodeAck } from './service.ts'

/** Ends the call with a gRPC status: the trouble is with the sender or the receiver, and not with the batch. */
export class StatusError extends Error {
  override readonly name = 'StatusError'
  readonly code: status

  constructor(code: status, message: string) {
    super(message)
    this.code = code
  }
}

export interface DeliverCall<Batch> {
  readonly batch: Batch
  readonly metadata: Metadata
  /** DER, of the sender. */
  readonly certificate: Buffer | undefined
}

/**
 * The decision about a connection after its handshake. `refuse`: nothing that it sends is read, every call ends with
 * UNAUTHENTICATED and the server's `refusal`, and the connection is closed soon after. `hang up`: it is closed at once.
 */
export type Admission<Peer> = { readonly peer: Peer } | 'refuse' | 'hang up'

export interface SinkServerOptions<Batch, Peer> {
  readonly host: string
  readonly port: number
  /** The setting that chooses the port, for the message when the port is taken. */
  readonly setting: string
  readonly tls: TlsOptions
  /** Connections at a time, those in their handshake included. */
  readonly maxConnections: number
  /** The same from one network: nobody takes the place of all others. */
  readonly mostOfNetwork: number
  /** The longest time for a handshake. */
  readonly handshakeMs?: number
  /** Limits and keep-alive of gRPC itself. */
  readonly channel: ServerOptions
  /** Called before `deliver`; when it throws, the call ends with INTERNAL. */
  decode(message: Buffer): Batch
  admit(socket: TLSSocket): Admission<Peer>
  /** The message for a refused sender: the reason and the remedy. */
  readonly refusal?: string
  handshakeFailed(error: NodeJS.ErrnoException, socket: TLSSocket): void
  /** @throws StatusError, or anything else, which is passed to `failed` */
  deliver(call: DeliverCall<Batch>): Promise<{ ok: boolean; message: string }>
  /** Logs what `deliver` threw. @returns the details of the INTERNAL that ends the call */
  failed(error: unknown): string
}

export interface SinkServer<Peer> extends AsyncDisposable {
  readonly port: number
  /** The connected peers, once for each connection. */
  peers(): Peer[]
  /** Sets the certificate that is shown and the authorities that are trusted, from the next handshake on. */
  setContext(context: Parameters<TlsServer['setSecureContext']>[0]): void
  disconnect(isUnwanted: (peer: Peer) => boolean): void
}

/** The time that a batch under way still has when the server closes. */
const CLOSE_MS = 5000
/** A stranger who connects and says nothing holds a place for no longer. */
const HANDSHAKE_MS = 10_000
/** The time that a refused sender has to read the reason. */
const REFUSED_MS = 1000

/** @throws GatehouseError when the port is taken */
export async function openSinkServer<Batch, Peer>(options: SinkServerOptions<Batch, Peer>): Promise<SinkServer<Peer>> {
  const grpc = new Server({ ...options.channel, interceptors: [requireOneHost] })
  const underWay = new Set<Promise<void>>()
  grpc.addService(serviceOf(options.decode), {
    deliver(call: ServerUnaryCall<Batch, DeliverAck>, answer: sendUnaryData<DeliverAck>) {
      const answered = respond(call, answer, options).finally(() => underWay.delete(answered))
      underWay.add(answered)
    },
  })
  const connections = grpc.createConnectionInjector(ServerCredentials.createInsecure())
  const refused = options.refusal === undefined ? undefined : refusingServer(options.refusal)
  const peers = new Map<TLSSocket, Peer>()

  const handshakeTimeout = options.handshakeMs ?? HANDSHAKE_MS
  const tls = createServer({ ...options.tls, handshakeTimeout, requestCert: true, ALPNProtocols: ['h2'] })
  tls.maxConnections = options.maxConnections
  boundNetworks(tls, options.mostOfNetwork)
  tls.on('secureConnection', (socket) => {
    socket.on('error', () => {})
    const admission = options.admit(socket)
    if (typeof admission === 'object') {
      peers.set(socket, admission.peer)
      socket.once('close', () => peers.delete(socket))
      connections.injectConnection(socket)
    } else if (admission === 'refuse' && refused) {
      setTimeout(() => socket.destroy(), REFUSED_MS).unref()
      refused.connections.injectConnection(socket)
    } else socket.destroy()
  })
  tls.on('tlsClientError', (error: NodeJS.ErrnoException, socket) => {
    socket.destroy()
    options.handshakeFailed(error, socket)
  })
  const { host, setting } = options
  const port = await listen(tls, { host, port: options.port, explain: portAdvice(options.port, setting) })

  return {
    port,
    peers: () => [...peers.values()],
    setContext: (context) => tls.setSecureContext(context),
    disconnect: (isUnwanted) => {
      for (const [socket, peer] of peers) if (isUnwanted(peer)) socket.destroy()
    },
    async [Symbol.asyncDispose]() {
      tls.close()
      connections.drain(CLOSE_MS)
      const shutDown = new Promise((resolve) => grpc.tryShutdown(resolve))
      // A batch that is finished and acknowledged does not come again.
      const finished = Promise.all([shutDown, ...underWay])
      await Promise.race([finished, sleep(CLOSE_MS, undefined, { ref: false })])
      grpc.forceShutdown()
      refused?.server.forceShutdown()
      for (const socket of peers.keys()) socket.destroy()
    },
  }
}

function serviceOf<Batch>(decode: (message: Buffer) => Batch) {
  return {
    deliver: {
      path: DELIVER_PATH,
      requestStream: false,
      responseStream: false,
      // Of the client's half: a server never calls it.
      requestSerialize: (): Buffer => Buffer.alloc(0),
      requestDeserialize: decode,
      responseSerialize: encodeAck,
      responseDeserialize: decodeAck,
    },
  } as const
}

/** gRPC's own 400: it answers every call with HTTP 200, and with its status behind that. Of two `host` fields, nghttp2 ends the stream. */
function requireOneHost(_method: unknown, call: ServerInterceptingCallInterface): ServerInterceptingCall {
  const onReceiveMetadata = (metadata: Metadata, next: (metadata: Metadata) => void) => {
    if (isItsHost(call.getHost(), metadata.get('host').map(String))) return next(metadata)
    call.sendStatus({ code: status.INVALID_ARGUMENT, details: 'The request names two hosts.' })
  }
  return new ServerInterceptingCall(call, { start: (next) => next({ onReceiveMetadata }) })
}

async function respond<Batch, Peer>(
  call: ServerUnaryCall<Batch, DeliverAck>,
  answer: sendUnaryData<DeliverAck>,
  { deliver, failed }: SinkServerOptions<Batch, Peer>,
): Promise<void> {
  const { request: batch, metadata } = call
  try {
    const ack = await deliver({ batch, metadata, certificate: call.getAuthContext().sslPeerCertificate?.raw })
    answer(null, { $typeName: 'changefeed.v1.DeliverAck', ...ack })
  } catch (error) {
    if (error instanceof StatusError) answer({ code: error.code, details: error.message })
    else answer({ code: status.INTERNAL, details: failed(error) })
  }
}

/** A second gRPC server, which ends every call before anything of it is read. */
function refusingServer(details: string): { server: Server; connections: ConnectionInjector } {
  const refuse = (_method: unknown, call: ServerInterceptingCallInterface) =>
    new ServerInterceptingCall(call, {
      start: () => call.sendStatus({ code: status.UNAUTHENTICATED, details }),
    })
  const server = new Server({ 'grpc.max_concurrent_streams': 1, interceptors: [refuse] })
  // An interceptor is only called for a method that exists; this handler is never reached.
  server.addService(
    serviceOf((message) => message),
    {
      deliver: (_call: unknown, answer: sendUnaryData<DeliverAck>) => answer({ code: status.UNAUTHENTICATED }),
    },
  )
  return { server, connections: server.createConnectionInjector(ServerCredentials.createInsecure()) }
}
