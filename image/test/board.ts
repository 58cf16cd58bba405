/**
 * A board in the emulator: QEMU's `virt` machine with a Pi 4's processor, started by U-Boot from the card as it is. On a network
 * that leads nowhere but to the forwarded ports, and where a test wants it, to this machine.
 */
import type { ChildProcess } from 'node:child_process'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { loadavg, setPriority } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePorts } from '../../box/test/world/ports.ts'
import type { Card, SshKey } from './card.ts'
import { startInTools } from './tools.ts'

/** Ports of this machine that lead to the board's. */
export interface Ports {
  http: number
  https: number
  device: number
  ssh: number
}

const GUEST: Ports = { http: 80, https: 443, device: 8444, ssh: 22 }

/** The address at which a board with an uplink reaches this machine's loopback. */
export const THIS_MACHINE = '10.0.2.2'

/** QEMU's arguments for a board with a USB socket for `plug`. */
const USB = ['-device', 'qemu-xhci,romfile=']

/** The unit of Linux's processor times, on every machine that builds the image. */
const TICKS_A_SECOND = 100

/**
 * The emulator leaves the processors to all other work of this machine. The board's clock counts instructions, 4 ns each, so that no time
 * limit of the board passes while the emulator waits for a processor. Times that are measured in this way mean nothing.
 */
const YIELDS = process.env.GATEHOUSE_TEST_YIELDS === '1'

/** A machine with other work to do may be many times slower than one without, and an emulator that yields gets one hundredth of it. */
export const PATIENCE_MS = YIELDS ? 6 * 3_600_000 : 1_800_000

// A test run that is called off takes its emulators along: they are in process groups of their own.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => process.exit(143))

export class Board implements AsyncDisposable {
  readonly ports: Ports
  readonly #child: ChildProcess
  readonly #exited: Promise<unknown>
  readonly #console: string
  readonly #monitor: string
  readonly #startedAt = performance.now()
  #complaints = ''

  private constructor(child: ChildProcess, ports: Ports, folder: string) {
    this.#child = child
    this.ports = ports
    this.#console = consoleIn(folder)
    this.#monitor = monitorIn(folder)
    this.#exited = once(child, 'close')
    prioritise(child, YIELDS ? 19 : -10)
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#complaints += text
    })
    const last = () => this.#kill()
    process.once('exit', last)
    this.#exited.finally(() => process.off('exit', last))
  }

  /** Power on. @param usb it has a socket for `plug`. @param closedIn nothing can be reached from it: yes, by default */
  static async start(card: Card, { usb = false, closedIn = true } = {}): Promise<Board> {
    const [http = 0, https = 0, device = 0, ssh = 0] = await freePorts(4)
    const ports = { http, https, device, ssh }
    const forwards = Object.entries(GUEST).map(
      ([name, guest]) => `hostfwd=tcp:127.0.0.1:${ports[name as keyof Ports]}-:${guest}`,
    )
    const child = startInTools(
      ...['qemu-system-aarch64', '-M', 'virt', '-cpu', 'cortex-a72', '-smp', '2', '-m', '1024', '-display', 'none'],
      ...['-bios', '/usr/lib/u-boot/qemu_arm64/u-boot.bin', '-serial', `file:${consoleIn(card.folder)}`],
      ...['-monitor', `unix:${monitorIn(card.folder)},server=on,wait=off`],
      ...['-drive', `if=none,id=card,file=${card.path},format=raw,cache=unsafe`],
      ...['-device', 'virtio-blk-pci,drive=card,romfile='],
      ...['-netdev', [`user,id=net,restrict=${closedIn ? 'on' : 'off'}`, ...forwards].join(',')],
      ...['-device', 'virtio-net-pci,netdev=net,romfile='],
      // A Pi has a source of randomness of its own as well.
      ...['-device', 'virtio-rng-pci,romfile='],
      ...(usb ? USB : []),
      ...(YIELDS ? ['-icount', 'shift=2'] : []),
    )
    return new Board(child, ports, card.folder)
  }

  /** The board's output on its serial port since power on. */
  get said(): string {
    // The boot loader ends its lines as a terminal wants them.
    return existsSync(this.#console) ? readFileSync(this.#console, 'latin1').replaceAll('\r', '') : ''
  }

  /** Seconds since power on. */
  get seconds(): number {
    return (performance.now() - this.#startedAt) / 1000
  }

  /** The slots that the boot loader has started, in order: `A`, `AA`, `AAB`. */
  get slots(): string {
    return [...this.said.matchAll(/^gatehouse: slot ([AB]), \d attempts/gm)].map(([, slot]) => slot).join('')
  }

  /**
   * Waits for the box's first answer.
   * @param starts number of the system's start since power on, from 1
   * @returns seconds since power on
   */
  async answers({ starts = 1 } = {}): Promise<number> {
    await eventually(
      async () => {
        if (this.#child.exitCode !== null) throw new Error(`The emulator ended:\n${this.#complaints}\n${this.said}`)
        if (this.slots.length < starts) return false
        const signal = AbortSignal.timeout(5_000)
        const answer = await fetch(`http://127.0.0.1:${this.ports.http}/healthz`, { signal }).catch(() => undefined)
        return answer?.ok === true
      },
      () => `No answer from the box. The console's end:\n${this.said.slice(-4000)}`,
    )
    return this.seconds
  }

  /**
   * Waits until the board's watchdog has seen the box answer. On a machine with much other work a first start takes longer than its three
   * minutes: the board then restarts after the first answer, and a test that went on would lose what it has just done.
   * @returns seconds since power on
   */
  async settled(key: SshKey): Promise<number> {
    const isSettled = async () => {
      await this.answers({ starts: this.slots.length || 1 })
      return (await this.ssh(key, 'systemctl is-active gatehouse-watchdog || true').catch(() => '')) === 'active\n'
    }
    await eventually(
      isSettled,
      () => `The watchdog has not seen the box. The console's end:\n${this.said.slice(-4000)}`,
    )
    return this.seconds
  }

  /** Seconds of processor time that the emulator has used. On a machine with other work, this says more than a clock. */
  async processorSeconds(): Promise<number> {
    let ticks = 0
    for (const path of globSync('/proc/[0-9]*/stat')) {
      const stat = await readFile(path, 'utf8').catch(() => '')
      // After the name, which may hold anything, the state is field 3: session 6, processor time 14 and 15 (proc_pid_stat(5)).
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      if (fields[3] === String(this.#child.pid)) ticks += Number(fields[11]) + Number(fields[12])
    }
    return Math.round(ticks / TICKS_A_SECOND)
  }

  /** Runs a command as root. @throws with what it said when it does not end with 0 */
  async ssh(key: SshKey, command: string, input?: string): Promise<string> {
    const run = promisify(execFile)(
      'ssh',
      [...sshOptions(key), '-p', String(this.ports.ssh), 'root@127.0.0.1', command],
      { timeout: PATIENCE_MS, maxBuffer: 64 * 1024 * 1024 },
    )
    if (input === undefined) run.child.stdin?.end()
    else run.child.stdin?.end(readFileSync(input))
    return (await run).stdout
  }

  /** Copies a file of this machine to the board, as root. */
  async scp(key: SshKey, file: string, to: string): Promise<void> {
    const copy = [...sshOptions(key), '-P', String(this.ports.ssh), file, `root@127.0.0.1:${to}`]
    await promisify(execFile)('scp', copy, { timeout: PATIENCE_MS })
  }

  /** Puts a stick into the board. @param path of the stick's bytes, below the build's folders */
  async plug(path: string): Promise<void> {
    await this.#tell(
      `drive_add 0 if=none,id=stick,format=raw,file=${path}`,
      'device_add usb-storage,id=plug,drive=stick',
    )
  }

  /** Pulls the stick out. */
  async unplug(): Promise<void> {
    await this.#tell('device_del plug')
  }

  /** Gives the emulator a monitor command. @throws with its answer when that is an error */
  async #tell(...commands: string[]): Promise<void> {
    using socket = Object.assign(connect(this.#monitor), {
      [Symbol.dispose]() {
        socket.destroy()
      },
    })
    let heard = ''
    socket.setEncoding('utf8').on('data', (text: string) => {
      heard += text
    })
    const prompts = () => heard.split('(qemu) ').length - 1
    for (const [before, command] of commands.entries()) {
      await eventually(() => prompts() > before)
      socket.write(`${command}\n`)
    }
    await eventually(() => prompts() > commands.length)
    if (/error|failed|cannot|could not/i.test(heard)) throw new Error(heard)
  }

  /** Cuts the power: nothing is signalled, and nothing is written any more. */
  async cut(): Promise<void> {
    this.#kill()
    await this.#exited
  }

  #kill(): void {
    if (this.#child.exitCode === null && this.#child.pid) {
      try {
        process.kill(-this.#child.pid, 'SIGKILL')
      } catch {
        // It has exited in between.
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cut()
  }
}

/** Waits until a condition holds. @throws with what `otherwise` says, when patience is at its end */
export async function eventually(
  isTrue: () => boolean | Promise<boolean>,
  otherwise: () => string = () => isTrue.toString(),
): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await sleep(100)) {
    if (await isTrue()) return
  }
  throw new Error(`It did not happen within ${PATIENCE_MS / 60_000} minutes: ${otherwise()}`)
}

const consoleIn = (folder: string) => join(folder, 'console.log')
const monitorIn = (folder: string) => join(folder, 'monitor')

/**
 * Sets the emulator's priority: figures are to be those of the board, and not those of other work. Linux weighs sessions first, and then
 * the processes of a session.
 * @param nice from -20, before everything else, to 19, after it
 */
function prioritise({ pid }: ChildProcess, nice: number): void {
  if (pid === undefined) return
  try {
    setPriority(pid, nice)
    writeFileSync(`/proc/${pid}/autogroup`, String(nice))
  } catch {
    // It takes its turn then.
  }
}

/** One line of what was measured, with how busy this machine was. */
export function report(what: string, value: string | number): void {
  console.log(`measured  ${what}: ${value}  (load ${loadavg()[0]?.toFixed(0)})`)
}

/** The options of ssh and scp: this key only, and an unknown host. */
function sshOptions(key: SshKey): string[] {
  const options = [
    ...['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'ConnectTimeout=60', 'LogLevel=ERROR'],
    'IdentitiesOnly=yes',
  ]
  return [...options.flatMap((option) => ['-o', option]), '-F', 'none', '-i', key.path]
}
