/**
 * Root's side of the appliance, for tests: the image's own scripts on a folder that stands for the machine, with stand-ins for the
 * few commands that would touch this one. `answer` does what the path units do.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const SCRIPTS = join(import.meta.dirname, '../../../image/overlay/usr/lib/gatehouse')

const COMMANDS: Record<string, string> = {
  // RAUC 1.13, as it answered when it was asked with such files.
  rauc: `
for bundle; do :; done
what=$(head -n 1 "$bundle")
echo "rauc-Message: 13:37:38.633: Reading bundle: $bundle" >&2
case $what in
  good*|board*|damaged*|slow*) ;;
  unsigned*) echo 'signature verification failed: Verify error: self-signed certificate' >&2; exit 1 ;;
  *) echo 'Invalid bundle format: Signature size (10392621008663431370) exceeds bundle size' >&2; exit 1 ;;
esac
if [ "$1" = info ]; then
  echo "RAUC_MF_COMPATIBLE='gatehouse-arm64'"; echo "RAUC_MF_VERSION='\${what#* }'"
  # A stick that gives other bytes from the second reading on.
  [ -e "$MACHINE/second" ] && cp "$MACHINE/second" "$MACHINE/stick/one.update"
  exit 0
fi
echo "\${what#* }" >"$MACHINE/installed"
echo installing; echo '  0% Installing'; echo ' 20% Checking bundle'
case $what in
  board*) echo "LastError: Compatible mismatch: Expected 'gatehouse-arm64' but bundle manifest has 'toaster'"; echo 'failed'; exit 1 ;;
esac
echo ' 80% Copying image to rootfs.1'
case $what in
  damaged*) echo 'LastError: Installation error: Failed updating slot rootfs.1: failed to copy data: Input/output error'; exit 1 ;;
  slow*) while [ ! -e "$MACHINE/go" ]; do sleep 0.05; done ;;
esac
case $(cat "$MACHINE/current") in A) other=B ;; *) other=A ;; esac
"$GATEHOUSE_LIB/slots" set-primary $other
echo '100% Installing done.'; echo idle; echo "Installing \\\`$bundle\\\` succeeded"`,
  chronyc: `case "$*" in *tracking) cat "$MACHINE/tracking" ;; *) echo "chronyc $*" >>"$MACHINE/done" ;; esac`,
  date: `case "$*" in *-s*) echo "date $*" >>"$MACHINE/done" ;; *) exec /bin/date "$@" ;; esac`,
  systemctl: `echo "systemctl $*" >>"$MACHINE/done"`,
  sync: 'exit 0',
  chown: 'exit 0',
  // The stick is a folder, which stays at its mount point for as long as it is mounted.
  mount: `for to; do :; done; echo "mount $2" >>"$MACHINE/done"; [ -d "$MACHINE/stick" ] || exit 32; rmdir "$to" && ln -s "$MACHINE/stick" "$to"`,
  umount: `[ -L "$1" ] && rm "$1"`,
}

/** chrony's answers: synchronised by the network, by another box with an unsynchronised clock, by nothing. */
export const TRACKING = {
  network: 'C0000201,192.0.2.1,3,1795000000.0,0.00001,0,0,0,0,0,0.01,0.001,64.2,Normal',
  anotherBox: '0A4D0001,10.77.0.1,11,1795000000.0,0.00001,0,0,0,0,0,0.01,0.001,64.2,Normal',
  itself: '7F7F0101,,10,1795000000.0,0,0,0,0,0,0,0,0,0,Normal',
  nothing: '00000000,,0,0.0,0,0,0,0,0,0,1,1,0,Not synchronised',
} as const

export class Machine implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'gatehouse-machine-'))
  /** GATEHOUSE_APPLIANCE. */
  readonly run = join(this.folder, 'run')
  readonly #environment: NodeJS.ProcessEnv
  #answering: Promise<void> | undefined
  #stopped = false

  constructor() {
    const at = (...path: string[]) => join(this.folder, ...path)
    for (const path of ['run/requests', 'run/state', 'data/updates', 'bin']) mkdirSync(at(path), { recursive: true })
    cpSync(SCRIPTS, at('lib'), { recursive: true })
    this.#command(
      at('lib/slots'),
      `[ "$1" = get-current ] && exec cat "$MACHINE/current"\nexec sh ${SCRIPTS}/slots "$@"`,
    )
    for (const [name, text] of Object.entries(COMMANDS)) this.#command(at('bin', name), text)
    writeFileSync(at('current'), 'A\n')
    writeFileSync(at('ab.env'), 'ORDER=A B\nA_LEFT=3\nB_LEFT=3\n'.padEnd(512, '\n'))
    writeFileSync(at('version'), '0.1.0\n')
    this.tracking('nothing')
    this.#environment = {
      ...{ PATH: `${at('bin')}:${process.env.PATH}`, MACHINE: this.folder, GATEHOUSE_LIB: at('lib') },
      ...{ GATEHOUSE_RUN: this.run, GATEHOUSE_DATA: at('data'), GATEHOUSE_AB_ENV: at('ab.env') },
      GATEHOUSE_VERSION: at('version'),
    }
    rmSync(at('run/updates'), { recursive: true, force: true })
  }

  /** As the card is laid out: uploads are on the data partition. */
  get updates(): string {
    return join(this.folder, 'data/updates')
  }

  /** Effects of commands on the machine, a line each. */
  get done(): string[] {
    const path = join(this.folder, 'done')
    return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []
  }

  state(name: string): Record<string, unknown> {
    return JSON.parse(readFileSync(join(this.run, 'state', `${name}.json`), 'utf8'))
  }

  write(path: string, text: string): void {
    writeFileSync(join(this.folder, path), text)
  }

  tracking(how: keyof typeof TRACKING): void {
    this.write('tracking', `${TRACKING[how]}\n`)
  }

  /** A script of the image, as its unit starts it. */
  script(name: string, ...given: string[]): Promise<{ code: number; out: string }> {
    return new Promise((resolve) => {
      execFile('sh', [join(this.folder, 'lib', name), ...given], { env: this.#environment }, (error, out, err) => {
        resolve({ code: error ? Number(error.code) : 0, out: out + err })
      })
    })
  }

  /** Runs a script that is killed with its children as soon as `when` holds, and then what systemd starts after it. */
  async killed(kind: string, when: () => boolean): Promise<void> {
    const child = spawn('sh', [join(this.folder, 'lib', `request-${kind}`)], {
      ...{ env: this.#environment, stdio: 'ignore', detached: true },
    })
    const ended = once(child, 'exit')
    while (!when()) await sleep(20)
    process.kill(-(child.pid ?? 0), 'SIGKILL')
    await ended
    await this.script('request-ended', kind)
  }

  /** From now on, requests are answered. */
  answer(): void {
    this.#answering ??= this.#answerAll()
  }

  /** A stick with these files in it. */
  async plugIn(files: Record<string, string>): Promise<void> {
    mkdirSync(join(this.folder, 'stick'), { recursive: true })
    for (const [name, text] of Object.entries(files)) this.write(join('stick', name), text)
    await this.script('usb', 'add', 'sda1')
  }

  /** The machine starts again, from this slot; as the boot loader does it, an attempt is counted. */
  async boot(slot: 'A' | 'B', version: string): Promise<void> {
    this.write('current', `${slot}\n`)
    this.write('version', `${version}\n`)
    for (const name of readdirSync(join(this.run, 'state'))) rmSync(join(this.run, 'state', name))
    await this.script('slot-report', 'boot')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true
    this.write('go', '')
    await this.#answering
    rmSync(this.folder, { recursive: true, force: true })
  }

  async #answerAll(): Promise<void> {
    const running = new Map<string, Promise<unknown>>()
    while (!this.#stopped) {
      for (const kind of ['time', 'update', 'restart', 'rollback', 'backup']) {
        if (running.has(kind) || !existsSync(join(this.run, 'requests', kind))) continue
        running.set(
          kind,
          this.script(`request-${kind}`)
            .then(() => this.script('request-ended', kind))
            .finally(() => running.delete(kind)),
        )
      }
      await sleep(20)
    }
    await Promise.all(running.values())
  }

  #command(path: string, text: string): void {
    rmSync(path, { force: true })
    writeFileSync(path, `#!/bin/sh\n${text.trim()}\n`)
    chmodSync(path, 0o755)
  }
}
