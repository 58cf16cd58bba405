/** A file that the box makes in somebody's name: its record, or a backup of itself. */
import { Refused, refusalOf } from '../../session/answered.ts'
import { nameIn } from '../record/receive.ts'

export interface BoxFile {
  file: Blob
  name: string
}

/** An answer of the typed client whose body is not read yet (`parseAs: 'stream'`). */
type Streamed = Promise<{ response: Response; error?: unknown }>

interface Wanted {
  /** Name of the file where the box gives none. */
  name: string
  /** The sentence for a file that did not come, or not whole. */
  cutShort: string
  /** Null where it was cut short. */
  receive: (response: Response) => Promise<Blob | null>
}

/** @throws Refused also for a file that was cut short: it would look like one, and be none */
export async function fetchFile(asked: Streamed, { name, cutShort, receive }: Wanted): Promise<BoxFile> {
  const unanswered = (error: unknown) => {
    throw error instanceof TypeError ? new Refused('unreachable', 0, cutShort) : error
  }
  const { response, error } = await asked.catch(unanswered)
  if (!response.ok) throw await refusalOf(response.status, error)
  const file = await receive(response).catch(unanswered)
  if (!file) throw new Refused('unknown', 0, cutShort)
  return { file, name: nameIn(response.headers.get('content-disposition'), name) }
}
