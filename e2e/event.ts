/** The demo festival with its map, and a ticket of every kind, named by what it is for. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EventFile } from '../box/src/event/event.ts'

const DEMO = join(import.meta.dirname, '../box/demo')

export const EVENT = JSON.parse(readFileSync(join(DEMO, 'event.json'), 'utf8')) as EventFile
export const VENUE = readFileSync(join(DEMO, 'venue.geojson'), 'utf8')

const numbers = Array.from({ length: 40 }, (_, i) => i + 1)

/** Rows of the gatehouse CSV, without its header. */
export const TICKETS: readonly string[] = [
  ...numbers.map((n) => `DAY-${n},day,"Block ${1 + (n % 4)}, seat ${n}",Guest ${n},guest${n}@mail.example,,,valid`),
  ...numbers.map((n) => `PASS-${n},festival,,Regular ${n},,,,valid`),
  'LOUNGE-1,vip,"Table 1, seat 1",Callum Reis,callum@mail.example,,,valid',
  'LOUNGE-2,vip,"Table 1, seat 2",Ana Reis,,,,valid',
  'CREW-1,crew,,Oksana Costa,,,,valid',
  'PENDING-1,day,,,,,,pending',
  'BLOCKED-1,day,,,,,,blocked',
  'REVOKED-1,day,,,,,,revoked',
  'FUTURE-1,day,,,,2035-07-02T10:00:00+01:00,2035-07-02T22:00:00+01:00,valid',
]
