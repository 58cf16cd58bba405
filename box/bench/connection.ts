/**
 * A minimal keep-alive HTTP/1.1 connection over mutual TLS: it does only what the load needs, so that the machine's time is left to the
 * server. (node:https spends more on a request than a bare fastify does on the answer, and autocannon gives all its
 * connections the same client certificate.)
 */
import { once } from 'node:events'
import { connect, type TLSSocket } from 'node:tls'

/** The credentials of a device: PEM, and its bearer token. */
export interface Credentials {
  ca: string
  certificate: string
  key: string
  token: string
  /** In place of the token. */
  authorization?: string
}

export interface Answer {
  status: number
  body: string
  /** The server closes the connection: it has refused a request without reading all of it. */
  isLast: boolean
}

const HEAD_END = Buffer.from('\r\n\r\n')

export class Connection {
  readonly #socket: TLSSocket
  readonly #headers: string
  #received: Buffer = Buffer.alloc(0)
  #waiting: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | undefined

  private constructor(socket: TLSSocket, authorization: string) {
    this.#socket = socket
    this.#headers = `host: 127.0.0.1\r\nauthorization: ${authorization}\r\n`
    socket.on('data', (bytes) => this.#read(bytes))
    socket.on('error', (error) => this.#waiting?.reject(error))
    socket.on('close', () => this.#waiting?.reject(new Error('the server closed the connection.')))
  }

  /** @param port on loopback */
  static async open(port: number, credentials: Credentials): Promise<Connection> {
    const { token, authorization = `Bearer ${token}` } = credentials
    return new Connection(await openSocket(port, credentials), authorization)
  }

  /** One request at a time: the next one is sent after the answer. */
  post(path: string, body: string): Promise<Answer> {
    return this.#request(
      `POST ${path} HTTP/1.1\r\n${this.#headers}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    )
  }

  get(path: string): Promise<Answer> {
    return this.#request(`GET ${path} HTTP/1.1\r\n${this.#headers}\r\n`)
  }

  /** Opens an event stream on this connection. @param onEvent gets the lines of each event */
  async follow(path: string, onEvent: (lines: string) => void): Promise<void> {
    this.#socket.removeAllListeners('data')
    let text = ''
    this.#socket.on('data', (bytes) => {
      text += bytes.toString('latin1')
      const end = text.lastIndexOf('\n\n')
      if (end === -1) return
      // Chunk sizes are between events, and no line of an event looks like one.
      for (const lines of text.slice(0, end).split('\n\n')) onEvent(lines)
      text = text.slice(end + 2)
    })
    this.#socket.write(`GET ${path} HTTP/1.1\r\n${this.#headers}\r\n`)
    await once(this.#socket, 'data')
  }

  close(): void {
    this.#socket.destroy()
  }

  #request(text: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#socket.destroyed) return reject(new Error('the server closed the connection.'))
      this.#waiting = { resolve, reject }
      this.#socket.write(text)
    })
  }

  #read(bytes: Buffer): void {
    this.#received = this.#received.length === 0 ? bytes : Buffer.concat([this.#received, bytes])
    const headEnd = this.#received.indexOf(HEAD_END)
    if (headEnd === -1) return
    const head = this.#received.toString('latin1', 0, headEnd)
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1])
    const bodyStart = headEnd + HEAD_END.length
    if (this.#received.length < bodyStart + length) return
    const answer = {
      status: Number(head.slice(9, 12)),
      body: this.#received.toString('utf8', bodyStart),
      isLast: /\r\nconnection: close/i.test(head),
    }
    this.#received = Buffer.alloc(0)
    this.#waiting?.resolve(answer)
  }
}

async function openSocket(port: number, { ca, certificate, key }: Credentials): Promise<TLSSocket> {
  const socket = connect({ host: '127.0.0.1', port, ca, cert: certificate, key })
  socket.setNoDelay(true)
  await once(socket, 'secureConnect')
  return socket
}
