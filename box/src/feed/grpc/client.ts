/** The client of `changefeed.v1.ChangefeedSink`: one unary call for each batch. */
import { readFileSync } from 'node:fs'
import type { DeliverAck } from '@gatehouse/proto/gen/changefeed/v1/changefeed_pb.ts'
import {
  type ChannelCredentials,
  type ChannelOptions,
  Client,
  credentials,
  type Metadata,
  type ServiceError,
} from '@grpc/grpc-js'
import { DELIVER_PATH, decodeAck } from './service.ts'

/** Paths of PEM files. Without `ca` the public authorities are trusted; without `cert` and `key` no certificate is shown. */
export interface TlsFiles {
  readonly ca?: string | undefined
  readonly cert?: string | undefined
  readonly key?: string | undefined
}

/** @throws when a file cannot be read, or is not PEM */
export function tlsCredentials({ ca, cert, key }: TlsFiles): ChannelCredentials {
  const read = (path: string | undefined) => (path === undefined ? null : readFileSync(path))
  return credentials.createSsl(read(ca), read(key), read(cert))
}

/** A receiver to connect to. */
export interface Target {
  /** `host:port`, or `unix:/path`. */
  readonly address: string
  readonly credentials: ChannelCredentials
  /** The name that the receiver's certificate has to bear; the host of the address when absent. */
  readonly serverName?: string | undefined
}

/** Connects with the first call. @param channel settings of gRPC itself */
export function openClient({ address, credentials, serverName }: Target, channel: ChannelOptions = {}): Client {
  return new Client(address, credentials, {
    ...(serverName !== undefined && {
      'grpc.ssl_target_name_override': serverName,
      'grpc.default_authority': serverName,
    }),
    ...channel,
  })
}

export interface DeliverOptions {
  readonly metadata: Metadata
  /** The time that the receiver has for the batch. */
  readonly deadlineMs: number
  /** Cancels the call when it is aborted meanwhile. */
  readonly signal?: AbortSignal
}

/**
 * Sends one `ChangeEventBatch`, encoded.
 * @throws ServiceError for a call without an answer
 */
export function deliver(client: Client, batch: Buffer, options: DeliverOptions): Promise<DeliverAck> {
  const { metadata, deadlineMs, signal } = options
  return new Promise((resolve, reject) => {
    const settle = (error: ServiceError | null, ack?: DeliverAck) => {
      signal?.removeEventListener('abort', cancel)
      if (ack) resolve(ack)
      else reject(error)
    }
    // The library compares the deadline with this clock, and turns it into a duration at once.
    const deadline = Date.now() + deadlineMs
    const call = client.makeUnaryRequest(DELIVER_PATH, unchanged, decodeAck, batch, metadata, { deadline }, settle)
    const cancel = () => call.cancel()
    signal?.addEventListener('abort', cancel)
  })
}

function unchanged(message: Buffer): Buffer {
  return message
}
