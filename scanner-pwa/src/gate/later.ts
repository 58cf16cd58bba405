/**
 * Functions that wait for a person or for a box anyway: their code is no part of the core, which a phone fetches before its first scan.
 * It is fetched when they are first called; the service worker has it by then.
 */
import { reimporting } from '@gatehouse/proto/ui/reimport.ts'
import type { Details, DetailsDeps } from './details.ts'

export const loadPairing = reimporting(() => import('../pairing/enrol.ts'))
export const loadOverrides = reimporting(() => import('./overrides.ts'))
export const loadLookUp = reimporting(() => import('./look-up.ts'))
export const loadPreflight = reimporting(() => import('./preflight.ts'))
const loadDetails = reimporting(() => import('./details.ts'))

/** One for a pairing: it knows which groups have had no answer. */
export function laterDetails(deps: DetailsDeps): () => Promise<Details> {
  let details: Details | undefined
  return async () => {
    const module = await loadDetails()
    details ??= new module.Details(deps)
    return details
  }
}
