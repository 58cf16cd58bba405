/** Makes a ticket this phone's own. The claim is repeated with the same key until the box has answered it. */
import type { Answer, Box, Trouble } from '../box/client.ts'
import type { HeldKey, KeyRing } from '../store/key-ring.ts'
import type { Ed25519, TicketKey } from './ed25519.ts'
import { type Tickets, withoutSecret } from './tickets.ts'

export interface Claims {
  /** Looks up each ticket's key on this phone before the box is asked: without network, too, the right key makes the code. */
  restore(): void
  /**
   * Null when the ticket is this phone's; the reason otherwise, `unkept` when this browser stores no keys.
   * @throws where the part of the app that makes keys did not arrive: then nothing was sent
   */
  claim(id: string): Promise<Trouble | 'unkept' | null>
  /** Sends a claim whose key is stored, for the first time or once more: the same key gets the same answer. */
  send(id: string, held: HeldKey): Promise<Trouble | null>
  /** The phone's key of a ticket, once the box has confirmed the claim. */
  confirmedKey(held: HeldKey | undefined): Promise<TicketKey | undefined>
}

export interface ClaimDeps {
  box: Box
  keys: KeyRing
  engine: () => Promise<Ed25519>
  tickets: Tickets
}

export function ticketClaims({ box, keys, engine, tickets }: ClaimDeps): Claims {
  const keyOf = async ({ key }: HeldKey) => (await engine()).open(key)

  async function send(id: string, held: HeldKey): Promise<Trouble | null> {
    const key = await keyOf(held)
    const answer: Answer<true> = key ? await box.claim(id, key) : { ok: false, trouble: 'refused' }
    const weak = isWeak(held)
    const isNoted = answer.ok && (await didIt(keys.confirm(id)))
    if (isNoted) {
      const view = tickets.find(id)?.view
      tickets.change(id, {
        claim: 'mine',
        weak,
        trouble: null,
        released: false,
        lost: false,
        ...(view && { view: { ...withoutSecret(view), claimed: true } }),
      })
      return null
    }
    if (answer.ok || answer.trouble === 'unreachable' || answer.trouble === 'busy') {
      // The box may have taken the claim all the same. The key stays, and the claim is sent again: it gets the same answer.
      tickets.change(id, { claim: 'unsure', weak })
      return answer.ok ? 'busy' : answer.trouble
    }
    // A key that stays is refused again at the next refresh.
    await didIt(keys.drop(id))
    tickets.change(id, { claim: 'none', trouble: answer.trouble })
    return answer.trouble
  }

  return {
    restore() {
      for (const { id } of tickets.all.peek())
        void keys.of(id).then((held) => {
          // Stored as claimed is only a claim of this phone.
          const lost = !held && tickets.find(id)?.view?.claimed === true
          tickets.change(id, { claim: claimOf(held), weak: isWeak(held), lost })
        })
    },
    async claim(id) {
      const made = await (await engine()).generate()
      const held = await keys.holdFirst(id, made).catch(() => undefined)
      return held ? send(id, held) : 'unkept'
    },
    send,
    confirmedKey: async (held) => (held?.confirmed ? keyOf(held) : undefined),
  }
}

/** @returns false where it failed */
function didIt(work: Promise<void>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  )
}

export function claimOf(held: HeldKey | undefined): 'none' | 'unsure' | 'mine' {
  return !held ? 'none' : held.confirmed ? 'mine' : 'unsure'
}

/** True for a key that a script could read. */
export function isWeak(held: HeldKey | undefined): boolean {
  return held !== undefined && 'seed' in held.key
}
