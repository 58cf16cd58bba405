/** Keeps what the box shows to HQ current while it runs. */

import type { Authority } from '../../ca/authority.ts'
import { keepFeedIdentity } from '../../ca/feed-identity.ts'
import type { FeedName } from '../../ca/feed-name.ts'
import type { Logger } from '../../log.ts'

const LOOK_MS = 3_600_000

export interface UpIdentityDeps {
  authority: Authority
  logger: Logger
  /** Unix ms. */
  now: () => number
}

/** @throws when the first one cannot be written */
export async function keepUpIdentity(path: string, name: FeedName, deps: UpIdentityDeps): Promise<Disposable> {
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
