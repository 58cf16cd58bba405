/** Renews the certificate that the box shows to HQ. */

import type { Authority } from '../../ca/authority.ts'
import { keepFeedIdentity } from '../../ca/feed-identity.ts'
import type { FeedName } from '../../ca/feed-name.ts'
import type { FileAccess } from '../../durable-file.ts'
import type { Logger } from '../../log.ts'

const LOOK_MS = 3_600_000

export interface UplinkIdentityDeps {
  authority: Authority
  logger: Logger
  /** Unix ms. */
  now: () => number
  /** The other reader of the certificate, besides the box. */
  access?: FileAccess | undefined
}

/** @throws when the first one cannot be written */
export async function keepUplinkIdentity(path: string, name: FeedName, deps: UplinkIdentityDeps): Promise<Disposable> {
  const { logger } = deps
  const look = async () => {
    if (await keepFeedIdentity(path, name, deps)) logger.info({ event: 'feed_certificate_made', box: name.box })
  }
  await look()
  const timer = setInterval(() => {
    look().catch((error) => logger.error({ event: 'feed_certificate_not_renewed', err: error }))
  }, LOOK_MS)
  timer.unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
