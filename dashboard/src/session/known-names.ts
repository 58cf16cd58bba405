/**
 * Names of people who have signed in with name and PIN in this browser, the last one first: on a shared tablet somebody takes over by a
 * press and the PIN. Names alone: nobody is signed in by one. What was stored is not trusted.
 */
import { cleanActor } from './stored.ts'

const NAME = 'gatehouse-people'
const MOST = 8

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

export function knownNames(storage: () => Store = () => localStorage): string[] {
  try {
    const stored: unknown = JSON.parse(storage().getItem(NAME) ?? '[]')
    if (!Array.isArray(stored)) return []
    const names = stored.map((text) => (typeof text === 'string' ? cleanActor(text) : null))
    return [...new Set(names.filter((name) => name !== null))].slice(0, MOST)
  } catch {
    // No storage, or what is in it is not ours.
    return []
  }
}

export function rememberName(name: string, storage: () => Store = () => localStorage): void {
  const others = knownNames(storage).filter((other) => other !== name)
  write(() => storage().setItem(NAME, JSON.stringify([name, ...others].slice(0, MOST))))
}

export function forgetNames(storage: () => Store = () => localStorage): void {
  write(() => storage().removeItem(NAME))
}

function write(how: () => void): void {
  try {
    how()
  } catch {
    // A browser without storage has the name typed each time.
  }
}
