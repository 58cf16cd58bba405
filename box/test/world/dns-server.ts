/** A DNS server over UDP on loopback, for questions of one name: it answers what a test gives it, and remembers what it was asked. */
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'

const TYPES: Readonly<Record<number, string>> = { 1: 'A', 2: 'NS', 5: 'CNAME', 16: 'TXT' }
const HEADER_BYTES = 12
const NO_SUCH_NAME = 3

export class DnsServer implements AsyncDisposable {
  /** By type and name: `TXT gate.example.org`. */
  readonly records: Record<string, readonly string[]>
  readonly asked: string[] = []
  readonly #socket: Socket

  private constructor(socket: Socket, records: Record<string, readonly string[]>) {
    this.#socket = socket
    this.records = { ...records }
  }

  static async open(records: Record<string, readonly string[]>): Promise<DnsServer> {
    const socket = createSocket('udp4')
    const server = new DnsServer(socket, records)
    socket.on('message', (question, { port, address }) => socket.send(server.#answer(question), port, address))
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
    return server
  }

  get address(): string {
    return `127.0.0.1:${this.#socket.address().port}`
  }

  #answer(question: Buffer): Buffer {
    const { name, end } = nameAt(question, HEADER_BYTES)
    const type = question.readUInt16BE(end)
    const key = `${TYPES[type] ?? type} ${name}`
    this.asked.push(key)
    const found = this.records[key] ?? []
    const header = Buffer.alloc(HEADER_BYTES)
    question.copy(header, 0, 0, 2)
    // An answer, with recursion.
    header.writeUInt16BE(0x8180 | (found.length === 0 ? NO_SUCH_NAME : 0), 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(found.length, 6)
    const answers = found.map((value) => {
      const data = dataOf(type, value)
      const fixed = Buffer.alloc(12)
      // The name is that of the question.
      fixed.writeUInt16BE(0xc000 | HEADER_BYTES, 0)
      fixed.writeUInt16BE(type, 2)
      fixed.writeUInt16BE(1, 4)
      fixed.writeUInt32BE(1, 6)
      fixed.writeUInt16BE(data.length, 10)
      return Buffer.concat([fixed, data])
    })
    return Buffer.concat([header, question.subarray(HEADER_BYTES, end + 4), ...answers])
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#socket, 'close')
    this.#socket.close()
    await closed
  }
}

function nameAt(packet: Buffer, start: number): { name: string; end: number } {
  const labels: string[] = []
  let at = start
  for (let length = packet[at] ?? 0; length > 0; length = packet[at] ?? 0) {
    labels.push(packet.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 }
}

function dataOf(type: number, value: string): Buffer {
  if (TYPES[type] === 'A') return Buffer.from(value.split('.').map(Number))
  if (TYPES[type] === 'TXT') return labelOf(value)
  return Buffer.concat([...value.split('.').map(labelOf), Buffer.alloc(1)])
}

const labelOf = (text: string) => Buffer.concat([Buffer.from([text.length]), Buffer.from(text)])
