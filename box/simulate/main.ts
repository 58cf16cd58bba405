/** `npm run simulate`: an hour of an event against a running box. The dashboard is tried out with it, too. */
import { randomInt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gatehouseClient } from '@gatehouse/proto/client.ts'
import { parse } from 'csv-parse/sync'
import { tlsFetch } from '../src/device/tls-fetch.ts'
import { Refused } from './scanner.ts'
import { type Outcome, simulate } from './simulate.ts'
import { ticketsIn } from './stock.ts'

const HELP = `npm run simulate -- [options]

An hour of an event against a running box: scanners are enrolled, people come, go in and out, and are refused for every
reason there is; things happen at the gates, and the control room answers; a gate is held, supervisors let people in and
take it back; one scanner is alone for ten minutes, and lets people in who are inside already. All of it stays in the box's record for ever: take a box that is for trying out.

  --url URL          the box's HTTPS address (default: https://127.0.0.1, at GATEHOUSE_HTTPS_PORT or 8443)
  --data DIR         its data directory, for the admin token and the authority (default: GATEHOUSE_DATA_DIR or ./data)
  --token TOKEN      the admin token, where there is no such directory
  --ca FILE          the authority that its certificate is from, PEM
  --event ID         the event that is meant; needed for every event but the demo's
  --speed N          60 makes an hour of a minute; 0 as fast as it goes (default: 60)
  --devices N        scanners (default: 30)
  --admissions N     people let in (default: 20000)
  --tickets FILE     use tickets that are on the box, CSV as box/demo/tickets.csv (default: make some up, and import them)
  --links FILE       their links, as "gatehouse links" prints them: adds codes that are too old
  --seed N           the same hour again (default: another one each time); --tag TEXT: with other tickets
  --check            compare the box's figures with what was done: exit status 1 when they differ
  --json             print what was made as JSON`

const DEMO = 'lantern-quay'

const OPTIONS = {
  url: { type: 'string', default: `https://127.0.0.1:${process.env.GATEHOUSE_HTTPS_PORT ?? '8443'}` },
  data: { type: 'string', default: process.env.GATEHOUSE_DATA_DIR ?? 'data' },
  token: { type: 'string' },
  ca: { type: 'string' },
  event: { type: 'string' },
  tag: { type: 'string' },
  tickets: { type: 'string' },
  links: { type: 'string' },
  seed: { type: 'string' },
  speed: { type: 'string', default: '60' },
  devices: { type: 'string', default: '30' },
  admissions: { type: 'string', default: '20000' },
  check: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

await main().catch((error) => {
  console.error(
    error instanceof Refused || error instanceof TypeError ? `The simulation ended: ${reasonOf(error)}` : error.message,
  )
  process.exitCode = 2
})

async function main(): Promise<void> {
  const { values } = parseArgs({ options: OPTIONS })
  if (values.help) return console.log(HELP)
  const seed = values.seed === undefined ? randomInt(2 ** 31) : wholeNumber('seed', values.seed)
  const token = values.token ?? (await fileOf(values.data, 'admin-token')).trim()
  const ca = values.ca ? await readFile(values.ca, 'utf8') : await fileOf(values.data, 'ca/authority.pem')
  await using fetch = tlsFetch({ ca })
  const baseUrl = new URL(values.url).origin
  const admin = gatehouseClient({ baseUrl, token, fetch })

  const { data: meta } = await admin.GET('/v1/meta')
  if (!meta) throw new Error(`${baseUrl} is not a box.`)
  if (meta.event_id !== DEMO && meta.event_id !== values.event) {
    throw new Error(
      `The box serves "${meta.event_id}", and what is simulated there stays in its record for ever. If that is meant, say --event ${meta.event_id}.`,
    )
  }
  const tickets = values.tickets && ticketsIn(await readFile(values.tickets, 'utf8'), Date.now())
  const ids = values.links === undefined ? undefined : idsIn(await readFile(values.links, 'utf8'))
  let shown = 0
  const outcome = await simulate({
    admin,
    seed,
    speed: wholeNumber('speed', values.speed),
    tag: values.tag ?? Date.now().toString(36).toUpperCase(),
    devices: wholeNumber('devices', values.devices, 1),
    admissions: wholeNumber('admissions', values.admissions, 1),
    ...(tickets && { tickets }),
    ...(ids && { ticketIdOf: (code: string) => ids.get(code) }),
    importFile: async (csv) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/csv' }
      const url = `${baseUrl}/v1/admin/import/tickets?format=gatehouse`
      const answer = await fetch(new Request(url, { method: 'POST', headers, body: csv }))
      if (!answer.ok) throw new Error(`The box did not take the tickets: ${await answer.text()}`)
    },
    onProgress: (minute, scans) => {
      if (performance.now() - shown < 500) return
      shown = performance.now()
      process.stderr.write(`\rminute ${minute.toFixed(0).padStart(2)} of 60, ${scans} scans `)
    },
  })
  process.stderr.write('\n')
  console.log(
    values.json ? JSON.stringify({ seed, ...outcome.made, differences: outcome.differences }) : summary(outcome, seed),
  )
  if (values.check && outcome.differences.length > 0) process.exitCode = 1
}

async function fileOf(data: string, name: string): Promise<string> {
  return readFile(join(data, name), 'utf8').catch(() => {
    throw new Error(`There is no ${name} in ${data}: start the box, or name its data directory with --data.`)
  })
}

function summary({ made, seconds, differences }: Outcome, seed: number): string {
  const list = (counts: Record<string, number>) =>
    Object.entries(counts)
      .filter(([, n]) => n !== 0)
      .sort(([, a], [, b]) => b - a)
      .map(([what, n]) => `${what} ${n}`)
      .join(', ')
  const { scans, admissions, exits, offline, supervised, undone, verdicts, zones, incidents, flagged } = made
  return [
    `${scans} scans in ${seconds.toFixed(1)} s (seed ${seed}): ${admissions} admissions, ${exits} exits, ${offline} alone, ${supervised} by a supervisor, ${undone} taken back`,
    `verdicts   ${list(verdicts)}`,
    `inside     ${list(zones)}`,
    `incidents  ${list(incidents)}`,
    `cases      double uses ${flagged.double_use.length}, revoked tickets let in ${flagged.revoked_admission.length}`,
    ...(differences.length === 0
      ? ['The box counts the same.']
      : ['The box counts otherwise:', ...differences.slice(0, 40)]),
  ].join('\n')
}

/** Ticket ids by code, from wallet links: the id is in the fragment, which no server sees. */
function idsIn(csv: string): Map<string, string> {
  const rows: { code?: string; link?: string }[] = parse(csv, { columns: true, bom: true, skip_empty_lines: true })
  return new Map(rows.flatMap(({ code, link }) => (code && link ? [[code, idIn(link)]] : [])))
}

function idIn(link: string): string {
  const fragment = new URL(link).hash.slice(1)
  return new URLSearchParams(fragment).get('t') ?? ''
}

function wholeNumber(option: string, text: string, least = 0): number {
  const number = Number(text)
  if (/^\d+$/.test(text) && number >= least && number <= 2 ** 31) return number
  throw new Error(`--${option} is "${text}", not a whole number from ${least} on.\n\n${HELP}`)
}

function reasonOf(error: Error): string {
  return error.cause instanceof Error ? error.cause.message : error.message
}
