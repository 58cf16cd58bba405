/**
 * The receiver of a shop's feed, on a port of its own. The certificate is checked in the handshake and again for every batch: one
 * that is revoked is refused from the next batch on.
 */
import { X509Certificate } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import type { ChangeEvent } from '@gatehouse/proto/gen/changefeed/v1/changefeed_pb.ts'
import { type Metadata, status } from '@grpc/grpc-js'
import { fingerprint256 } from '../ca/authority.ts'
import type { CertifiedKey } from '../ca/server-identity.ts'
import { GatehouseError } from '../errors.ts'
import { type Admission, type DeliverCall, openSinkServer, StatusError } from '../feed/grpc/server.ts'
import { decodeBatch, waitingOf } from '../feed/grpc/service.ts'
import { FewLines } from '../few-lines.ts'
import type { Logger } from '../log.ts'
import type { Deliveries, LoadStep } from './deliveries.ts'
import { BatchError } from './event.ts'

export interface ReceiverOptions {
  host: string
  port: number
  /** PEM: the box's own authority, which issued the certificates of its shops. */
  authority: string
  /** The source of a certificate; undefined for any other certificate. */
  sourceOf(fingerprint: string): string | undefined
  deliveries: Pick<Deliveries, 'deliver' | 'load'>
  logger: Logger
}

/** The backlog at the sender. */
export interface Backlog {
  events: number
  /** Unix ms: none of it was committed before. Infinity where nothing waits. */
  since: number
}

export interface Receiver extends AsyncDisposable {
  readonly port: number
  /** Sources that are connected. */
  connected(): Set<string>
  /** The backlog of connected sources, by their last batches; undefined before the first batch. */
  backlog(): Backlog | undefined
  /** Reason why the last delivery of a source was refused; undefined once one was taken. */
  lastError(source: string): string | undefined
  /** Sets the certificate that is shown from the next handshake on. */
  show(identity: CertifiedKey): void
}

/** A feed sends 1 MiB at a time unless it is configured otherwise, and a single larger event by itself. */
const LARGEST_MESSAGE = 16 * 1024 * 1024
const MOST_EVENTS = 100_000

/** Metadata of an initial load (box/docs/hq.md), which is not part of the feed's contract. */
export const LOAD_STEP = 'gatehouse-load'
export const LOAD_LSN = 'gatehouse-load-lsn'
export const LOAD_AT = 'gatehouse-load-at'

/** A shop has one feed, and a connection for each of its loads. */
const MOST_CONNECTIONS = 200
const MOST_OF_NETWORK = 20

const MIN_VERSION = 'TLSv1.2'

type Call = DeliverCall<ChangeEvent[]>

/** Of each source's last delivery. */
interface Outcomes {
  readonly errors: Map<string, string>
  readonly backlogs: Map<string, Backlog>
}

/** Handshakes fail before the first `show`. @throws GatehouseError when the port is taken */
export async function openReceiver(options: ReceiverOptions): Promise<Receiver> {
  const { logger } = options
  const few = new FewLines()
  const outcomes: Outcomes = { errors: new Map(), backlogs: new Map() }
  const server = await openSinkServer<ChangeEvent[], string>({
    host: options.host === 'localhost' ? '127.0.0.1' : options.host,
    port: options.port,
    setting: 'GATEHOUSE_RECEIVER_PORT',
    // Without a certificate of the box's authority, the handshake fails.
    tls: { ca: options.authority, minVersion: MIN_VERSION, rejectUnauthorized: true },
    maxConnections: MOST_CONNECTIONS,
    mostOfNetwork: MOST_OF_NETWORK,
    channel: {
      'grpc.max_receive_message_length': LARGEST_MESSAGE,
      // Pings keep a connection alive behind a router that drops idle ones.
      'grpc.keepalive_time_ms': 30_000,
      'grpc.keepalive_timeout_ms': 20_000,
    },
    decode: decodeBatch,
    admit: (socket) => admit(socket, options, few),
    handshakeFailed({ code, message }, socket) {
      // Of a connection that timed out or was cut, the socket knows no address any more.
      const address = socket.remoteAddress
      few.log((more) => logger.warn({ event: 'shop_refused', reason: code ?? message, address, ...more }))
    },
    deliver: (call) => receive(call, options, outcomes),
    failed(error) {
      logger.error({ event: 'shop_batch_failed', err: error })
      return 'The box could not apply it: see its log.'
    },
  })
  const connected = () => new Set(server.peers())

  return {
    port: server.port,
    connected,
    backlog() {
      const known = [...connected()]
        .map((source) => outcomes.backlogs.get(source))
        .filter((backlog) => backlog !== undefined)
      if (known.length === 0) return undefined
      return {
        events: known.reduce((sum, { events }) => sum + events, 0),
        since: Math.min(...known.map(({ since }) => since)),
      }
    },
    lastError: (source) => outcomes.errors.get(source),
    show: ({ key, cert }) => server.setContext({ key, cert, ca: options.authority, minVersion: MIN_VERSION }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

function admit(socket: TLSSocket, { sourceOf, logger }: ReceiverOptions, few: FewLines): Admission<string> {
  const { raw } = socket.getPeerCertificate()
  const source = raw && sourceOf(fingerprint256(raw))
  // A resumed session may show no certificate, and is refused then.
  if (source && socket.authorized) return { peer: source }
  const shown = raw ? new X509Certificate(raw).subject : 'none'
  const certificate = shown.slice(0, 100)
  few.log((more) => logger.warn({ event: 'shop_refused', certificate, address: socket.remoteAddress, ...more }))
  return 'hang up'
}

async function receive(
  call: Call,
  { deliveries, logger, sourceOf }: ReceiverOptions,
  { errors, backlogs }: Outcomes,
): Promise<{ ok: boolean; message: string }> {
  const source = call.certificate && sourceOf(fingerprint256(call.certificate))
  if (!source) throw new StatusError(status.UNAUTHENTICATED, 'This certificate is no longer good: make another one.')
  const events = call.batch
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

/** @param refused how many of the batch are still to come */
function backlogOf({ metadata }: Call, from: ChangeEvent | undefined, refused: number): Backlog {
  const events = refused + (waitingOf(metadata) ?? 0)
  return { events, since: events === 0 || !from ? Number.POSITIVE_INFINITY : Date.parse(from.commitTime) }
}

/** @throws BatchError for an unknown step */
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
