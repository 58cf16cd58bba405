/** Paper lists of gates, and what was ticked on them (admin tier). */
import { type Static, Type } from 'typebox'
import { Coded, Count, Id, Nullable, Shape, Time, Words } from './terms.ts'

export const MOST_TICKED = 1_000

export const PaperListQuery = Shape('PaperListQuery', {
  gate: Id,
  order: Type.Optional(
    Type.Enum(['name', 'order'], { description: 'name when absent; order: by the code of the order' }),
  ),
  actor: Type.Optional(Words),
})

export const PaperRequest = Shape('PaperRequest', {
  paper_id: Type.Unsafe<string>({ ...Id, description: 'Made by the client, for one sheet' }),
  sheet: Type.String({ minLength: 1, maxLength: 40, description: 'Number of the sheet, as it is printed' }),
  checkpoint: Type.Unsafe<string>({ ...Id, description: 'The entrance where the sheet was used' }),
  from: Time,
  until: Time,
  codes: Type.Array(Type.String({ maxLength: 100 }), {
    minItems: 1,
    maxItems: MOST_TICKED,
    description: 'Short codes as they were typed; empty ones are left out',
  }),
  dry_run: Type.Boolean({ description: 'Only checks the codes' }),
  actor: Words,
})
export type PaperRequest = Static<typeof PaperRequest>

export const PaperLine = Shape('PaperLine', {
  line: Type.Integer({ minimum: 1, description: 'Its place in the request' }),
  typed: Type.String(),
  problem: Nullable(Type.String(), 'where the code is all right'),
  problem_coded: Type.Optional({ ...Coded, description: 'The same as a code' }),
  same_as: Nullable(Type.Integer({ description: 'The line with the same code before it: they count once' })),
  name: Nullable(Type.String(), 'where the box holds none'),
  tier_name: Nullable(Type.String(), 'where the code is of no ticket'),
  known: Type.Boolean({ description: 'It was typed in from this sheet before' }),
  verdict: Nullable(Type.String({ description: 'As of a scan' }), 'until it is recorded'),
  reason: Nullable(Type.String(), 'until it is recorded'),
  confidence: Nullable(Type.String(), 'until it is recorded'),
  flag: Nullable(Type.String({ description: 'The case that was opened for it' }), 'where there is none'),
})
export type PaperLine = Static<typeof PaperLine>

export const PaperAnswer = Shape('PaperAnswer', {
  recorded: Type.Boolean({
    description: 'false for a dry run, and while a line has a problem: then nobody was recorded',
  }),
  sheet: Type.String(),
  people: Type.Unsafe<number>({ ...Count, description: 'Tickets that are all right' }),
  problems: Count,
  flags: Count,
  lines: Type.Array(PaperLine),
})
export type PaperAnswer = Static<typeof PaperAnswer>
