/** What happens at one box takes effect at all: this box's journal goes out, and those of the others are followed. */
import { boxes } from '../../ledger/schema.ts'
import { cleanFile } from '../../tickets/forget.ts'
import { TicketVersions } from '../../tickets/versions.ts'
import { type Membership, withGates } from '../membership.ts'
import { hasSameEvent } from './event-files.ts'
import type { HearDeps } from './hear.ts'
import { Pace } from './pace.ts'
import { PeerSeals, type PeerSealsDeps } from './peer-seals.ts'
import { Follower, type FollowerDeps } from './receive.ts'
import { Sender, type SenderDeps } from './send.ts'

export interface SpreadDeps
  extends Omit<HearDeps, 'versions'>,
    Pick<FollowerDeps, 'transport' | 'logger' | 'now'>,
    Pick<SenderDeps, 'newestSeal'> {
  membership: Pick<Membership, 'topology' | 'onChange'>
  /** Signs what was held against the copy here. */
  witness?: PeerSealsDeps['witness']
}

/** How another box is heard. */
export interface HeardFrom {
  /** When it last said anything, unix ms. */
  lastHeard: number
  /** Entries that it is known to have, and that are not here. */
  behind: number
  /** Of the list of boxes that it goes by, as it last said; undefined where it is of an older version. */
  epoch: number | undefined
  /** Why nothing is taken from it, or what somebody should look at; undefined while all is well. */
  problem: string | undefined
}

export interface Spread extends AsyncDisposable {
  /** By box: those that were heard since this one started. */
  heardFrom(): ReadonlyMap<string, HeardFrom>
  /** Whether everything is here that those who answer have. */
  caughtUp(): boolean
  /** Those who answer, and of whom nothing can be taken: why, by box. Nothing of theirs is on its way. */
  refused(): ReadonlyMap<string, string>
  /** Calls `listener` when whom this box hears, or how well, has changed. */
  onChange(listener: () => void): () => void
  /** Calls `listener` when a seal of another box was held against its journal, and kept. */
  onSeal(listener: (box: string, size: number) => void): () => void
}

export function openSpread(deps: SpreadDeps): Spread {
  const { ledger, transport, logger, self, now, membership } = deps
  const followers = new Map<string, Follower>()
  const sealListeners = new Set<(box: string, size: number) => void>()
  const otherEvent = new Map<string, string>()
  const seals = new PeerSeals({
    ...{ ledger, logger, now, witness: deps.witness },
    onKept: (box, size) => {
      for (const listener of sealListeners) listener(box, size)
    },
  })
  const changeListeners = new Set<() => void>()
  const stack = new AsyncDisposableStack()
  stack.defer(async () => {
    await Promise.all([...followers.values()].map((follower) => follower[Symbol.asyncDispose]()))
  })

  const tell = () => {
    for (const listener of changeListeners) listener()
  }
  const listed = () => (membership.topology ? withGates(membership.topology) : []).map(({ id }) => id)
  const followerDeps: FollowerDeps = {
    others: () => listed().filter((id) => id !== self),
    isGone: (box) => !listed().includes(box),
    ...{ ...deps, versions: new TicketVersions(ledger.db), onChange: tell },
    pace: new Pace({ now, heard: () => followers.size }),
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

  let changing: Promise<unknown> = Promise.resolve()
  /** Also one that has left: what it told somebody else before it went is asked for there. */
  const follow = () => {
    const left = ledger.db.drizzle.select({ id: boxes.id }).from(boxes).all()
    const known = [...listed(), ...(membership.topology ? left.map(({ id }) => id) : [])]
    const others = new Set(known.filter((id) => id !== self))
    for (const [id, follower] of followers) {
      if (others.has(id)) continue
      followers.delete(id)
      changing = changing.then(() => follower[Symbol.asyncDispose]())
    }
    for (const id of others) {
      if (followers.has(id)) continue
      followers.set(id, new Follower(id, followerDeps))
      lookAtEvent(id)
    }
    tell()
  }
  const ask = () => {
    for (const follower of followers.values()) follower.ask()
  }
  transport.onPush((box, page) => followers.get(box)?.pushed(page))
  transport.onUrgent((box, page) => void followers.get(box)?.urgent(page))
  stack.defer(transport.onLink(ask))
  stack.use(new Sender({ ...deps, epoch: () => membership.topology?.epoch }))
  stack.defer(membership.onChange(follow))
  follow()

  return {
    heardFrom: () =>
      new Map(
        [...followers.values()].flatMap(({ box, standing: { lastHeard, behind, epoch, problem } }) =>
          lastHeard === undefined
            ? []
            : [[box, { lastHeard, behind, epoch, problem: problem ?? seals.problemOf(box) ?? otherEvent.get(box) }]],
        ),
      ),
    caughtUp: () => [...followers.values()].every(({ standing }) => standing.caughtUp || standing.isSilent),
    refused: () =>
      new Map(
        [...followers.values()].flatMap(({ box, standing: { problem, caughtUp, isSilent } }) =>
          problem === undefined || caughtUp || isSilent ? [] : [[box, problem]],
        ),
      ),
    onChange(listener) {
      changeListeners.add(listener)
      return () => changeListeners.delete(listener)
    },
    onSeal(listener) {
      sealListeners.add(listener)
      return () => sealListeners.delete(listener)
    },
    async [Symbol.asyncDispose]() {
      await stack.disposeAsync()
      await changing
    },
  }
}
