/**
 * A process that floods a box, as one person with a laptop could: `node flood.ts PLAN.json`. Every connection sends its next
 * request as soon as it has an answer, and is opened again when the box closes it. It says when it has begun; SIGTERM ends it,
 * and its last line says what the box answered.
 */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { connect as connectTcp, type Socket } from 'node:net'
import { constants, setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { format } from '@gatehouse/proto/hlc.ts'

/** The task of the flooding process. */
export interface FloodPlan {
  port: number
  connections: number
  /** Over TLS, with the authority that it trusts and, for a paired scanner, its certificate. Plain where absent. */
  tls?: { ca: string; cert?: string; key?: string }
  /** Header lines of every request, without the last line break. */
  headers?: string[]
  method: 'GET' | 'POST'
  path: string
  /** Sent in turns. */
  bodies?: string[]
  /** In the place of `bodies`: batches of so many scans admitted offline, of these codes in turns, each with a new id. */
  uploads?: { codes: string[]; atOnce: number; checkpoint: string }
}

/** The result of a flood: answers by status, and `lost` for connections that ended without one. */
export type FloodOutcome = Record<string, number>

/** Before a connection that was refused or closed is opened again, ms. */
const AGAIN_MS = 5
let begun = false
const HEAD_END = Buffer.from('\r\n\r\n')

if (import.meta.main) {
  // It has the core of the gates' scanners, where there are two in all: what they wait for is to be the box.
  setPriority(constants.priority.PRIORITY_LOW)
  const plan = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as FloodPlan
  const outcome: FloodOutcome = {}
  process.once('SIGTERM', () => {
    process.stdout.write(`${JSON.stringify(outcome)}\n`, () => process.exit(0))
  })
  const next = requestsOf(plan)
  for (let n = 0; n < plan.connections; n++) void keepAsking(plan, next, outcome)
}

function requestsOf(plan: FloodPlan): () => string {
  const { method, path, headers = [], bodies = [''], uploads } = plan
  const head = [`${method} ${path} HTTP/1.1`, 'host: 127.0.0.1', ...headers].join('\r\n')
  let n = 0
  const bodyOf = () => {
    if (!uploads) return bodies[n++ % bodies.length] ?? ''
    const { codes, atOnce } = uploads
    const now = Date.now()
    const scans = Array.from({ length: atOnce }, () => ({
      scan_id: randomUUID(),
      payload: codes[n++ % codes.length],
      checkpoint: uploads.checkpoint,
      device_hlc: format({ ms: now, count: 0 }),
      offline_admitted: true,
      observed_at: new Date(now).toISOString(),
    }))
    return JSON.stringify({ scans })
  }
  return () => {
    if (method === 'GET') return `${head}\r\n\r\n`
    const body = bodyOf()
    return `${head}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  }
}

async function keepAsking(plan: FloodPlan, next: () => string, outcome: FloodOutcome): Promise<void> {
  for (;;) {
    const socket = plan.tls
      ? connectTls({ host: '127.0.0.1', port: plan.port, ...plan.tls })
      : connectTcp({ host: '127.0.0.1', port: plan.port })
    await askUntilClosed(socket, next, outcome)
    await sleep(AGAIN_MS)
  }
}

function askUntilClosed(socket: Socket, next: () => string, outcome: FloodOutcome): Promise<void> {
  const count = (what: string) => {
    outcome[what] = (outcome[what] ?? 0) + 1
  }
  let received: Buffer = Buffer.alloc(0)
  let isWhole = false
  socket.once('encrypted' in socket ? 'secureConnect' : 'connect', () => {
    if (!begun) process.stdout.write('begun\n')
    begun = true
    socket.write(next())
  })
  socket.on('data', (bytes) => {
    received = received.length === 0 ? bytes : Buffer.concat([received, bytes])
    const headEnd = received.indexOf(HEAD_END)
    if (headEnd === -1) return
    const head = received.toString('latin1', 0, headEnd)
    // A download of any length, which the plan asks to be closed afterwards.
    if (/\r\ntransfer-encoding: chunked/i.test(head)) {
      received = Buffer.alloc(0)
      count(head.slice(9, 12))
      isWhole = true
      socket.removeAllListeners('data').resume()
      return
    }
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
    if (received.length < headEnd + HEAD_END.length + length) return
    received = Buffer.alloc(0)
    count(head.slice(9, 12))
    socket.write(next())
  })
  return new Promise((resolve) => {
    socket.on('error', () => {})
    socket.once('close', () => {
      if (!isWhole) count('lost')
      resolve()
    })
  })
}
