/** HQ's PostgreSQL schema, `gatehouse`, which stands beside whatever else the organiser keeps in the database. */
import { bigint, pgSchema, timestamp } from '../drizzle/postgres.ts'

export const hq = pgSchema('gatehouse')

export const time = (name: string) => timestamp(name, { withTimezone: true, mode: 'string' })
export const whole = (name: string) => bigint(name, { mode: 'number' })
