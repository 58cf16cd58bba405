/** The text of `gatehouse mesh status`. Pure. */
import type { MeshBoxes, MeshStanding, Neighbour } from '@gatehouse/proto/wire/mesh.ts'

const IN_CLEAR =
  'runs Gatehouse 0.1: until it is updated, no box encrypts what it sends, and machines that only vote can read it. Update it now.'

/** @returns a line for the mode, and one or more for each box */
export function statusText({
  listed,
  standing,
}: {
  listed: MeshBoxes | undefined
  standing: MeshStanding | undefined
}): string {
  if (!listed) return 'This box is alone: its event has no other box.'
  const peers = new Map(standing?.boxes.map((box) => [box.box_id, box]))
  return [
    standing ? `${standing.mode}, epoch ${standing.epoch}: ${standing.reason}` : `Epoch ${listed.epoch}`,
    ...listed.boxes.flatMap((box) => boxLines(box, peers.get(box.box_id))),
  ].join('\n')
}

function boxLines({ box_id, role, name, self }: MeshBoxes['boxes'][number], peer: Neighbour | undefined): string[] {
  const { heard: isReachable = false, last_heard = null, behind = 0, problem, unencrypted } = peer ?? {}
  const reachable = behind > 0 ? `reachable, ${behind} entries not here yet` : 'reachable'
  const unreachable = last_heard === null ? 'never reached' : `unreachable since ${last_heard}`
  const state = self ? 'this box' : isReachable ? reachable : unreachable
  return [
    `  ${box_id}  ${role.padEnd(5)}  ${name.padEnd(20)}  ${state}`,
    ...(problem === undefined ? [] : [`    problem: ${problem}`]),
    ...(unencrypted ? [`    ${IN_CLEAR}`] : []),
  ]
}
