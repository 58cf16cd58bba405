/**
 * The box's end of a shop's feed: gRPC `ChangefeedSink` behind mutual TLS, on a port of its own. Who may deliver is decided
 * in the handshake, and once more at every batch: a certificate that is taken back counts from the next one.
 */
import { X509Certificate } from 'node:crypto'
import { createServer, type TLSSocket } from 'node:tls'
import { fromBinary, toBinary } from '@bufbuild/protobuf'
import {
  type ChangeEvent,
  type ChangeEventBatch,
  ChangeEventBatchSchema,
  ChangefeedSink,
  type DeliverAck,
  DeliverAckSchema,
} from '@gatehouse/proto/gen/changefeed/v1/changefeed_pb.ts'
import {
  type Metadata,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type sendUnaryData,
  status,
} from '@grpc/grpc-js'
import { fingerprint256 } from '../../ca/authority.ts'
import type { CertifiedKey } from '../../ca/server-identity.ts'
import { GatehouseError } from '../../errors.ts'
import { WAITING } from '../../feed/sinks/grpc.ts'
import type { Logger } from '../../log.ts'
import type { Deliveries, LoadStep } from './deliveries.ts'
import { BatchError } from './event.ts'

export interface ReceiverOptions {
  host: string
  port: number
  identity: CertifiedKey
  /** PEM: the box's own, which made the certificates of its shops. */
  authority: string
  /** Whose certificate this is; undefined for everybody else's. */
  sourceOf(fingerprint: string): string | undefined
  deliveries: Pick<Deliveries, 'deliver' | 'load'>
  logger: Logger
}

/** What waits on the other side. */
export interface Backlog {
  events: number
  /** Unix ms: none of it was committed before. Infinity where nothing waits. */
  since: number
}

export interface Receiver extends AsyncDisposable {
  readonly port: number
  /** Sources that are connected. */
  connected(): Set<string>
  /** What those that are connected still have to deliver, by their last batches; undefined when none has told. */
  backlog(): Backlog | undefined
  /** Why the last delivery of a source was refused; undefined once one was taken. */
  lastError(source: string): string | undefined
  /** What later handshakes show. */
  show(identity: CertifiedKey): void
}

/** A feed sends 1 MiB at a time unless it is told otherwise, and a single larger event by itself. */
const LARGEST_MESSAGE = 16 * 1024 * 1024
const MOST_EVENTS = 100_000
/** How long the batch under way may take when the box closes. */
const CLOSE_MS = 5000

/** How an initial load says what it sends (box/docs/hq.md): not part of the feed's contract. */
export const LOAD_STEP = 'gatehouse-load'
export const LOAD_LSN = 'gatehouse-load-lsn'
export const LOAD_AT = 'gatehouse-load-at'

type Call = ServerUnaryCall<ChangeEventBatch, DeliverAck>
type Refusal = { code: status; details: string }

/** @throws when the port is taken */
export async function openReceiver(options: ReceiverOptions): Promise<Receiver> {
  const { deliveries, logger, sourceOf } = options
  const errors = new Map<string, string>()
  const backlogs = new Map<string, Backlog>()
  const sockets = new Map<TLSSocket, string>()

  async function answer(call: Call): Promise<{ ok: boolean; message: string } | Refusal> {
    const raw = call.getAuthContext().sslPeerCertificate?.raw
    const source = raw && sourceOf(fingerprint256(raw))
    if (!source) {
      return { code: status.UNAUTHENTICATED, details: 'This certificate is no longer good: make another one.' }
    }
    const { events } = call.request
    try {
      if (events.length > MOST_EVENTS) throw new BatchError(`A batch of more than ${MOST_EVENTS} changes is too large.`)
      const step = loadStep(call.metadata)
      if (step) await deliveries.load(source, step, events)
      else await deliveries.deliver(source, events)
      if (!step) backlogs.set(source, backlogOf(call, events.at(-1), 0))
      errors.delete(source)
      return { ok: true, message: '' }
    } catch (error) {
      if (!(error instanceof BatchError || error instanceof GatehouseError)) throw error
      const { message } = error
      if (errors.get(source) !== message) logger.warn({ event: 'shop_batch_refused', source, reason: message })
      errors.set(source, message)
      backlogs.set(source, backlogOf(call, events[0], events.length))
      return { ok: false, message }
    }
  }

  const grpc = new Server({
    'grpc.max_receive_message_length': LARGEST_MESSAGE,
    // A feed that is behind a router which forgets idle connections may ping.
    'grpc.keepalive_time_ms': 30_000,
    'grpc.keepalive_timeout_ms': 20_000,
  })
  const { typeName, method } = ChangefeedSink
  grpc.addService(
    {
      deliver: {
        path: `/${typeName}/${method.deliver.name}`,
        requestStream: false,
        responseStream: false,
        requestSerialize: (batch: ChangeEventBatch) => Buffer.from(toBinary(ChangeEventBatchSchema, batch)),
        requestDeserialize: (bytes: Buffer) => fromBinary(ChangeEventBatchSchema, bytes),
        responseSerialize: (ack: DeliverAck) => Buffer.from(toBinary(DeliverAckSchema, ack)),
        responseDeserialize: (bytes: Buffer) => fromBinary(DeliverAckSchema, bytes),
      },
    },
    {
      deliver(call: Call, done: sendUnaryData<DeliverAck>) {
        answer(call).then(
          (ack) => {
            if ('code' in ack) done(ack, null)
            else done(null, { $typeName: DeliverAckSchema.typeName, ...ack })
          },
          (error: unknown) => {
            logger.error({ event: 'shop_batch_failed', err: error })
            done({ code: status.INTERNAL, details: 'The box could not apply it: see its log.' }, null)
          },
        )
      },
    },
  )
  // TLS is ours, so that a renewed certificate needs no new port, and a stranger gets no further than the handshake.
  const injector = grpc.createConnectionInjector(ServerCredentials.createInsecure())
  const tls = createServer({
    ...contextOf(options.identity, options.authority),
    requestCert: true,
    rejectUnauthorized: true,
    ALPNProtocols: ['h2'],
  })
  tls.on('secureConnection', (socket) => {
    const { raw } = socket.getPeerCertificate()
    const source = raw && sourceOf(fingerprint256(raw))
    // A resumed session may show no certificate, and so it is nobody's.
    if (!source || !socket.authorized) {
      const shown = raw ? new X509Certificate(raw).subject : 'none'
      logger.warn({ event: 'shop_refused', certificate: shown.slice(0, 100), address: socket.remoteAddress })
      return void socket.destroy()
    }
    sockets.set(socket, source)
    socket.on('close', () => sockets.delete(socket))
    injector.injectConnection(socket)
  })
  tls.on('tlsClientError', (error, socket) => {
    logger.warn({
      event: 'shop_refused',
      reason: (error as NodeJS.ErrnoException).code ?? error.message,
      address: socket.remoteAddress,
    })
  })
  const port = await listen(tls, options)
  const connected = () => new Set(sockets.values())

  return {
    port,
    connected,
    backlog() {
      const told = [...connected()].map((source) => backlogs.get(source)).filter((backlog) => backlog !== undefined)
      if (told.length === 0) return undefined
      return {
        events: told.reduce((sum, { events }) => sum + events, 0),
        since: Math.min(...told.map(({ since }) => since)),
      }
    },
    lastError: (source) => errors.get(source),
    show: (identity) => tls.setSecureContext(contextOf(identity, options.authority)),
    async [Symbol.asyncDispose]() {
      tls.close()
      const shutDown = new Promise((resolve) => grpc.tryShutdown(resolve))
      const patience = setTimeout(() => {
        for (const socket of sockets.keys()) socket.destroy()
        grpc.forceShutdown()
      }, CLOSE_MS)
      injector.drain(CLOSE_MS)
      await shutDown
      clearTimeout(patience)
      injector.destroy()
      for (const socket of sockets.keys()) socket.destroy()
    },
  }
}

function contextOf({ key, cert }: CertifiedKey, authority: string) {
  return { key, cert, ca: authority, minVersion: 'TLSv1.2' as const }
}

/** @param refused how many of the batch are still to come */
function backlogOf({ metadata }: Call, from: ChangeEvent | undefined, refused: number): Backlog {
  const [text] = metadata.get(WAITING).map(String)
  const events = refused + (text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : 0)
  return { events, since: events === 0 || !from ? Number.POSITIVE_INFINITY : Date.parse(from.commitTime) }
}

/** @throws BatchError for a step that there is not */
function loadStep(metadata: Metadata): LoadStep | undefined {
  const [step] = metadata.get(LOAD_STEP).map(String)
  switch (step) {
    case undefined:
      return undefined
    case 'begin':
    case 'rows':
      return { step }
    case 'end': {
      const at = Number(metadata.get(LOAD_AT)[0])
      if (!Number.isFinite(at)) throw new BatchError('The end of a load has no time.')
      return { step, lsn: String(metadata.get(LOAD_LSN)[0] ?? ''), at }
    }
    default:
      throw new BatchError('A load has the steps begin, rows and end.')
  }
}

function listen(
  server: ReturnType<typeof createServer>,
  { host, port }: Pick<ReceiverOptions, 'host' | 'port'>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const at = (address: string) => server.listen({ host: address, port })
    server.on('listening', () => resolve((server.address() as { port: number }).port))
    server.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EAFNOSUPPORT' && host === '::') return void at('0.0.0.0')
      const inUse = `Port ${port} is in use: stop what uses it, or set GATEHOUSE_RECEIVER_PORT to another port.`
      reject(error.code === 'EADDRINUSE' ? new GatehouseError('internal', inUse, { cause: error }) : error)
    })
    at(host === 'localhost' ? '127.0.0.1' : host)
  })
}
