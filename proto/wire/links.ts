/** The state of the box's links (admin tier): up to HQ, and down from the organiser's shop. */
import { type Static, Type } from 'typebox'
import { Coded, Count, Nullable, Shape, Time } from './terms.ts'

/** The fields of both links. Null where a value is not known or does not apply. */
const Link = {
  configured: Type.Boolean({ description: 'True if this box is set up for this direction' }),
  connected: Type.Boolean({ description: 'True while the other side is there' }),
  peer: Nullable(Type.String({ description: 'The other end: host and port, or the name in its certificate' })),
  position: Nullable(Type.String({ description: 'The commit up to which everything has arrived' })),
  last_at: Nullable({ ...Time, description: 'When a batch was last taken, by the clock of this box' }),
  lag_events: Nullable({ ...Count, description: 'Changes that have still to arrive, as far as is known' }),
  lag_seconds: Nullable(
    Type.Number({ minimum: 0, description: 'Since the oldest of them was committed; 0 when everything has arrived' }),
  ),
  last_error: Nullable(Type.String({ description: 'Why the last attempt failed; null once one succeeds' })),
  last_error_coded: Type.Optional(
    Type.Array(Coded, { description: 'The same as codes: each is a sentence, and they follow one another' }),
  ),
  retained_events: Nullable({ ...Count, description: 'Kept on the disk of this box until the other side has them' }),
  retained_bytes: Nullable({ ...Count, description: 'About how much room they take' }),
}

export const UpLink = Shape('UpLink', Link)
export type UpLink = Static<typeof UpLink>

/** A link that is not set up, or of which nothing is known yet. */
export const UNKNOWN_LINK: UpLink = {
  configured: false,
  connected: false,
  peer: null,
  position: null,
  last_at: null,
  lag_events: null,
  lag_seconds: null,
  last_error: null,
  retained_events: null,
  retained_bytes: null,
}

export const DownLink = Shape('DownLink', {
  ...Link,
  applied: Type.Integer({ minimum: 0, description: 'Rows that have taken effect at the gates' }),
  kept: Type.Integer({ minimum: 0, description: 'Rows that could not be applied, and wait for a person' }),
  problems: Type.Array(
    Shape('DownLinkProblem', {
      id: Type.String({ description: 'Of the change, as the feed gave it' }),
      table: Type.String(),
      reason: Type.String({ description: 'Without the ticket’s code' }),
      at: Time,
    }),
    { maxItems: 20, description: 'The newest of them' },
  ),
})
export type DownLink = Static<typeof DownLink>

export const Links = Shape('Links', { up: UpLink, down: DownLink })
export type Links = Static<typeof Links>
