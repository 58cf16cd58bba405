/**
 * The mesh, for as long as the box runs: started when the event has a second box and stopped when it has none, while the gates are
 * open. The box does not wait for it: it admits people from its first second, and marks what it cannot be sure of as provisional.
 */

import type { ModeSwitch } from '../rights/mode.ts'
import { type Reservations, singleBoxReservations } from '../rights/reservation.ts'
import { Subscribers } from '../subscribers.ts'
import type { Mesh } from './model.ts'
import { type MeshDeps, type RunningMesh, startMesh } from './running.ts'

/** A single box has nobody to ask, and its mode is what an admin has set. */
function singleBoxMesh(modeSwitch: ModeSwitch): Omit<Mesh, 'onChange' | typeof Symbol.asyncDispose> {
  return {
    reservations: singleBoxReservations(() => modeSwitch.mode),
    get mode() {
      return modeSwitch.mode
    },
    lease: () => ({ hold: async () => true }),
    status: () => undefined,
    unreachable: () => undefined,
  }
}

export function openMesh(deps: MeshDeps): Mesh {
  const { membership, modeSwitch, boxId, logger } = deps
  const single = singleBoxMesh(modeSwitch)
  const listeners = new Subscribers()
  let running: RunningMesh | undefined
  let changing: Promise<unknown> = Promise.resolve()
  let closed = false

  const follow = async () => {
    const { topology } = membership
    const isListed = topology?.boxes.some(({ id }) => id === boxId)
    const isMesh = isListed && topology && topology.boxes.length > 1
    if (closed) return
    if (isMesh && !running) {
      running = startMesh(deps, () => listeners.notify())
    } else if (isMesh) {
      await running?.apply()
    } else if (running) {
      const stopped = running
      running = undefined
      await stopped[Symbol.asyncDispose]()
    }
    if (topology && !isListed) await degradeRemovedBox(modeSwitch)
    else if (!isMesh) await restoreSingleBox(modeSwitch)
    listeners.notify()
  }
  const followSoon = () => {
    changing = changing.then(follow).catch((error) => logger.error({ event: 'mesh_not_followed', err: error }))
  }
  const unfollow = membership.onChange(followSoon)
  // Started before the first scan: where there are other boxes, its answer must not say `confirmed`.
  followSoon()

  const current = () => running ?? single
  const reservations: Reservations = {
    withoutAsking: () => current().reservations.withoutAsking(),
    reserve: (request) => current().reservations.reserve(request),
    reserveLater: (scanId) => current().reservations.reserveLater(scanId),
    release: (scanId, right, entry) => current().reservations.release(scanId, right, entry),
  }
  return {
    reservations,
    get mode() {
      return current().mode
    },
    // Found anew each time: the second box may come while the gates are open.
    lease: (name) => ({ hold: (held) => current().lease(name).hold(held) }),
    status: () => current().status(),
    unreachable: () => current().unreachable(),
    onChange: (listener) => listeners.add(listener),
    async [Symbol.asyncDispose]() {
      closed = true
      unfollow()
      await changing
      await running?.[Symbol.asyncDispose]()
    },
  }
}

/** The only box of the event has nobody whom it might not reach. */
async function restoreSingleBox(modeSwitch: ModeSwitch): Promise<void> {
  modeSwitch.setAutomatic(false)
  if (modeSwitch.mode === 'DEGRADED' && !modeSwitch.forced)
    await modeSwitch.change('STRICT', 'This box is the only one.')
}

/** The other boxes believe that this one is gone, and admit its tickets. It goes on, and every admission is provisional. */
async function degradeRemovedBox(modeSwitch: ModeSwitch): Promise<void> {
  modeSwitch.setAutomatic(false)
  await modeSwitch.change('DEGRADED', 'This box was taken off the list of boxes: the others do not ask it any more.')
}
