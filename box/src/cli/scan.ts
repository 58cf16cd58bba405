/** `gatehouse scan`: scans one code as a paired device, over mutual TLS. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gatehouseClient } from '@gatehouse/proto/client.ts'
import { format } from '@gatehouse/proto/hlc.ts'
import { orderedUuid } from '@gatehouse/proto/ordered-uuid.ts'
import { tlsFetch } from '../device/tls-fetch.ts'
import { UsageError } from '../usage.ts'
import { type Command, JSON_OPTION, textOf } from './command.ts'
import { Unanswered } from './exit.ts'

export const scan: Command = {
  usage: 'scan CODE [--device FOLDER] [--checkpoint ID] [--json]',
  summary: 'scan one code, as the device that "gatehouse pair" enrolled',
  details: 'This is a real scan: it is recorded, and it uses up the right of an admitted ticket.',
  statuses: { 0: 'admitted, or let out', 1: 'any other verdict' },
  examples: ["gatehouse scan 'DEMO-0001' --checkpoint north-in"],
  operands: 1,
  options: {
    device: { type: 'string', value: 'FOLDER', description: 'folder that "gatehouse pair" wrote (default: ./device)' },
    checkpoint: {
      type: 'string',
      value: 'ID',
      description: "checkpoint of the scan (default: the device's first)",
    },
    ...JSON_OPTION,
  },
  async run({ values, positionals: [code] }) {
    if (!code) throw new UsageError("gatehouse scan takes one code, in quotes: gatehouse scan '<code>'")
    const folder = textOf(values.device) ?? 'device'
    const [key, cert, ca, token, device] = await Promise.all(
      ['key.pem', 'cert.pem', 'ca.pem', 'token', 'device.json'].map((name) => readPaired(folder, name)),
    )
    const { deviceUrl, checkpoints } = readDevice(device ?? '', folder)
    await using fetch = tlsFetch({ ca: ca ?? '', cert: cert ?? '', key: key ?? '' })
    const client = gatehouseClient({ baseUrl: deviceUrl, token: token ?? '', fetch })
    const now = Date.now()
    const body = {
      scan_id: orderedUuid(Date.now()),
      payload: code,
      checkpoint: textOf(values.checkpoint) ?? checkpoints[0] ?? '',
      device_hlc: format({ ms: now, count: 0 }),
      offline_admitted: false,
      observed_at: new Date(now).toISOString(),
    }
    const { data, error } = await client.POST('/v1/scan', { body }).catch((cause) => {
      throw new Unanswered(`The box at ${deviceUrl} does not answer: join its network, then try again.`, { cause })
    })
    if (!data) throw new Unanswered(error.message)
    if (values.json) console.log(JSON.stringify(data))
    else console.log([data.verdict, data.tier_name, data.seat_label, data.reason].filter(Boolean).join(' · '))
    return data.severity === 'admit'
  },
}

function readDevice(text: string, folder: string): { deviceUrl: string; checkpoints: string[] } {
  try {
    const { deviceUrl, checkpoints } = JSON.parse(text)
    return { deviceUrl: new URL(deviceUrl).origin, checkpoints: [checkpoints].flat() }
  } catch {
    throw noDevice(folder)
  }
}

function noDevice(folder: string): UsageError {
  return new UsageError(`${folder} holds no paired device: run "gatehouse pair '<link>' --out ${folder}" first.`)
}

async function readPaired(folder: string, name: string): Promise<string> {
  try {
    return await readFile(join(folder, name), 'utf8')
  } catch {
    throw noDevice(folder)
  }
}
