/** `gatehouse find`: the boxes that announce themselves on this network. */
import { find } from '../mesh/discovery/discovery.ts'
import { UsageError } from '../usage.ts'
import { type Command, JSON_OPTION, textOf } from './command.ts'
import { Unanswered } from './exit.ts'

export const findBoxes: Command = {
  usage: 'find [--seconds SECONDS] [--json]',
  summary: 'list the boxes that announce themselves on this network',
  details: 'Anybody on the network can announce a box: compare the fingerprint with an invite before you trust it.',
  statuses: { 1: 'no box was found' },
  examples: ['gatehouse find --seconds 10'],
  operands: 0,
  options: {
    seconds: { type: 'string', value: 'SECONDS', description: 'how long to listen, 60 at most (default: 2)' },
    ...JSON_OPTION,
  },
  async run({ values }) {
    const seconds = Number(textOf(values.seconds) ?? 2)
    if (!(seconds > 0 && seconds <= 60)) throw new UsageError('--seconds takes a number of seconds, 60 at most.')
    const boxes = await find({ timeoutMs: seconds * 1000 }).catch((cause: Error) => {
      throw new Unanswered(`${cause.message}. Join the network of the boxes, then try again.`, { cause })
    })
    if (values.json) console.log(JSON.stringify(boxes))
    else if (boxes.length === 0)
      console.log('No box answered. Is this machine on the same network, and mDNS allowed on it?')
    for (const { boxId, name, eventId, addresses, ports, caFingerprint } of values.json ? [] : boxes) {
      console.log(`${boxId}  ${name} (${eventId})  https://${addresses[0] ?? '?'}:${ports.https}  ${caFingerprint}`)
    }
    return boxes.length > 0
  },
}
