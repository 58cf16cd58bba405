/**
 * Connecting from the screen Shop. Whoever has an admin's session may have the box ask any address for pretix's paths, so that it asks
 * for little: https alone except on this machine, no redirect, one step at a time, bounded in time and in bytes, and of an answer only
 * what the schema names is shown. The token is in no answer, log line or journal entry.
 */
import { coded } from '@gatehouse/proto/said.ts'
import type { ShopConnect, ShopConnected, ShopFound, ShopTrial } from '@gatehouse/proto/wire/shop.ts'
import type { By } from '../../ca/actor.ts'
import { GatehouseError } from '../../errors.ts'
import type { EventFile } from '../../event/event.ts'
import { EventFileError } from '../../event/mistakes.ts'
import type { Logger } from '../../log.ts'
import { id, text } from '../../tickets/import/pretix-json.ts'
import { MappingError } from '../mapping.ts'
import { type MappingCode, mappingCodes } from '../mapping-codes.ts'
import { PretixApi, type PretixApiOptions, readAddress } from './api.ts'
import { datesOf } from './catalog.ts'
import { carryOut, credentialsFor, type Plan, planOf, rehearsePlan, requireNoFeed } from './connect.ts'
import { certificatesIn } from './connection.ts'
import { nameOf } from './discover.ts'
import { type PretixCode, PretixError, toAskAgain } from './errors.ts'
import { MAPPING_FILE } from './mapping.ts'
import { proposedIn } from './propose.ts'
import type { RehearsalDeps } from './rehearse.ts'

export interface ConnectingDeps {
  /** Of the event that is connected, which a box on the demo has not opened yet. */
  dataDir: string
  eventDir: string
  shopFile: string | undefined
  /** Tickets of the box; undefined where they are another event's. */
  known: RehearsalDeps['known']
  isErased: () => boolean
  /** Writes the event file where there is none. @throws GatehouseError */
  writeEvent: (json: EventFile, by: By) => Promise<void>
  /** True if the event file counts from the next start on. */
  isPending: () => Promise<boolean>
  logger: Logger
  /** Unix ms. */
  now: () => number
}

/** For everything that one step asks, without a dry run's orders. */
const STEP_MS = 90_000
/** A hundred thousand orders at the rate that hosted pretix allows are six minutes. */
const TRIAL_MS = 30 * 60_000
const REQUEST_MS = 20_000
const MOST_BYTES = 16 * 1024 * 1024
const MOST_LISTED = 1000

interface Trial {
  shown: ShopTrial
  end: () => Promise<void>
}

const NO_TRIAL: ShopTrial = { state: 'none', read: 0, orders: null, problem: null }

export class Connecting implements AsyncDisposable {
  readonly #deps: ConnectingDeps
  #isBusy = false
  #trial: Trial | undefined

  constructor(deps: ConnectingDeps) {
    this.#deps = deps
  }

  /** The dry run that was begun last. */
  get trial(): ShopTrial {
    return this.#trial?.shown ?? NO_TRIAL
  }

  /** @throws GatehouseError `rate_limited` while another step is taken; `bad_request`, `conflict` with what to do */
  async take(request: ShopConnect, by: By): Promise<ShopConnected> {
    if (this.#isBusy) {
      throw new GatehouseError('rate_limited', 'pretix is being asked already: try again in a moment.', {
        retryAfterSeconds: 2,
      })
    }
    this.#isBusy = true
    try {
      return await this.#take(request, by)
    } catch (error) {
      throw answerable(error)
    } finally {
      this.#isBusy = false
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#trial?.end()
  }

  async #take(request: ShopConnect, by: By): Promise<ShopConnected> {
    const { dataDir, eventDir, now, isPending } = this.#deps
    requireNoFeed(this.#deps)
    const { href: url } = readAddress(request.url)
    const credentials = await credentialsFor({ dataDir, url, token: request.token, authority: authorityIn(request) })
    const { access, authority, isExchanged: exchanged } = credentials
    const options = { url, token: access.token, ca: authority?.pem, timeoutMs: REQUEST_MS, mostBytes: MOST_BYTES }
    const wanted = { ...request, dates: (request.dates ?? []).map(String) }
    const plan = await asking(options, STEP_MS, (api) => planOf(api, credentials, wanted, { url, eventDir, now }))
    const answer = { choose: null, found: null, exchanged, connected: false, pending: false }
    if ('what' in plan) {
      const choices = plan.choices.slice(0, MOST_LISTED).map(({ date = null, ...one }) => ({ ...one, date }))
      return { ...answer, choose: { what: plan.what, choices } }
    }
    const found = foundIn(plan, eventDir)
    if (request.step === 'dry_run') await this.#begin(plan, options)
    if (request.step !== 'connect') return { ...answer, found }
    await this.#carryOut(plan, by)
    return { ...answer, found, connected: true, pending: await isPending() }
  }

  async #carryOut(plan: Plan, by: By): Promise<void> {
    const { dataDir, eventDir, writeEvent, logger } = this.#deps
    await carryOut(plan, { dataDir, eventDir, writeEvent: (json) => writeEvent(json, by) })
    logger.info({ event: 'shop_connected', wrote_event: plan.eventFile !== null })
  }

  /** Ends the dry run before it: there is one at a time. */
  async #begin(plan: Plan, options: PretixApiOptions): Promise<void> {
    await this.#trial?.end()
    const { known, isErased } = this.#deps
    const shown: ShopTrial = { ...NO_TRIAL, state: 'reading' }
    const ending = new AbortController()
    const onProgress = (read: number, orders: number) => Object.assign(shown, { read, orders })
    const running = asking(
      options,
      TRIAL_MS,
      (api) => rehearsePlan(api, plan, { known, isErased: isErased(), onProgress }),
      ending.signal,
    ).then(
      (report) => Object.assign(shown, { state: 'done', report }),
      (error: unknown) => {
        const { message } = answerable(error)
        const codes = codesOf(error)
        Object.assign(shown, { state: 'failed', problem: message, ...(codes.length > 0 && { problem_coded: codes }) })
      },
    )
    const end = async () => {
      ending.abort()
      await running
    }
    this.#trial = { shown, end }
  }
}

/** Work with a client that ends with it, when it takes longer, or at the signal. @throws PretixError `unreachable` where it is late */
async function asking<T>(
  options: PretixApiOptions,
  ms: number,
  work: (api: PretixApi) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  await using api = new PretixApi(options)
  let isLate = false
  const end = () => void api[Symbol.asyncDispose]()
  const timer = setTimeout(() => {
    isLate = true
    end()
  }, ms)
  signal?.addEventListener('abort', end)
  try {
    return await work(api)
  } catch (error) {
    if (!isLate) throw error
    throw new PretixError(`${api.host} has not answered everything within ${ms / 60_000} minutes: try again later.`, {
      kind: 'unreachable',
      coded: [coded('timed_out', { host: api.host, minutes: ms / 60_000 })],
      cause: error,
    })
  } finally {
    clearTimeout(timer)
  }
}

/** An authority comes with the token that it is for: nobody has a token that is kept sent to a machine of their own. */
function authorityIn({ token, authority }: ShopConnect) {
  if (authority === undefined) return undefined
  if (token !== undefined) return { pem: certificatesIn(authority, 'The file of the private authority'), path: null }
  throw new GatehouseError('bad_request', 'Give the token with the private authority: the box keeps both together.')
}

function foundIn(
  { found, event, mapping, rights, connection, eventFile, mappingFile }: Plan,
  folder: string,
): ShopFound {
  const { products, lists } = proposedIn(found, event, mapping)
  const taken = connection.subevents
  const windows = datesOf(found.subevents, null, event)
  const dates = found.subevents.flatMap((date) => {
    const number = Number(id(date.id) ?? Number.NaN)
    if (Number.isNaN(number)) return []
    const isTaken = taken === null || taken.includes(number)
    const admits = windows.get(String(number)) ?? null
    return [{ id: number, name: nameOf(date.name), at: text(date.date_from), taken: isTaken, admits }]
  })
  return {
    ...{ organizer: connection.organizer, event: connection.event, name: nameOf(found.event.name), rights, folder },
    products: products.slice(0, MOST_LISTED),
    lists: lists.slice(0, MOST_LISTED).map(({ checkpoints, ...list }) => ({ ...list, checkpoints: [...checkpoints] })),
    dates: dates.slice(0, MOST_LISTED),
    writes_event: eventFile !== null,
    writes_mapping: mappingFile !== null,
  }
}

function codesOf(error: unknown): (PretixCode | MappingCode)[] {
  if (error instanceof PretixError) return [...toAskAgain(error).coded]
  if (error instanceof MappingError) return mappingCodes(error, MAPPING_FILE)
  return error instanceof Error && 'syscall' in error && 'code' in error
    ? [coded('box_cannot_write', { why: String(error.code) })]
    : []
}

/** In words for whoever is at the screen. */
function answerable(error: unknown): Error {
  const why = { cause: error, coded: codesOf(error) }
  if (error instanceof PretixError) {
    const { message, kind, retryAfterMs = 5_000 } = toAskAgain(error)
    if (kind === 'busy') {
      return new GatehouseError('rate_limited', message, {
        retryAfterSeconds: Math.ceil(retryAfterMs / 1000),
        ...why,
      })
    }
    return new GatehouseError(kind === 'unreachable' ? 'conflict' : 'bad_request', message, why)
  }
  // Each of its codes needs the place in the file beside it, which only the message has.
  if (error instanceof EventFileError) return new GatehouseError('conflict', error.message, { cause: error })
  if (error instanceof MappingError) return new GatehouseError('conflict', error.message, why)
  if (error instanceof GatehouseError) return error
  if (error instanceof Error && 'syscall' in error && 'code' in error) {
    return new GatehouseError(
      'conflict',
      `The box cannot write its files (${error.code}): look at its folders and disk.`,
      why,
    )
  }
  return error instanceof Error ? error : new Error(String(error))
}
