/** Sends a file by the typed client, reports its progress, and can be called off. */
import { type Answer, answered, isAbort, Refused } from '../../session/answered.ts'
import { actionWords as words } from '../../words/late.ts'

export interface Upload<T> {
  answer: Promise<T>
  /** The box drops what it has received. Has no effect once the file is there. */
  cancel: () => void
}

/** The parts of a call of the typed client that send a file as it is. */
export interface FileRequest {
  body: File
  bodySerializer: (file: unknown) => BodyInit
  headers: { 'content-type': string }
  signal: AbortSignal
}

type Send = (request: Request) => Promise<Response>

/**
 * @param call makes the call with these parts; `send` takes the place of fetch, which does not report how much it has sent
 * @param onProgress a fraction from 0 to 1; 1 when the box has the file and works on it
 * @throws Refused by `answer`: with the box's reason, `unreadable` for a file that is gone or was changed, `unreachable`,
 *   `cancelled`
 */
export function upload<T>(
  file: File,
  call: (request: FileRequest, send: Send) => Promise<Answer<T>>,
  onProgress: (fraction: number) => void,
): Upload<T> {
  const cancelling = new AbortController()
  const request: FileRequest = {
    body: file,
    bodySerializer: () => file,
    headers: { 'content-type': 'application/octet-stream' },
    signal: cancelling.signal,
  }
  const answer = answered(call(request, (sent) => sendWithProgress(sent, file, onProgress))).catch((error) =>
    causeOf(error, file).then((cause) => {
      throw cause
    }),
  )
  return { answer, cancel: () => cancelling.abort() }
}

async function causeOf(error: unknown, file: File): Promise<unknown> {
  if (isAbort(error)) return new Refused('cancelled', 0, words.import.cancelled)
  if (!(error instanceof Refused) || error.code !== 'unreachable') return error
  // A browser says the same of a box that is off and of a file that has been changed under it.
  return file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => new Refused('unreachable', 0, words.import.tooSlow),
      () => new Refused('unreadable', 0, words.import.refused.unreadable),
    )
}

function sendWithProgress(sent: Request, file: File, onProgress: (fraction: number) => void): Promise<Response> {
  const request = new XMLHttpRequest()
  return new Promise((resolve, reject) => {
    request.open(sent.method, sent.url)
    for (const [name, value] of sent.headers) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    request.upload.onload = () => onProgress(1)
    request.onload = () => {
      const headers = { 'content-type': request.getResponseHeader('content-type') ?? '' }
      resolve(new Response(request.responseText, { status: request.status, headers }))
    }
    request.onabort = () => reject(new DOMException('The upload was called off.', 'AbortError'))
    request.onerror = () => reject(new TypeError('There was no answer.'))
    sent.signal.addEventListener('abort', () => request.abort())
    request.send(file)
  })
}
