/** Path, encodings and metadata of `changefeed.v1.ChangefeedSink`, for client and server. */
import { fromBinary, toBinary } from '@bufbuild/protobuf'
import {
  type ChangeEvent,
  ChangeEventBatchSchema,
  ChangefeedSink,
  type DeliverAck,
  DeliverAckSchema,
} from '@gatehouse/proto/gen/changefeed/v1/changefeed_pb.ts'
import type { Metadata } from '@grpc/grpc-js'

export const DELIVER_PATH = `/${ChangefeedSink.typeName}/${ChangefeedSink.method.deliver.name}`

/** Metadata of a call: how many events wait at the sender behind this batch. */
export const WAITING = 'changefeed-waiting'

/** Metadata of a call, once for each gap: why the changes of this batch do not join those of the batch before. */
export const GAP = 'changefeed-gap'

/** Metadata of a call, `1`: the transaction of the batch's last event goes on in the next batch. */
export const OPEN = 'changefeed-open'

/** Metadata of a call, `1`: the events of this batch are rows that existed when the feed began, and no changes. */
export const SNAPSHOT = 'changefeed-snapshot'

const LONGEST_TEXT = 1000

/** Text as metadata may have it: printable ASCII, and not so long that the receiver refuses the call. */
export function asMetadata(text: string): string {
  return text.slice(0, LONGEST_TEXT).replace(/[^\x20-\x7e]/g, '?')
}

/** @returns null where the sender does not say */
export function waitingOf(metadata: Metadata): number | null {
  const [text] = metadata.get(WAITING)
  return typeof text === 'string' && /^\d{1,12}$/.test(text) ? Number(text) : null
}

/** @throws for bytes that are not a `ChangeEventBatch` */
export function decodeBatch(bytes: Buffer): ChangeEvent[] {
  return fromBinary(ChangeEventBatchSchema, bytes).events
}

export function encodeAck(ack: DeliverAck): Buffer {
  return Buffer.from(toBinary(DeliverAckSchema, ack))
}

export function decodeAck(bytes: Buffer): DeliverAck {
  return fromBinary(DeliverAckSchema, bytes)
}
