/** The sealed record (admin tier). `box/docs/sealed-record.md` explains it, and how a third party verifies it. */
import { type Static, Type } from 'typebox'
import { Base64, Count, Nullable, Shape, Words } from './terms.ts'

export const SealRequest = Shape('SealRequest', { actor: Type.Optional(Words) })

const SignedHead = Type.String({ description: 'C2SP checkpoint: a note with name, size and root, signed by the box' })

export const SealedHead = Shape('SealedHead', {
  size: Type.Integer({ minimum: 0, description: 'Entries that it covers' }),
  root: Type.String({ contentEncoding: 'base64', description: 'RFC 6962' }),
  checkpoint: SignedHead,
})

export const Verification = Shape('Verification', {
  ok: Type.Boolean({ description: 'Nothing speaks against the record' }),
  size: Count,
  root: Base64,
  seals: Count,
  problems: Type.Array(
    Shape('Problem', {
      index: Nullable(Type.Integer({ description: 'The first entry that it is about' })),
      kind: Type.String(),
      detail: Type.String(),
      count: Type.Integer({ minimum: 1, description: 'Number of these' }),
    }),
    { description: 'The first of each kind' },
  ),
})
export type Verification = Static<typeof Verification>

export const Attendance = Shape('Attendance', {
  attended: Type.Boolean({ description: 'An admission stands that nobody has taken back' }),
  entries: Type.Array(
    Shape('ProvenEntry', {
      index: Count,
      size: Type.Integer({ minimum: 1, description: 'Of the tree that the proof is for: the one of the checkpoint' }),
      entry: Type.String({ contentEncoding: 'base64', description: "The entry's canonical JSON" }),
      leaf_hash: Base64,
      proof: Type.Array(Base64, { description: 'RFC 6962 inclusion proof' }),
    }),
    { description: 'Every entry of the journal that is about this ticket, oldest first' },
  ),
  checkpoint: SignedHead,
})
export type Attendance = Static<typeof Attendance>

/** Progress of a verification that is under way. */
export const VerificationProgress = Shape('VerificationProgress', {
  running: Type.Boolean(),
  fraction: Type.Number({ minimum: 0, maximum: 1, description: 'Of the entries; 0 when none is running' }),
})
