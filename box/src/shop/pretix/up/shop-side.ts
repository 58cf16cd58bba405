/** The rest of the connection to pretix, as the push uses it: tickets and lists as they come down, and HTTP. */
import type { Answer, Next, NoAnswer } from './next-step.ts'
import type { Progress } from './outbox.ts'
import type { Sale } from './sale.ts'
import type { SentOtherwise } from './sent-as.ts'

/** A ticket as pretix knows it. */
export interface Position {
  /** Of the order position: it never changes. Null while its order has not come: pretix knows it by its code. */
  readonly id: number | null
  /** The newest code that is known here. */
  readonly secret: string
}

/** A successful check-in of pretix. */
export interface TheirCheckin {
  readonly list: number
  readonly type: string
  /** Unix ms. */
  readonly at: number
  /** Null for one of a team's token. */
  readonly device: number | null
}

export interface ShopSide {
  /** Names server, organizer and event. */
  readonly target: string
  /** Names its device there and the lists: where it differs, pretix may not know a nonce that is sent once more. */
  readonly as: string
  /** Of the token; null for a team's. */
  readonly device: number | null
  /** Slug of the event there. */
  readonly event: string
  /**
   * @returns `unknown` where the ticket is not here yet: another box's import is still to come; `not_of_shop` for one that came by file
   *   or was sold at the desk
   */
  positionOf(ticket: string): Position | 'unknown' | 'not_of_shop'
  /** The check-in list for passages of this ticket at a checkpoint; undefined where the organiser has mapped none. */
  listOf(checkpoint: string, ticket: string | null): number | undefined
  /** All answers of a ticket that were given at gates, by question id. */
  answersOf(ticket: string): Readonly<Record<string, string>>
  /**
   * The body of the order for a walk-up sale.
   * @returns `unknown` where its tickets are not here yet; or why pretix can have none
   */
  orderOf(sale: Sale): { positions: readonly object[] } | 'unknown' | Next
  /**
   * Asks for a ticket's check-ins at every list.
   * @returns undefined where it cannot be asked for: its order has not come. Or why nothing can be asked now
   */
  checkinsOf(ticket: string): Promise<readonly TheirCheckin[] | Extract<Next, { next: 'wait' | 'pause' }> | undefined>
  /** Fetches the order of a ticket anew, because pretix does not know its code. */
  refresh(ticket: string): Promise<void>
  /**
   * `POST` below `/api/v1/organizers/{organizer}/`. Whatever goes wrong is a value: the call may have been carried out.
   */
  post(path: string, body: object, signal: AbortSignal): Promise<Answer | NoAnswer>
}

/** Of several boxes one speaks with pretix. */
export interface Speaker {
  /**
   * Asked before each batch. When this resolves with true, the progress is where a box that takes over finds it.
   * @returns false where another box speaks, or nobody can know
   */
  maySpeak(progress: () => Progress & Partial<SentOtherwise>): Promise<boolean>
}
