/** Everything that is fuzzed, and with which credentials. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { feedDocument, hqDocument, meshDocument } from './documents.ts'
import { openFeedSite, openHqSite, openMeshSite } from './other-sites.ts'
import type { Pass } from './pass.ts'
import { joinerOf, openRelay, signerOf } from './relay.ts'
import { openSite } from './site.ts'

/** A second is an hour to it. */
const HURRY = 4000
/** A signature is good for a minute, also for this box. */
const SIGNED_HURRY = 5

interface Places extends AsyncDisposable {
  /** The longest first. */
  readonly passes: Pass[]
  /** For configurations and reports. */
  readonly folder: string
  /** Requests that were signed or proven for the fuzzer, which cannot. */
  prepared(): number
}

/** @param short leaves out what other passes ask, too */
export async function openPlaces({ short }: { short: boolean }): Promise<Places> {
  await using opening = new AsyncDisposableStack()
  const site = opening.use(await openSite(HURRY))
  const { world, device, files, folder, known } = site
  const write = (name: string, document: object) => {
    const path = join(folder, `${name}.json`)
    writeFileSync(path, JSON.stringify(document))
    return path
  }
  const { openapi } = world.box as { openapi: { components?: { schemas?: { Error?: object } } } }
  const signing = short ? undefined : opening.use(await signingPlace())
  const mesh = opening.use(await openMeshSite())
  const { box: member } = mesh.world
  const joining = joinerOf(member.event.id)
  const joiner = opening.use(await openRelay(member.baseUrl, mesh.ca, joining))
  const feed = opening.use(await openFeedSite(join(world.folder, 'data/ledger.db')))
  const hq = opening.use(await openHqSite())

  const { ports, baseUrl, adminToken } = world.box
  const { ca, certificate, key } = files
  const { token } = device.paired
  const box = { document: write('openapi', openapi), known }
  const direct = { ...box, url: baseUrl, ca }
  const passes: Pass[] = [
    { ...direct, name: 'admin tier', tier: 'admin', token: adminToken },
    ...(signing ? [{ ...box, name: 'device tier by signature', tier: 'device', ...signing.target }] : []),
    {
      ...{
        ...direct,
        name: 'device tier by certificate',
        tier: 'device',
        url: `https://127.0.0.1:${ports.device}`,
        token,
      },
      certificate: { file: certificate, key },
    },
    {
      ...{ name: 'between boxes', tier: 'mesh', url: joiner.url, known: mesh.known },
      document: write('mesh', meshDocument(openapi.components?.schemas?.Error ?? {})),
    },
    { ...direct, name: 'device tier without a signature', tier: 'device', token, inFull: true },
    { ...direct, name: 'open tier', tier: 'open', inFull: true },
    { ...direct, name: 'attendee tier', tier: 'attendee' },
    {
      ...{ name: "the feed's control plane", tier: 'feed', url: feed.url, token: feed.token },
      ...{ document: write('feed', feedDocument()), known: { sinks: ['events'] } },
    },
    { ...box, name: 'open tier over plain HTTP', tier: 'open', url: `http://127.0.0.1:${ports.http}` },
    { name: "HQ's health checks", tier: 'hq', url: hq.url, document: write('hq', hqDocument()), known: {} },
  ]
  const lifetime = opening.move()
  return {
    passes,
    folder,
    prepared: () => (signing?.relay.prepared ?? 0) + joiner.prepared,
    [Symbol.asyncDispose]: () => lifetime.disposeAsync(),
  }
}

/** A box of its own, because its clock may not hurry as much, and the relay that signs for its device. */
async function signingPlace() {
  await using opening = new AsyncDisposableStack()
  const { world, device, known } = opening.use(await openSite(SIGNED_HURRY))
  const relay = opening.use(
    await openRelay(world.box.baseUrl, device.paired.ca, await signerOf(device, () => world.now())),
  )
  const lifetime = opening.move()
  const target = { url: relay.url, token: device.paired.token, known }
  return { relay, target, [Symbol.asyncDispose]: () => lifetime.disposeAsync() }
}
