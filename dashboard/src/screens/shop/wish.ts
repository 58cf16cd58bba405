/** Requests to the box of the form that connects a pretix. Pure. */
import type { ShopConnect } from '@gatehouse/proto/wire/shop.ts'

export interface Typed {
  url: string
  token: string
  /** PEM of a private authority; empty for the public ones. */
  authority: string
  organizer: string | null
  event: string | null
  /** Of a series; none for all of them. */
  dates: ReadonlySet<number>
}

export const NOTHING: Typed = { url: '', token: '', authority: '', organizer: null, event: null, dates: new Set() }

/** The form after a change: another address or token makes what was chosen of it worthless. */
export function typed(before: Typed, part: Partial<Typed>): Typed {
  const isOther = ['url', 'token', 'authority'].some((name) => name in part)
  return { ...before, ...(isOther && { organizer: null, event: null, dates: NOTHING.dates }), ...part }
}

/** Without a token, the box takes the one that it keeps for this address, with its authority. */
export function wishOf(
  { url, token, authority, organizer, event, dates }: Typed,
  step: ShopConnect['step'],
  actor?: string,
): ShopConnect {
  const given = token.trim()
  return {
    step,
    url: url.trim(),
    ...(given !== '' && { token: given, ...(authority !== '' && { authority }) }),
    ...(organizer !== null && { organizer }),
    ...(event !== null && { event }),
    ...(dates.size > 0 && { dates: [...dates].sort((a, b) => a - b) }),
    ...(actor !== undefined && { actor }),
  }
}
