/** Sends a file and says how far it is, which fetch cannot. */
import { Refused, refusalOf } from '../../session/answered.ts'
import { words } from '../../words/en-actions.ts'

export interface Upload<T> {
  answer: Promise<T>
  /** The box drops what it has received. Has no effect once the file is there. */
  cancel: () => void
}

/**
 * @param onProgress a fraction from 0 to 1; 1 when the box has the file and works on it
 * @throws Refused by `answer`: with the box's reason, `unreadable` for a file that is gone or was changed, `unreachable`,
 *   `cancelled`
 */
export function upload<T>(
  url: string,
  { file, token, onProgress }: { file: Blob; token: string; onProgress: (fraction: number) => void },
): Upload<T> {
  const request = new XMLHttpRequest()
  const answer = new Promise<T>((resolve, reject) => {
    request.open('POST', url)
    request.responseType = 'json'
    request.setRequestHeader('authorization', `Bearer ${token}`)
    request.setRequestHeader('content-type', 'application/octet-stream')
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    request.upload.onload = () => onProgress(1)
    request.onload = () => {
      if (request.status === 200) resolve(request.response as T)
      else reject(refusalOf(request.status, request.response))
    }
    request.onabort = () => reject(new Refused('cancelled', 0, words.import.cancelled))
    request.onerror = () => {
      // A browser says the same of a box that is off and of a file that has been changed under it.
      file
        .slice(0, 1)
        .arrayBuffer()
        .then(
          () => reject(new Refused('unreachable', 0, words.import.tooSlow)),
          () => reject(new Refused('unreadable', 0, words.import.refused.unreadable)),
        )
    }
    request.send(file)
  })
  return { answer, cancel: () => request.abort() }
}
