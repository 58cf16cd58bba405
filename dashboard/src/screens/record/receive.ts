/** An export as it comes in: how far it is, and whether it is whole. The box says neither; the file's first line says both. */

const LINE_FEED = 0x0a
/** Far more than the first line is long. */
const LONGEST_HEAD = 400

/** Follows the bytes of an export. `box/docs/sealed-record.md` has its lines. */
export interface Receipt {
  take: (chunk: Uint8Array) => void
  /** 0 to 1; 0 before the first line was there. */
  fraction: () => number
  /** Every line that the first one promises was there, and nothing after the last. */
  whole: () => boolean
}

export function receipt(): Receipt {
  let head = ''
  let expected: number | undefined
  let [lines, endsLine] = [0, false]
  return {
    take(chunk) {
      if (expected === undefined && head.length < LONGEST_HEAD) {
        head += new TextDecoder().decode(chunk.subarray(0, LONGEST_HEAD - head.length))
        expected = linesIn(head)
      }
      for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, at + 1)) lines += 1
      if (chunk.length > 0) endsLine = chunk.at(-1) === LINE_FEED
    },
    fraction: () => (expected === undefined ? 0 : Math.min(1, lines / expected)),
    whole: () => endsLine && lines === expected,
  }
}

/** Head, seals, entries, report, and the note under it. */
function linesIn(head: string): number | undefined {
  const [line, ended] = head.split('\n', 2)
  if (ended === undefined) return
  try {
    const { entries, seals, format } = JSON.parse(line ?? '')
    const counts = Number.isSafeInteger(entries) && Number.isSafeInteger(seals)
    return format === 'gatehouse/export/v1' && counts ? entries + seals + 3 : undefined
  } catch {
    return
  }
}

/**
 * The export as a file: the browser keeps it on disk, not in memory. Null when it was cut short.
 * @throws what the stream throws when the connection breaks
 */
export async function receive(response: Response, onProgress: (fraction: number) => void): Promise<Blob | null> {
  const { take, fraction, whole } = receipt()
  const blob = await blobOf(response, (chunk) => {
    take(chunk)
    onProgress(fraction())
  })
  return whole() ? blob : null
}

/** A body as a file, looked at as it comes in. */
export function blobOf(response: Response, look: (chunk: Uint8Array) => void): Promise<Blob> {
  const looked = response.body?.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        look(chunk)
        controller.enqueue(chunk)
      },
    }),
  )
  return new Response(looked ?? null).blob()
}

/** The name that the box gives its file; nothing that could lead out of a download folder. */
export function nameIn(disposition: string | null, otherwise: string): string {
  const name = /filename="([A-Za-z0-9._-]{1,200})"/.exec(disposition ?? '')?.[1]
  return name && !name.startsWith('.') ? name : otherwise
}
