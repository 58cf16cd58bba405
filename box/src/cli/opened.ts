/** Opens the event and its ledger for a command, beside a running box or without one. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { eventTag } from '@gatehouse/proto/code.ts'
import type { Config } from '../config.ts'
import { type Event, readEvent } from '../event/event.ts'
import type { Identity } from '../ledger/identity.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { openLedger } from '../ledger/open.ts'
import { type BoxKeys, keysOf } from '../seal/verifier-key.ts'
import { CodeReader } from '../tickets/codes.ts'
import { Tickets } from '../tickets/tickets.ts'
import { UsageError } from '../usage.ts'

export interface Opened extends Disposable {
  event: Event
  ledger: Ledger
  identity: Identity
  keys: BoxKeys
}

/** @throws EventFileError, LedgerFileError */
export async function openBeside({ dataDir, eventDir }: Pick<Config, 'dataDir' | 'eventDir'>): Promise<Opened> {
  const event = await readEvent(eventDir)
  const { ledger, identity } = openLedger({ dataDir, eventId: event.id, wallClock: Date.now })
  const keys = keysOf(event.id, identity)
  return { event, ledger, identity, keys, [Symbol.dispose]: () => ledger[Symbol.dispose]() }
}

export async function ticketsOf({ event, ledger, identity }: Opened): Promise<{ tickets: Tickets; codes: CodeReader }> {
  const codes = new CodeReader(identity.manifestSalt, await eventTag(event.id))
  return { tickets: new Tickets(ledger.db, identity.refKey), codes }
}

/** For a command that is to make none. @throws UsageError */
export function requireLedger({ dataDir }: Config): void {
  if (existsSync(join(dataDir, 'ledger.db'))) return
  throw new UsageError(
    `There is no ledger in ${dataDir}: start the box once, or name its folder with GATEHOUSE_DATA_DIR.`,
  )
}

/** The port that others are told of, or that the box here is asked at. @throws UsageError where the box picks one */
export function requireHttpsPort({ httpsPort }: Config): void {
  if (httpsPort !== 0) return
  throw new UsageError('GATEHOUSE_HTTPS_PORT is 0: set it to the port that the box printed when it started.')
}
