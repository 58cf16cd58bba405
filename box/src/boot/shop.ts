/** Composes the part of the box that receives the shop's changes: by a feed of its database, or from a connected pretix. */
import { stat } from 'node:fs/promises'
import type { DownLink } from '@gatehouse/proto/wire/links.ts'
import type { Shop as ShopState } from '@gatehouse/proto/wire/shop.ts'
import type { ShopStats } from '@gatehouse/proto/wire/stats.ts'
import type { Config } from '../config.ts'
import { reported } from '../hq/uplink/link.ts'
import { type Downlink, noDownlink, openDownlink } from '../shop/downlink.ts'
import { findMapping, MappingError } from '../shop/mapping.ts'
import { type MappingCode, mappingCodes } from '../shop/mapping-codes.ts'
import { connectionPath, readConnection } from '../shop/pretix/connection.ts'
import { type PretixCode, PretixError } from '../shop/pretix/errors.ts'
import { MAPPING_FILE, mappingPath } from '../shop/pretix/mapping.ts'
import { openPretixLink, type PretixDeps, type PretixLink } from '../shop/pretix/open.ts'
import type { LateTickets } from '../tickets/late-tickets.ts'

type DownlinkDeps = Omit<Parameters<typeof openDownlink>[1], 'mapping'> &
  Pick<PretixDeps, 'flags' | 'scans' | 'overrides' | 'boxId' | 'lease'> & { lateTickets: LateTickets }

/** A running box sees within this time that a shop was connected, or its mapping edited. */
const LOOK_MS = 3_000
const BOTH =
  'There are a shop.yaml and a connected pretix, and a box takes one shop: remove the one, or run "gatehouse shop disconnect".'

const ABSENT = 'absent'

type Follows = ShopState['follows']

/** Behaves as if there were no shop until it is opened: reading the shop's rows again must not delay the opening of gates. */
export class Shop implements AsyncDisposable {
  #downlink: Downlink = noDownlink()
  #pretix: PretixLink | undefined
  #follows: Follows = 'nothing'
  #problemCoded: readonly (PretixCode | MappingCode)[] = []
  #timer: NodeJS.Timeout | undefined
  #files = ''
  #looking: Promise<void> = Promise.resolve()

  /** A mistake in the mapping must not keep gates closed either; it is reported until it is corrected. */
  async open(config: Config, deps: DownlinkDeps): Promise<void> {
    try {
      const found = findMapping(config, deps.event)
      if (found) {
        this.#follows = 'database'
        this.#downlink = await openDownlink({ ...config, shopFile: found.path }, { ...deps, mapping: found.mapping })
        if (await readConnection(config.dataDir)) deps.logger.error({ event: 'shop_pretix', problem: BOTH })
        return
      }
    } catch (error) {
      this.#follows = 'database'
      this.#downlink = this.#mistaken(error, deps, config.shopFile ?? 'shop.yaml')
      return
    }
    deps.lateTickets.bring = (code) => this.#pretix?.bring(code)
    await this.#look(config, deps)
    const again = () => {
      this.#looking = this.#looking
        .then(() => this.#look(config, deps))
        .catch((error) => deps.logger.error({ event: 'shop_pretix', err: error }))
    }
    this.#timer = setInterval(again, LOOK_MS).unref()
  }

  /** Port of the receiver of the shop's changes; undefined if no shop is mapped. */
  get port(): number | undefined {
    return this.#downlink.port
  }

  links(): DownLink {
    const links = this.#downlink.links()
    if (links.last_error === null) return links
    const known = this.#pretix ? (this.#pretix.describe().down.last_error_coded ?? []) : this.#problemCoded
    return { ...links, last_error_coded: known.length > 0 ? [...known] : reported('shop_refused', links.last_error) }
  }

  stats(): ShopStats | undefined {
    return this.#downlink.stats()
  }

  /** The connected pretix; undefined where there is none. */
  get pretix(): PretixLink | undefined {
    return this.#pretix
  }

  get follows(): Follows {
    return this.#follows
  }

  /** Reason why the shop that is set up cannot be followed. */
  get problem(): string | null {
    return this.#pretix ? null : this.#downlink.links().last_error
  }

  /** The same as codes. */
  get problemCoded(): readonly (PretixCode | MappingCode)[] {
    return this.#pretix ? [] : this.#problemCoded
  }

  /** Writes the configuration of the feed of the shop's database; undefined if the box does not run this feed itself. */
  prepareFeed(): Promise<string | undefined> {
    return this.#downlink.prepareFeed()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    await this.#looking
    await this.#downlink[Symbol.asyncDispose]()
  }

  /** Opens the connected pretix; again when its files were changed. */
  async #look(config: Config, deps: DownlinkDeps): Promise<void> {
    const stamps = await Promise.all([connectionPath(config.dataDir), mappingPath(config.eventDir)].map(stampOf))
    const files = stamps.join(' ')
    if (files === this.#files) return
    this.#files = files
    const before = this.#downlink
    this.#pretix = undefined
    this.#follows = stamps[0] === ABSENT ? 'nothing' : 'pretix'
    this.#downlink = noDownlink()
    this.#problemCoded = []
    await before[Symbol.asyncDispose]()
    try {
      const connection = await readConnection(config.dataDir)
      if (!connection) return
      const { liveScans } = deps.ledger
      this.#pretix = await openPretixLink(connection, config.eventDir, {
        ...deps,
        areScanned: () => liveScans.areRecent,
      })
      this.#downlink = this.#pretix
    } catch (error) {
      this.#downlink = this.#mistaken(error, deps, MAPPING_FILE)
    }
  }

  /** @param mapping path of the mapping that is followed */
  #mistaken(error: unknown, { logger }: DownlinkDeps, mapping: string): Downlink {
    if (!(error instanceof MappingError || error instanceof PretixError)) throw error
    logger.error({ event: 'shop_mapping', problem: error.message })
    this.#problemCoded = error instanceof PretixError ? error.coded : mappingCodes(error, mapping)
    return noDownlink(error.message)
  }
}

async function stampOf(path: string): Promise<string> {
  const there = await stat(path).catch(() => undefined)
  return there ? `${there.ino}/${there.mtimeMs}/${there.size}` : ABSENT
}
