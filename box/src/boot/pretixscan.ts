/** Composes the port for pretixSCAN: nothing, until the operator sets one. */

import { pretixKey } from '../event/pretix-key.ts'
import type { Listeners } from '../http/listeners.ts'
import { TokenBuckets } from '../http/token-bucket.ts'
import { stillPaired } from '../pretixscan/bearer.ts'
import { Handles } from '../pretixscan/handles.ts'
import { eventIds } from '../pretixscan/ids.ts'
import { PretixScanListener } from '../pretixscan/listener.ts'
import { Pace } from '../pretixscan/pace.ts'
import { Repeats } from '../pretixscan/repeat.ts'
import { Searches } from '../pretixscan/search.ts'
import { PhoneClocks } from '../scan/phone-clocks.ts'
import type { Domain } from './domain.ts'
import type { Peers } from './peers.ts'
import type { Start, Storage } from './storage.ts'
import type { Views } from './views.ts'

/** Factor on a device's rate for what it let in without the box. */
const UPLOADS = 25

export class PretixScan implements AsyncDisposable {
  #listener: PretixScanListener | undefined
  #paces: readonly Pace[] = []
  /** By device: the app and its version, as it has told them since the box started. */
  readonly #software = new Map<string, string>()

  /** Undefined where it is off. */
  get port(): number | undefined {
    return this.#listener?.port
  }

  /** When a device was last slowed since the box started, unix ms. */
  slowedAt(device: string): number | undefined {
    const times = this.#paces.flatMap((pace) => pace.slowedAt(device) ?? [])
    return times.length > 0 ? Math.max(...times) : undefined
  }

  /** The app of a device and its version; undefined where it has told none since the box started. */
  softwareOf(device: string): string | undefined {
    return this.#software.get(device)
  }

  /** @throws GatehouseError when the port cannot be opened */
  async open(deps: Start & Storage & Domain & Peers & Views & { listeners: Listeners }): Promise<void> {
    const { config, event, ledger, logger, now, monotonic, mesh, counts, sold, listeners, roster } = deps
    if (config.pretixScanPort === undefined) return
    const buckets = (perSecond: number, burst: number) => new TokenBuckets({ perSecond, burst, now: monotonic })
    const requirePaired = stillPaired({ roster, now })
    const pace = (perSecond: number, burst: number) =>
      new Pace({ ...{ logger, now, stillPaired: requirePaired }, buckets: buckets(perSecond, burst) })
    const { scansPerSecond, scanBurst } = config
    const paces = {
      scanPace: pace(scansPerSecond, scanBurst),
      uploadPace: pace(scansPerSecond * UPLOADS, scanBurst * UPLOADS),
      // An app reads twenty pages in a row, every two minutes at most; a person types a search.
      pace: pace(10, 100),
    }
    this.#paces = Object.values(paces)
    const handles = new Handles(monotonic)
    const searches = new Searches({
      ...{ ...deps, handles, stillPaired: requirePaired },
      ...{ lookUps: config.lookUps, lookUpBuckets: buckets(0.1, 5) },
    })
    const counted = async () => {
      await counts.ready()
      return { sold: sold.byTier(), admitted: counts.tally.admitted, zones: counts.tally.zones }
    }
    this.#listener = await PretixScanListener.open({
      ...{ logger, roster, host: config.host, port: config.pretixScanPort },
      certificates: listeners.certificates,
      turnstile: listeners.turnstile,
      routes: {
        ...deps,
        ...paces,
        signers: (event.pretix_keys ?? []).map(pretixKey),
        ...{ handles, searches, counted, ids: eventIds(event), repeats: new Repeats(monotonic) },
        reservations: mesh.reservations,
        phoneClocks: new PhoneClocks(),
        passageBuckets: buckets(1, 20),
        pairBuckets: buckets(1, 20),
        liveScans: ledger.liveScans,
        software: this.#software,
        readAt: now(),
      },
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#listener?.[Symbol.asyncDispose]()
  }
}
