/** What happens at one box takes effect at all: this box's journal goes out, and those of the others are followed. */
import { and, isNull, notInArray } from 'drizzle-orm'
import { boxes } from '../../ledger/schema.ts'
import { cleanFile } from '../../tickets/forget.ts'
import { TicketVersions } from '../../tickets/versions.ts'
import { hasSameEvent } from './event-files.ts'
import type { HearDeps } from './hear.ts'
import { PeerSeals } from './peer-seals.ts'
import { Follower, type FollowerDeps, type HeardFrom } from './receive.ts'
import { Sender, type SenderDeps } from './send.ts'

export interface SpreadDeps
  extends Omit<HearDeps, 'versions'>,
    Pick<FollowerDeps, 'transport' | 'logger' | 'now'>,
    Pick<SenderDeps, 'newestSeal'> {}

/** As the topology has it. */
export interface KnownBox {
  id: string
  name: string
  /** C2SP verifier key of its sealed log. */
  logKey: string
}

export interface Spread extends AsyncDisposable {
  /** Who the boxes of the event are from now on, this one among them. One that is missing has left: what it did stays. */
  follow(known: readonly KnownBox[]): Promise<void>
  /** How each of the others is heard. */
  heardFrom(): HeardFrom[]
  /** Whether everything is here that those who answer have. */
  caughtUp(): boolean
  /** Asks everybody for what is missing, now. */
  ask(): void
  /** Calls `listener` when a seal of another box was held against its journal, and kept. */
  onSeal(listener: (box: string, size: number) => void): () => void
}

export async function openSpread(known: readonly KnownBox[], deps: SpreadDeps): Promise<Spread> {
  const { ledger, transport, logger, self, now } = deps
  const followers = new Map<string, Follower>()
  const sealListeners = new Set<(box: string, size: number) => void>()
  const otherEvent = new Map<string, string>()
  const seals = new PeerSeals({
    ...{ ledger, logger, now },
    onKept: (box, size) => {
      for (const listener of sealListeners) listener(box, size)
    },
  })
  await using opened = new AsyncDisposableStack()
  opened.defer(async () => {
    await Promise.all([...followers.values()].map((follower) => follower[Symbol.asyncDispose]()))
  })

  const followerDeps: FollowerDeps = {
    ...{ ...deps, versions: new TicketVersions(ledger.db) },
    onHeard: (box, entries) => {
      if (entries.some(({ kind }) => kind === 'event')) lookAtEvent(box)
      if (entries.some(({ kind }) => kind === 'erasure')) clean()
      void seals.check(box)
    },
    onSeal: (box, note) => {
      seals.take(box, note)
      void seals.check(box)
    },
  }

  function lookAtEvent(box: string): void {
    if (hasSameEvent(box, ledger) !== false) {
      otherEvent.delete(box)
      return
    }
    if (otherEvent.has(box)) return
    otherEvent.set(box, 'it goes by another event file: give both the same, and start the one that has the older')
    logger.warn({ event: 'mesh_event_file', box })
  }

  /** Somebody has asked for it after the event: the box stands still for as long as it takes. */
  function clean(): void {
    try {
      cleanFile(ledger.db)
    } catch (error) {
      logger.error({ event: 'mesh_erasure', err: error })
    }
  }

  async function follow(list: readonly KnownBox[]): Promise<void> {
    await ledger.commit(() => {
      const { drizzle } = ledger.db
      const ids = list.map(({ id }) => id)
      for (const { id, name, logKey } of list) {
        const set = { name, logKey, leftAt: null }
        drizzle
          .insert(boxes)
          .values({ id, ...set })
          .onConflictDoUpdate({ target: boxes.id, set })
          .run()
      }
      drizzle
        .update(boxes)
        .set({ leftAt: now() })
        .where(and(notInArray(boxes.id, ids), isNull(boxes.leftAt)))
        .run()
    })
    const others = new Set(list.map(({ id }) => id).filter((id) => id !== self))
    for (const [id, follower] of followers) {
      if (others.has(id)) continue
      followers.delete(id)
      await follower[Symbol.asyncDispose]()
    }
    for (const id of others) {
      if (followers.has(id)) continue
      followers.set(id, new Follower(id, followerDeps))
      lookAtEvent(id)
    }
  }

  const ask = () => {
    for (const follower of followers.values()) follower.ask()
  }
  transport.onPush((box, page) => followers.get(box)?.pushed(page))
  transport.onUrgent((box, page) => void followers.get(box)?.urgent(page))
  opened.defer(transport.onLink(ask))
  opened.use(new Sender(deps))
  await follow(known)

  const closing = opened.move()
  return {
    follow,
    heardFrom: () =>
      [...followers.values()].map(({ box, standing }) => ({
        ...standing,
        problem: standing.problem ?? seals.problemOf(box) ?? otherEvent.get(box),
      })),
    caughtUp: () =>
      [...followers.values()].every(({ standing }) => standing.caughtUp || standing.lastHeard === undefined),
    ask,
    onSeal(listener) {
      sealListeners.add(listener)
      return () => sealListeners.delete(listener)
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}
