/** An event that has one of everything, for tests: small enough to know by heart. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EventFile } from '../../src/event/event.ts'

export const TEST_EVENT = {
  id: 'test-fair',
  name: 'Test Fair',
  timezone: 'Europe/Lisbon',
  starts_at: '2026-07-01T10:00:00+01:00',
  ends_at: '2036-07-05T02:00:00+01:00',
  day_starts_at: '06:00',
  tiers: [
    { id: 'once', name: 'Day ticket', colour: '#2F80ED', entry: 'once' },
    { id: 'daily', name: 'Pass', colour: '#219653', entry: 'once_per_day' },
    { id: 'reentry', name: 'Flex', colour: '#9B51E0', entry: 'reentry' },
    { id: 'crew', name: 'Crew', colour: '#F2994A', entry: 'unlimited', static_code: 'always' },
    { id: 'vip', name: 'VIP', colour: '#EB5757', entry: 'once' },
    { id: 'phone', name: 'Phone only', colour: '#56CCF2', entry: 'once', static_code: 'never' },
  ],
  zones: [
    { id: 'arena', name: 'Arena', capacity: 5000 },
    { id: 'lounge', name: 'Lounge', capacity: 100 },
  ],
  gates: [
    { id: 'a', name: 'Gate A' },
    { id: 'b', name: 'Gate B' },
    { id: 'v', name: 'VIP stairs' },
  ],
  checkpoints: [
    {
      id: 'a-in',
      name: 'A entry',
      gate: 'a',
      direction: 'in',
      from: null,
      to: 'arena',
      tiers: ['once', 'daily', 'reentry', 'crew', 'phone'],
    },
    {
      id: 'a-out',
      name: 'A exit',
      gate: 'a',
      direction: 'out',
      from: 'arena',
      to: null,
      tiers: ['once', 'daily', 'reentry', 'crew', 'vip', 'phone'],
    },
    {
      id: 'b-in',
      name: 'B entry',
      gate: 'b',
      direction: 'in',
      from: null,
      to: 'arena',
      tiers: ['once', 'daily', 'reentry', 'crew', 'vip', 'phone'],
    },
    {
      id: 'late-in',
      name: 'Late entry',
      gate: 'b',
      direction: 'in',
      from: null,
      to: 'arena',
      tiers: ['once', 'daily', 'reentry', 'crew'],
      opens_at: '2036-07-01T10:00:00+01:00',
    },
    {
      id: 'v-in',
      name: 'Lounge entry',
      gate: 'v',
      direction: 'in',
      from: 'arena',
      to: 'lounge',
      tiers: ['vip', 'crew'],
    },
    {
      id: 'v-out',
      name: 'Lounge exit',
      gate: 'v',
      direction: 'out',
      from: 'lounge',
      to: 'arena',
      tiers: ['vip', 'crew'],
    },
  ],
} satisfies EventFile

/** Writes an event folder. @param options.tickets rows of the gatehouse CSV, without its header; `venue`: its map */
export function writeEventFolder(
  folder: string,
  options: { event?: EventFile; tickets?: readonly string[]; venue?: string } = {},
): string {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'event.json'), JSON.stringify(options.event ?? TEST_EVENT))
  if (options.venue !== undefined) writeFileSync(join(folder, 'venue.geojson'), options.venue)
  const header = 'code,tier,seat,holder_name,email,valid_from,valid_until,status'
  writeFileSync(join(folder, 'tickets.csv'), [header, ...(options.tickets ?? TEST_TICKETS)].join('\n'))
  return folder
}

/** One ticket for each thing that can be said about a ticket. */
export const TEST_TICKETS: readonly string[] = [
  'ONCE-1,once,"Row 1, seat 2",Ana Reis,ana@mail.example,,,valid',
  'ONCE-2,once,,,,,,valid',
  'DAILY-1,daily,,,,,,valid',
  'FLEX-1,reentry,,,,,,valid',
  'CREW-1,crew,,,,,,valid',
  'VIP-1,vip,,,,,,valid',
  'PHONE-1,phone,,,,,,valid',
  'PENDING-1,once,,,,,,pending',
  'BLOCKED-1,once,,,,,,blocked',
  'REVOKED-1,once,,,,,,revoked',
  'FUTURE-1,once,,,,2036-07-02T10:00:00+01:00,2036-07-02T22:00:00+01:00,valid',
  'PAST-1,once,,,,2020-07-02T10:00:00+01:00,2020-07-02T22:00:00+01:00,valid',
]
