/**
 * The mesh, composed: a box's own nats-server, its claims, its mode, and what it hears. Begun when the event has a second box,
 * and ended when it has none, while the gates are open. The box does not wait for any of it: it admits from its first second,
 * and says what it does not know.
 */
import type { ModeSwitch } from '../control/mode.ts'
import { type Claim, claimAlone } from '../scan/claim.ts'
import type { Mesh } from './model.ts'
import { type MeshDeps, Running } from './running.ts'

/** One box: nobody to ask, and the mode is what an admin says. */
export function meshAlone(modeSwitch: ModeSwitch): Omit<Mesh, 'onChange' | typeof Symbol.asyncDispose> {
  return {
    claim: claimAlone(() => modeSwitch.mode),
    get mode() {
      return modeSwitch.mode
    },
    standing: () => undefined,
    unheard: () => undefined,
  }
}

export function openMesh(deps: MeshDeps): Mesh {
  const { membership, modeSwitch, boxId, logger } = deps
  const alone = meshAlone(modeSwitch)
  const listeners = new Set<() => void>()
  const tell = () => {
    for (const listener of listeners) listener()
  }
  let running: Running | undefined
  let changing: Promise<unknown> = Promise.resolve()
  let closed = false

  const follow = async () => {
    const { topology } = membership
    const isListed = topology?.boxes.some(({ id }) => id === boxId)
    const isOne = isListed && topology && topology.boxes.length > 1
    if (closed) return
    if (isOne && !running) {
      running = new Running(deps, tell)
    } else if (isOne) {
      await running?.apply()
    } else if (running) {
      const before = running
      running = undefined
      await before[Symbol.asyncDispose]()
    }
    if (topology && !isListed) await offTheList(modeSwitch)
    else if (!isOne) await aloneAgain(modeSwitch)
    tell()
  }
  const followSoon = () => {
    changing = changing.then(follow).catch((error) => logger.error({ event: 'mesh_not_followed', err: error }))
  }
  const unfollow = membership.onChange(followSoon)
  // Before the first scan, where there are others: what it is answered must not say `confirmed`.
  followSoon()

  const present = () => running ?? alone
  const claim: Claim = {
    secure: (wanted) => present().claim.secure(wanted),
    unasked: (scanId) => present().claim.unasked(scanId),
    giveBack: (scanId, right, entry) => present().claim.giveBack(scanId, right, entry),
  }
  return {
    claim,
    get mode() {
      return present().mode
    },
    standing: () => present().standing(),
    unheard: () => present().unheard(),
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async [Symbol.asyncDispose]() {
      closed = true
      unfollow()
      await changing
      await running?.[Symbol.asyncDispose]()
    },
  }
}

/** A box that has no others any more hears everybody there is. */
async function aloneAgain(modeSwitch: ModeSwitch): Promise<void> {
  modeSwitch.watched(false)
  if (modeSwitch.mode === 'DEGRADED' && !modeSwitch.forced)
    await modeSwitch.become('STRICT', 'This box is the only one.')
}

/** The others take this box for dead, and admit its tickets: it goes on, and says what it does not know. */
async function offTheList(modeSwitch: ModeSwitch): Promise<void> {
  modeSwitch.watched(false)
  await modeSwitch.become('DEGRADED', 'This box was taken off the list of boxes: the others do not ask it any more.')
}
