/**
 * A change feed to be killed: engine and gRPC sink over a log that is the same at every start, and a slot in a file. Run as
 * `process.ts FOLDER ADDRESS ROWS,ROWS,... [BYTES]`: transactions of so many rows of so many bytes. Ends by itself when all is acknowledged.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Value } from 'typebox/value'
import { Engine } from '../../src/feed/engine/engine.ts'
import { formatLsn, parseLsn } from '../../src/feed/lsn.ts'
import grpc from '../../src/feed/sinks/grpc.ts'
import { serve } from './scripted-sink.ts'
import { type Entry, ScriptedSource, transaction } from './scripted-source.ts'

/** The log that every process of such a test reads. Made as it is read: a million rows take no room before. */
export function logOf(sizes: readonly number[], rowBytes = 200): Entry[] {
  return sizes.map((size, i) => {
    const commitLsn = BigInt(i + 1) * 16n
    const rows = () => Array.from({ length: size }, (_, row) => `${row} `.padEnd(rowBytes, 'x'))
    return {
      commitLsn,
      end: commitLsn + 8n,
      get events() {
        return transaction(commitLsn, rows()).events
      },
    }
  })
}

async function main(folder: string, address: string, sizes: readonly number[], rowBytes: number): Promise<void> {
  const slotPath = join(folder, 'slot')
  const log = logOf(sizes, rowBytes)
  const last = log.at(-1)?.end ?? 0n
  const done = Promise.withResolvers<void>()
  const onAcknowledge = (end: bigint) => {
    writeFileSync(`${slotPath}.new`, formatLsn(end))
    renameSync(`${slotPath}.new`, slotPath)
    if (end >= last) done.resolve()
  }
  const source = new ScriptedSource({ log, slot: { confirmed: readSlot(slotPath) }, onAcknowledge })
  const options = Value.Parse(grpc.options, Value.Default(grpc.options, { address, plaintext: true }))
  const silent = { info: () => {}, warn: () => {}, error: () => {} }
  await using engine = new Engine({
    source,
    sinks: [serve(await grpc.open(options), { maxAttempts: 0, batch: { maxEvents: 100, maxBytes: 1e6, lingerMs: 0 } })],
    positionsPath: join(folder, 'positions.json'),
    log: silent,
    now: Date.now,
    monotonic: () => performance.now(),
    random: Math.random,
  })
  await engine.start()
  if (source.slot.confirmed < last) await done.promise
}

function readSlot(path: string): bigint {
  try {
    return parseLsn(readFileSync(path, 'utf8')) ?? 0n
  } catch {
    return 0n
  }
}

if (import.meta.main) {
  const [folder = '', address = '', sizes = '', rowBytes = '200'] = process.argv.slice(2)
  await main(folder, address, sizes.split(',').map(Number), Number(rowBytes))
}
