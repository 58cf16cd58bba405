/** A box of a run, in a process of its own: the real one, with a clock that the run can set. */
import { openBox } from '../src/boot/box.ts'
import { type Environment, readConfig } from '../src/config.ts'
import { createLogger } from '../src/log.ts'

/** Messages to a box, and from it. */
export interface MovedClock {
  aheadMs: number
}
export interface Opened {
  box: string
  ports: { device: number; https: number; http: number }
  adminToken: string
}

let aheadMs = 0
process.on('message', (message: MovedClock) => {
  aheadMs = message.aheadMs
})
const ended = new Promise((resolve) => process.once('SIGTERM', resolve))
const settings = Object.entries(process.env).filter(([name]) => name.startsWith('GATEHOUSE_'))
const config = readConfig(Object.fromEntries(settings) as Environment)
{
  await using box = await openBox(config, {
    logger: createLogger(config.logLevel),
    wallClock: () => Date.now() + aheadMs,
    monotonic: () => performance.now(),
  })
  const opened: Opened = { box: box.boxId, ports: box.ports, adminToken: box.adminToken }
  process.send?.(opened)
  await ended
}
process.disconnect?.()
