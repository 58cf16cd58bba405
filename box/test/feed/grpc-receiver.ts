/** A receiver made by another toolchain than the feed's: gRPC's own loader, from the plain .proto. */
import { join } from 'node:path'
import {
  loadPackageDefinition,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServiceClientConstructor,
  type sendUnaryData,
} from '@grpc/grpc-js'
import { loadSync } from '@grpc/proto-loader'

const PROTO = join(import.meta.dirname, '../../../proto/changefeed/v1/changefeed.proto')

export interface ReceivedEvent {
  id: string
  lsn: string
  commit_lsn: string
  commit_time: string
  schema: string
  table: string
  op: string
  before_json: string
  after_json: string
}

export interface Ack {
  ok?: boolean
  message?: string
}

type Call = ServerUnaryCall<{ events: ReceivedEvent[] }, Ack>

/** Received batches, in order and with repetitions. */
export interface Receiver extends AsyncDisposable {
  readonly port: number
  readonly events: readonly ReceivedEvent[]
  /** While set, every batch is refused with this reason. */
  refusal: string | undefined
}

export interface GrpcReceiver extends Receiver {
  /** host:port */
  readonly address: string
}

interface Options {
  readonly port?: number
  readonly credentials?: ServerCredentials
  /** `grpc.max_receive_message_length`; the library's own 4 MiB when absent. */
  readonly maxBytes?: number
}

/** @param deliver answers a batch, and keeps it by default; what it throws is the call's status, and null is no answer at all */
export async function startReceiver(
  deliver?: (events: ReceivedEvent[], call: Call) => Ack | null | Promise<Ack | null>,
  { port = 0, credentials = ServerCredentials.createInsecure(), maxBytes }: Options = {},
): Promise<GrpcReceiver> {
  const receiver = { events: [] as ReceivedEvent[], refusal: undefined as string | undefined }
  const keep = (events: ReceivedEvent[]): Ack => {
    if (receiver.refusal !== undefined) return { ok: false, message: receiver.refusal }
    receiver.events.push(...events)
    return { ok: true }
  }
  const definition = loadSync(PROTO, { keepCase: true, defaults: true })
  const { changefeed } = loadPackageDefinition(definition) as unknown as {
    changefeed: { v1: { ChangefeedSink: ServiceClientConstructor } }
  }
  const server = new Server(maxBytes === undefined ? {} : { 'grpc.max_receive_message_length': maxBytes })
  server.addService(changefeed.v1.ChangefeedSink.service, {
    Deliver: async (call: Call, answer: sendUnaryData<Ack>) => {
      try {
        const ack = await (deliver ?? keep)(call.request.events, call)
        if (ack) answer(null, ack)
      } catch (error) {
        answer(error as Error)
      }
    },
  })
  const bound = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`127.0.0.1:${port}`, credentials, (error, bound) => (error ? reject(error) : resolve(bound)))
  })
  return Object.assign(receiver, {
    port: bound,
    address: `127.0.0.1:${bound}`,
    [Symbol.asyncDispose]: async () => server.forceShutdown(),
  })
}
