/** `gatehouse restore`: puts a backup in place on this machine. */
import type { Keys } from '../backup/decryption.ts'
import { BackupError } from '../backup/manifest.ts'
import { restoreBackup } from '../boot/restore.ts'
import { readConfig } from '../config.ts'
import { UsageError } from '../usage.ts'
import { type Command, JSON_OPTION, textOf, textsOf, type Values } from './command.ts'
import { readIdentities, readPassphrase } from './secret-file.ts'

export const restore: Command = {
  usage: 'restore FILE [--replace] [--passphrase-file FILE | --identity FILE] [--actor NAME] [--json]',
  summary: 'put a backup in place, on a machine whose box is stopped',
  details: `The whole backup is checked before anything is changed. The box keeps its name and keys, and begins a new incarnation:
scanners and receivers of the change feed then rely on nothing that came after the backup. (One of several boxes gets
a new name; see box/docs/mesh.md.)
Scanners that admitted people offline since the backup send these admissions again. Whatever only the lost ledger
had is lost.
A backup that is encrypted with a passphrase asks for it; one for recipients needs the identity file of one of them.`,
  examples: ['gatehouse restore gatehouse-my-festival-box-1a2b3c4d.backup.tar.gz --replace'],
  operands: 1,
  options: {
    replace: { type: 'boolean', description: 'move the contents of the data folder aside, into replaced-<time>' },
    actor: { type: 'string', value: 'NAME', description: 'your name, for the journal (default: admin)' },
    'passphrase-file': {
      type: 'string',
      value: 'FILE',
      description: 'the passphrase of the backup is in its first line; "-": standard input',
    },
    identity: {
      type: 'string',
      value: 'FILE',
      multiple: true,
      description: 'of age-keygen, for a backup that is encrypted for a recipient; may be repeated',
    },
    ...JSON_OPTION,
  },
  async run({ values, positionals: [file], environment }) {
    if (file === undefined) throw new UsageError('Name the backup: gatehouse restore FILE')
    const { dataDir, eventDir } = readConfig(environment)
    const actor = textOf(values.actor) ?? 'admin'
    const restored = await restoreBackup(file, {
      ...{ dataDir, eventDir, now: Date.now, replace: values.replace === true, actor, keys: keysOf(file, values) },
    })
    const { manifest, movedTo, keptEvent, boxId } = restored
    if (values.json) {
      console.log(
        JSON.stringify({
          ...manifest,
          files: manifest.files.length,
          now_box_id: boxId,
          moved_to: movedTo ?? null,
          kept_event: keptEvent,
        }),
      )
      return true
    }
    console.log(
      `${manifest.box_id} of ${manifest.event_id} is back as it was at ${manifest.made_at}, ${manifest.entries} entries.`,
    )
    if (boxId !== manifest.box_id) {
      console.log(
        `It was one of several boxes, and continues as ${boxId}; entries from before the restore keep the old name.`,
      )
    }
    if (movedTo) console.log(`The former contents of the data folder are in ${movedTo}.`)
    if (keptEvent)
      console.log(`${eventDir} already existed and was not changed; the event folder of the backup was not restored.`)
    return true
  },
}

/** Read only when the archive turns out to be encrypted. */
function keysOf(archive: string, values: Values): Keys {
  const path = textOf(values['passphrase-file']) ?? (process.stdin.isTTY ? '-' : undefined)
  const identities = textsOf(values.identity)
  return {
    passphrase: async () => {
      if (path !== undefined) return readPassphrase(path, `Passphrase of ${archive}: `)
      throw new BackupError(
        `${archive} is encrypted with a passphrase: add --passphrase-file FILE, whose first line it is.`,
      )
    },
    identities: async () => {
      if (identities.length > 0) return readIdentities(identities)
      throw new BackupError(`${archive} is encrypted for recipients: add --identity FILE, of one of them (age-keygen).`)
    },
  }
}
