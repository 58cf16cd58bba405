/** The worker thread of `thread.ts`. */
import { availableParallelism } from 'node:os'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { GatehouseError } from '../../errors.ts'
import { openBeside } from '../../ledger/beside.ts'
import { percentSteps } from '../../percent-steps.ts'
import { CodeReader } from '../codes.ts'
import { newKey, newKeySync } from '../key.ts'
import { Tickets } from '../tickets.ts'
import { paceBeside } from './pace.ts'
import { discardImport, type StageOptions, settleImport, stageTickets } from './stage.ts'
import type { Asked, ThreadData, Told } from './thread.ts'

const { path, event, eventTag } = workerData as ThreadData
const port = parentPort as MessagePort
const say = (told: Told) => port.postMessage(told)

// With the priority of the others: it would be stopped in the middle of a transaction, for whose end a scan waits.
const { db, identity } = openBeside(path, event.id)
process.once('exit', () => db.close())
const pace = paceBeside(db)
/** Asked once and not for each ticket: it takes 8 us. */
const hasOneProcessor = availableParallelism() === 1
const deps = {
  ...{ db, event, pace },
  // In node's thread pool they are made sooner, by processors that a scan may need. Where there is one alone, the pool takes half as long again.
  makeKey: (codes: CodeReader) => (pace.isBusy || hasOneProcessor ? newKeySync(codes) : newKey(codes)),
  tickets: new Tickets(db, identity.refKey),
  codes: new CodeReader(identity.manifestSalt, eventTag),
}

async function done(asked: Asked) {
  if (asked.task === 'settle') return void (await settleImport(deps))
  if (asked.task === 'discard') return void (await discardImport(asked.id, deps))
  const shouldTell = percentSteps()
  const onProgress: StageOptions['onProgress'] = (step, fraction) => {
    if (shouldTell(fraction, step)) say({ progress: [step, fraction] })
  }
  return await stageTickets(asked.file, { ...asked.options, onProgress }, deps)
}

port.on('message', (asked: Asked) => {
  done(asked).then(
    (staged) => say({ staged: staged ?? undefined }),
    (error: Error) => {
      if (error instanceof GatehouseError) {
        const { code, message, reason, values } = error
        say({ refused: { code, message, ...(reason && { reason }), ...(values && { values }) } })
      } else say({ failed: error.stack ?? error.message })
    },
  )
})
