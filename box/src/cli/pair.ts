/** `gatehouse pair`: enrols this machine as a scanner, as a phone does with its camera. */
import { mkdir, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { PairingError, pair as pairDevice } from '../device/pair.ts'
import { UsageError } from '../usage.ts'
import { type Command, JSON_OPTION, textOf } from './command.ts'
import { Unanswered } from './exit.ts'

export const pair: Command = {
  usage: 'pair INVITE-LINK [--out FOLDER] [--name NAME] [--json]',
  summary: 'enrol this machine as a scanner',
  details: `INVITE-LINK is the link under the QR code of "gatehouse invite", in quotes.
Writes key.pem, cert.pem, ca.pem, token and device.json, for "gatehouse scan" and for curl.`,
  statuses: { 1: 'the box refused the invite' },
  examples: ["gatehouse pair 'https://box.local:8443/scanner/#i=...' --name turnstile-1"],
  operands: 1,
  options: {
    out: { type: 'string', value: 'FOLDER', description: 'folder for the files (default: ./device)' },
    name: { type: 'string', value: 'NAME', description: 'name of the device (default: the host name)' },
    ...JSON_OPTION,
  },
  async run({ values, positionals: [link] }) {
    if (!link) throw new UsageError("gatehouse pair takes one link, in quotes: gatehouse pair '<link>'")
    const folder = textOf(values.out) ?? 'device'
    try {
      const { key, certificate, ca, token, ...rest } = await pairDevice(link, textOf(values.name) ?? hostname())
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const files = {
        'key.pem': key,
        'cert.pem': certificate,
        'ca.pem': ca,
        token,
        'device.json': JSON.stringify(rest),
      }
      for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text, { mode: 0o600 })
      if (values.json) console.log(JSON.stringify({ ...rest, folder }))
      else console.log(`Paired as ${rest.id}, for ${rest.checkpoints.join(', ')}. The files are in ${folder}.`)
      return true
    } catch (error) {
      if (!(error instanceof PairingError)) throw error
      if (!error.refused) throw new Unanswered(error.message, { cause: error })
      console.error(error.message)
      return false
    }
  },
}
