/**
 * A card with an invite in gatehouse.toml becomes another box of an event that there is: the first box is a process of this machine,
 * with a nats-server of its own, and the card finds it through the emulator's network.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { gatehouse } from '../../box/test/world/command.ts'
import { natsServer } from '../../box/test/world/nats-server.ts'
import { freePorts } from '../../box/test/world/ports.ts'
import { BoxFolder, type BoxProcess, type Ports } from '../../box/test/world/process-box.ts'
import { Board, eventually, report, THIS_MACHINE } from './board.ts'
import { Card, SshKey } from './card.ts'
import { authorityAt, DAY_TICKETS, Gate } from './gate.ts'

const { file, whyNot } = await natsServer()

describe('an invite of another box', { skip: whyNot }, () => {
  const card = new Card()
  const key = new SshKey()
  let folder: BoxFolder
  let first: BoxProcess
  let there: Ports
  let board: Board
  let gate: Gate
  let used = 0

  before(async () => {
    const [http, https, device, route, leaf] = (await freePorts(5)).map(String)
    folder = new BoxFolder({
      environment: {
        ...{ GATEHOUSE_EVENT_DIR: join(import.meta.dirname, '../../box/demo'), GATEHOUSE_PUBLIC_HOST: THIS_MACHINE },
        ...{ GATEHOUSE_HTTP_PORT: http, GATEHOUSE_HTTPS_PORT: https, GATEHOUSE_DEVICE_PORT: device },
        ...{ GATEHOUSE_MESH_ROUTE_PORT: route, GATEHOUSE_MESH_LEAF_PORT: leaf, GATEHOUSE_FEED: '0' },
        GATEHOUSE_NATS_SERVER: file,
      },
    })
    first = folder.start()
    there = await first.opened()
    await mesh('init', '--name', 'North gate')
    const { invite } = await mesh('invite', '--minutes', '600')
    await card.put(
      'gatehouse.toml',
      `[box]\nname = "south-gate"\nshow_admin_token = true\n[mesh]\ninvite = "${invite}"\n`,
    )
    await card.put('authorized_keys', key.publicKey)
    board = await Board.start(card, { closedIn: false })
  })
  after(async () => {
    await board?.[Symbol.asyncDispose]()
    await first[Symbol.asyncDispose]()
    folder[Symbol.dispose]()
    key[Symbol.dispose]()
    card[Symbol.dispose]()
  })
  const ssh = (command: string) => board.ssh(key, command)
  const mesh = async (...args: string[]) => {
    const { out, err } = await gatehouse(['mesh', ...args, '--json'], { environment: { ...folder.environment } })
    assert.equal(err, '')
    return JSON.parse(out)
  }

  test('makes the card’s box another box of the same event', async () => {
    // Until it has joined, it answers its health check and nothing else.
    await eventually(async () => (await metaAt(board.ports))?.event_id === 'lantern-quay')
    assert.equal(await authorityAt(board.ports), await authorityAt(there))
    gate = await Gate.open(there, readFileSync(join(folder.dataDir, 'admin-token'), 'utf8').trim())
    report('a box has joined, and decides with the other', `${(await together()).toFixed(0)} s after power on`)
    const boxes = (await standing(board.ports))?.boxes ?? []
    assert.deepEqual(
      boxes.map(({ name, self, role }) => [name, self, role]),
      [
        ['south-gate', true, 'leaf'],
        ['North gate', false, 'core'],
      ],
    )
    assert.match(await ssh('cat /boot/firmware/gatehouse-problems.txt'), /Nothing is wrong/)
    assert.equal(
      await ssh('ls /boot/firmware/admin-token.txt /data/box/demo 2>/dev/null || true'),
      '',
      'it is the other’s',
    )
  })

  test('a ticket that was admitted at one of them is used at the other', scannedAtBoth)

  test('its sandbox allows what it needs: the boot id, its nats-server, and the memory', async () => {
    const [boot, state] = (
      await ssh('cat /proc/sys/kernel/random/boot_id /data/box/lantern-quay/nats/voter.json')
    ).split('\n')
    assert.equal(JSON.parse(state ?? '').running, boot)
    assert.match(await ssh('ps -eo user:20=,comm= | grep nats-server'), /^gatehouse +nats-server$/m)
    const memory = await ssh('sleep 30; cat /proc/meminfo')
    const [, total, available] = /MemTotal: *(\d+)[\s\S]*MemAvailable: *(\d+)/.exec(memory) ?? []
    report('memory of one of two boxes', `${((Number(total) - Number(available)) / 1024).toFixed(0)} MB of 1 GB`)
    assert.equal(await ssh('systemctl --failed --no-legend --plain'), '')
  })

  test('after a restart and after a power cut it is the same box of the event, and shows the admin token', async () => {
    const { box_id } = (await standing(board.ports))?.boxes[0] ?? {}
    await ssh('systemctl reboot').catch(() => {})
    await board.answers({ starts: 2 })
    await together()
    await scannedAtBoth()
    assert.equal((await ssh('head -1 /boot/firmware/admin-token.txt')).trim(), gate.token)

    await board.cut()
    board = await Board.start(card, { closedIn: false })
    await board.answers()
    report('a box of two decides with the other again', `${(await together()).toFixed(0)} s after power on`)
    await scannedAtBoth()
    assert.equal((await standing(board.ports))?.boxes[0]?.box_id, box_id)
    assert.equal((await mesh('status')).listed.boxes.length, 2)
    await gate.recognises(board.ports, [])
  })

  async function scannedAtBoth(): Promise<void> {
    for (const [at, other] of [
      [there, board.ports],
      [board.ports, there],
    ] as const) {
      const ticket = DAY_TICKETS[used++] ?? ''
      const scan = async (where: Ports) => JSON.parse((await gate.scan(where, ticket)).answer)
      assert.partialDeepStrictEqual(await scan(at), { verdict: 'ADMIT', confidence: 'confirmed' })
      assert.partialDeepStrictEqual(await scan(other), { verdict: 'ALREADY_USED', confidence: 'confirmed' })
    }
  }

  /** Waits until both boxes are STRICT. @returns seconds since power on */
  async function together(): Promise<number> {
    for (const at of [board.ports, there]) {
      let now: Awaited<ReturnType<typeof standing>> | string
      await eventually(
        async () => {
          now = await standing(at).catch(String)
          return typeof now === 'object' && now.mode === 'STRICT'
        },
        () => JSON.stringify(now),
      )
    }
    return board.seconds
  }

  async function standing(at: Ports) {
    return (await gate.asAdmin(at, (admin) => admin.GET('/v1/admin/mesh'))).data?.standing
  }
})

async function metaAt(ports: Ports): Promise<{ event_id: string } | undefined> {
  const answer = await fetch(`http://127.0.0.1:${ports.http}/v1/meta`, { signal: AbortSignal.timeout(30_000) }).catch(
    () => undefined,
  )
  return answer?.ok ? ((await answer.json()) as { event_id: string }) : undefined
}
