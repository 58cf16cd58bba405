/** The worker thread of `archive-thread.ts`. It ends when the other side has read the archive and ends it. */
import { once } from 'node:events'
import { type MessagePort, parentPort, type Transferable, workerData } from 'node:worker_threads'
import { yieldToScans } from '../thread-priority.ts'
import type { FromThread } from './archive-thread.ts'
import { archiveOf, type StagedBackup } from './backup.ts'
import { type Encryption, EncryptionError, encrypted, encrypterFor } from './encryption.ts'

yieldToScans()
const port = parentPort as MessagePort
const say = (message: FromThread, transfer: Transferable[] = []) => port.postMessage(message, transfer)
// Also keeps the thread alive while the archive is read.
const asked = once(port, 'message')
port.ref()
try {
  const encrypter = await encrypterFor(workerData as Encryption)
  say({ ready: true })
  const [staged] = (await asked) as [StagedBackup]
  const archive = await encrypted(archiveOf(staged), encrypter)
  port.on('message', () => {})
  say({ archive }, [archive])
} catch (error) {
  if (!(error instanceof EncryptionError)) throw error
  say({ mistake: error.message, recipient: error.recipient })
}
