/** Fetches a box's authority from the box itself, and trusts it by its fingerprint alone. */
import { X509Certificate } from 'node:crypto'
import { fingerprint256 } from '../ca/authority.ts'
import { tlsFetch } from '../device/tls-fetch.ts'
import { BoxError } from './boxes.ts'

const LONGEST = 64 * 1024
const WAIT_MS = 10_000

/**
 * @param url of the box, `https://host:port` @param fingerprint `sha256:` and hex, as the box prints it at its start
 * @returns PEM @throws BoxError when it is another one, or none
 */
export async function fetchAuthority(url: string, fingerprint: string | undefined): Promise<string> {
  const wanted = fingerprint?.toLowerCase().replaceAll(/(?<=^sha256:.*):/g, '')
  if (!wanted || !/^sha256:[0-9a-f]{64}$/.test(wanted)) {
    throw new BoxError('With --url, name --fingerprint sha256:..., as the box prints it at its start under "CA".')
  }
  const base = URL.parse(url)
  if (!base || !/^https?:$/.test(base.protocol))
    throw new BoxError(`"${url}" is not a URL such as https://gate-north.local`)
  // Any server may answer: only the fingerprint shows whether it was the box.
  await using fetch = tlsFetch({ trustAnybody: true })
  const pem = await read(fetch, new URL('/ca.crt', base)).catch((error: Error & { cause?: Error }) => {
    throw new BoxError(`${base.host} does not answer with a certificate: ${error.cause?.message ?? error.message}.`)
  })
  const found = `sha256:${fingerprintOf(pem)}`
  if (found !== wanted) {
    throw new BoxError(
      `The authority at ${base.host} is ${found}, and not the one given: that is another box, or somebody in between.`,
    )
  }
  return pem
}

async function read(fetch: (request: Request) => Promise<Response>, url: URL): Promise<string> {
  const answer = await fetch(new Request(url, { signal: AbortSignal.timeout(WAIT_MS) }))
  if (!answer.ok) throw new Error(`status ${answer.status}`)
  const text = await answer.text()
  if (text.length > LONGEST) throw new Error('it is too long')
  return text
}

function fingerprintOf(pem: string): string {
  try {
    return fingerprint256(new X509Certificate(pem).raw)
  } catch {
    throw new BoxError('What the box serves at /ca.crt is not a certificate.')
  }
}
