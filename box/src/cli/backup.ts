/** `gatehouse backup`: copies the whole box into one file; the box may be running. */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { SHORTEST_PASSPHRASE } from '@gatehouse/proto/backup.ts'
import { archiveOf, discard, stageBackup, writeBackup } from '../backup/backup.ts'
import { type Encryption, EncryptionError, encrypted, encryptedName, encrypterFor } from '../backup/encryption.ts'
import { readConfig } from '../config.ts'
import { UsageError } from '../usage.ts'
import { type Command, JSON_OPTION, textOf, textsOf, type Values } from './command.ts'
import { Unanswered } from './exit.ts'
import { readPassphrase } from './secret-file.ts'

const WORTH = `This file is not encrypted. Whoever gets it has the keys of the box, can let anybody in and pose as the box, and
reads the names and e-mails of the ticket holders and the codes of all tickets.`

export const backup: Command = {
  usage: 'backup [FILE | FOLDER] [--passphrase-file FILE | --recipient age1...] [--json]',
  summary: 'copy the whole box into one file',
  details: `The file has ledger, authority, keys, admin token and event folder, as they are at one moment. Encrypt it: with a
passphrase, or for recipients of age, whose identities are kept elsewhere. Without, whoever has the file has the box.
"gatehouse restore" puts it back, and "age -d" opens an encrypted one too.
Default: a file in this folder, named after event, box and time.
The box may be running, and scans do not wait. The data folder needs as much free space as the ledger takes.`,
  examples: [
    'gatehouse backup /media/usb --passphrase-file -',
    'gatehouse backup /media/usb --recipient age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p',
  ],
  operands: 1,
  options: {
    'passphrase-file': {
      type: 'string',
      value: 'FILE',
      description: 'encrypt with the passphrase in its first line; "-": ask for it, or read standard input',
    },
    recipient: {
      type: 'string',
      value: 'age1...',
      multiple: true,
      description: 'encrypt for the owner of this public key (age-keygen); may be repeated',
    },
    ...JSON_OPTION,
  },
  async run({ values, positionals: [to = '.'], environment }) {
    const { dataDir, eventDir } = readConfig(environment)
    // A new ledger must not be made here: an empty backup would be noticed only on the day that it is needed.
    if (!existsSync(join(dataDir, 'ledger.db'))) {
      throw new Unanswered(`There is no ledger in ${dataDir}: name the box's folder with GATEHOUSE_DATA_DIR.`)
    }
    const encryption = await encryptionOf(values)
    const encrypter = encryption && (await encrypterFor(encryption).catch(asUsage))
    const staged = await stageBackup({ dataDir, eventDir, now: Date.now() })
    try {
      const isFolder = statSync(to, { throwIfNoEntry: false })?.isDirectory()
      const file = isFolder ? join(to, encryptedName(staged.name, encryption)) : to
      if (existsSync(file)) throw new UsageError(`${file} already exists: name another file.`)
      const archive = archiveOf(staged)
      await writeBackup(encrypter ? Readable.from(await encrypted(archive, encrypter)) : archive, file)
      const { entries, files } = staged.manifest
      const bytes = statSync(file).size
      if (values.json) {
        console.log(JSON.stringify({ file, bytes, entries, files: files.length, encrypted: encryption !== undefined }))
        return true
      }
      const size = `${(bytes / 1e6).toFixed(1)} MB`
      console.log(`${file}: ${entries} entries and ${files.length} files, ${size}${encryption ? ', encrypted' : ''}.`)
      if (!encryption) console.log(WORTH)
    } finally {
      await discard(staged)
    }
    return true
  },
}

/** @throws UsageError */
async function encryptionOf(values: Values): Promise<Encryption | undefined> {
  const path = textOf(values['passphrase-file'])
  const recipients = textsOf(values.recipient)
  if (path === undefined) return recipients.length > 0 ? { recipients } : undefined
  if (recipients.length > 0) throw new UsageError('Give either --passphrase-file or --recipient, not both.')
  const passphrase = await readPassphrase(path)
  if ([...passphrase].length < SHORTEST_PASSPHRASE)
    throw new UsageError(
      `The passphrase is too short: ${SHORTEST_PASSPHRASE} characters are the least, five words are better.`,
    )
  // Typed blind: a slip would be noticed on the day that the backup is needed.
  if (path === '-' && process.stdin.isTTY && (await readPassphrase(path, 'Once more: ')) !== passphrase)
    throw new UsageError('The two passphrases do not match: try again.')
  return { passphrase }
}

function asUsage(error: unknown): never {
  throw error instanceof EncryptionError ? new UsageError(error.message) : error
}
