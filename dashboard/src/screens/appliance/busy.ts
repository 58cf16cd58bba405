/** Work in progress that a restart would break off. Pure. */
import type { Appliance, UpdateState } from '@gatehouse/proto/wire/appliance.ts'

export function isBusy(update: Pick<UpdateState, 'state'> | null, machine: Pick<Appliance, 'backup'> | null): boolean {
  const { state: backup = 'idle' } = machine?.backup ?? {}
  return isMoving(update?.state) || ['making', 'copying'].includes(backup)
}

/** On its way into the box, or into a slot. */
export function isMoving(state: UpdateState['state'] | undefined): boolean {
  return state === 'uploading' || state === 'checking' || state === 'installing'
}
