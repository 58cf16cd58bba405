/**
 * A minimal receiver in a process of its own: it counts and acknowledges. Prints `{"port":...}` when it
 * listens; answers `count` on its standard input, and `slow MS` makes every acknowledgement wait.
 */
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { ChangeEventBatchSchema, DeliverAckSchema } from '@gatehouse/proto/gen/changefeed/v1/changefeed_pb.ts'
import { Server, ServerCredentials, type ServiceDefinition } from '@grpc/grpc-js'

let waitMs = 0
/** Events are parsed only to measure latency, because parsing is the receiver's cost and not the feed's. */
let timed = false
let events = 0
let firstAt = 0
let lastAt = 0
const latencies: number[] = []
const ACK = Buffer.from(toBinary(DeliverAckSchema, create(DeliverAckSchema, { ok: true })))

const service: ServiceDefinition = {
  deliver: {
    ...{ path: '/changefeed.v1.ChangefeedSink/Deliver', requestStream: false, responseStream: false },
    ...{ requestSerialize: (bytes: Buffer) => bytes, requestDeserialize: (bytes: Buffer) => bytes },
    ...{ responseSerialize: (bytes: Buffer) => bytes, responseDeserialize: (bytes: Buffer) => bytes },
  },
}

const server = new Server({ 'grpc.max_receive_message_length': 64 * 1024 * 1024 })
server.addService(service, {
  async deliver({ request }: { request: Buffer }, answer: (error: null, ack: Buffer) => void) {
    const now = Date.now()
    if (timed) {
      for (const { afterJson } of fromBinary(ChangeEventBatchSchema, request).events) {
        latencies.push(now - Number((JSON.parse(afterJson) as { sent_ms: string }).sent_ms))
      }
    }
    if (waitMs > 0) await setTimeout(waitMs)
    firstAt ||= now
    lastAt = now
    events += countOf(request)
    answer(null, ACK)
  },
})

/** Length-delimited fields with the number 1, without looking into them. */
function countOf(batch: Buffer): number {
  let count = 0
  for (let at = 0; at < batch.length; count++) {
    at++
    let length = 0
    for (let shift = 0; ; shift += 7) {
      const byte = batch[at++] ?? 0
      length += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) break
    }
    at += length
  }
  return count
}

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const [command, value] = line.split(' ')
    if (command === 'slow') waitMs = Number(value)
    if (command === 'timed') timed = true
    if (command === 'count') console.log(JSON.stringify({ events, firstAt, lastAt, latencies: latencies.splice(0) }))
    if (command === 'reset') events = firstAt = lastAt = 0
  })
  .once('close', () => process.exit())

server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error
  console.log(JSON.stringify({ port }))
})
