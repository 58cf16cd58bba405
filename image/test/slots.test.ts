/**
 * The choice of the slot: the boot loader's own script and the command `slots`, unchanged, on one file. U-Boot's shell is close enough
 * to this machine's for the script to run here, with U-Boot's commands as functions.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'

const IMAGE = join(import.meta.dirname, '..')
const SLOTS = join(IMAGE, 'overlay/usr/lib/gatehouse/slots')

type Slot = 'A' | 'B'
const SLOT = fc.constantFrom<Slot>('A', 'B')
const other = (slot: Slot): Slot => (slot === 'A' ? 'B' : 'A')

/** U-Boot's commands. `start` succeeds for the slots of $LOADABLE, and never returns then. */
const U_BOOT = `
setenv() { name=$1; shift; eval "$name=\\$*"; }
load() { [ "$4" = ab.env ] && [ -s "$AB_ENV" ]; }
env() { while IFS== read -r name value; do case $name in ORDER|A_LEFT|B_LEFT) eval "$name=\\$value" ;; esac; done <"$AB_ENV"; }
setexpr() { eval "$1=$(($2 $3 $4))"; }
run() {
  case $1 in
    save) { printf 'A_LEFT=%s\\nB_LEFT=%s\\nORDER=%s\\n' "$A_LEFT" "$B_LEFT" "$ORDER"; yes '' | head -c 512; } | head -c 512 >"$AB_ENV" ;;
    start) case $LOADABLE in *$slot*) echo "started $slot"; exit 0 ;; *) return 1 ;; esac ;;
  esac
}
sleep() { :; }
reset() { exit 3; }
`

describe('slots', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-slots-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const env = join(folder, 'ab.env')
  const script = join(folder, 'boot.sh')
  writeFileSync(script, U_BOOT + readFileSync(join(IMAGE, 'boot/boot.cmd'), 'utf8'))

  function fresh(): void {
    writeFileSync(env, 'ORDER=A B\nA_LEFT=3\nB_LEFT=3\n'.padEnd(512, '\n'))
  }
  function slots(...args: string[]): string {
    const { status, stdout, stderr } = spawnSync('sh', [SLOTS, ...args], {
      env: { ...process.env, GATEHOUSE_AB_ENV: env },
      encoding: 'utf8',
    })
    assert.equal(status, 0, stderr)
    assert.equal(statSync(env).size, 512, 'always one sector')
    return stdout.trim()
  }
  /** One reset of the board. Undefined: no slot could be loaded, and it starts over. */
  function boot(loadable: readonly Slot[]): Slot | undefined {
    const { status, stdout, stderr } = spawnSync('sh', [script], {
      env: { ...process.env, AB_ENV: env, LOADABLE: loadable.join(''), loadaddr: '0x1', devtype: 'mmc', devnum: '0' },
      encoding: 'utf8',
    })
    assert.equal(stderr, '')
    if (status === 3) return undefined
    assert.equal(status, 0)
    return (/^started ([AB])$/m.exec(stdout)?.[1] ?? assert.fail(stdout)) as Slot
  }

  test('a new card starts its first slot, and a system that is well is not given up for two power cuts', () => {
    fresh()
    for (let start = 0; start < 3; start++) assert.equal(boot(['A', 'B']), 'A')
    slots('set-state', 'A', 'good')
    assert.equal(boot(['A', 'B']), 'A')
    assert.equal(slots('get-primary'), 'A')
  })

  test('the second slot of a new card is empty: it is passed over', () => {
    fresh()
    for (let start = 0; start < 12; start++) assert.ok(['A', undefined].includes(boot(['A'])))
  })

  test('an update has one attempt, and the system before is there for the next', () => {
    fresh()
    slots('set-state', 'B', 'bad')
    slots('set-primary', 'B')
    assert.deepEqual([slots('get-primary'), boot(['A', 'B']), boot(['A', 'B'])], ['B', 'B', 'A'])
    assert.equal(slots('get-primary'), 'A')
    assert.deepEqual([slots('get-state', 'A'), slots('get-state', 'B')], ['good', 'bad'])
  })

  test('a file that is lost or spoilt starts the first slot', () => {
    for (const text of ['', 'x'.repeat(512), '\0'.repeat(512)]) {
      writeFileSync(env, text)
      assert.equal(boot(['A', 'B']), 'A')
    }
  })

  test('whatever happens, a slot that is well is reached, and stays', () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('reset' as const) }),
      fc.record({ do: fc.constant('update' as const), slot: SLOT }),
      fc.record({ do: fc.constantFrom('good' as const, 'bad' as const), slot: SLOT }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 6 }), SLOT, (steps, well) => {
        fresh()
        for (const step of steps) {
          if (step.do === 'reset') boot(['A', 'B'])
          else if (step.do === 'update') {
            slots('set-primary', step.slot)
            assert.equal(slots('get-primary'), step.slot)
          } else slots('set-state', step.slot, step.do)
        }
        // From now on only one slot is good: the other starts, and never reports success.
        let starts = 0
        // At worst: three attempts of the other, none left of either, and all of them again.
        while (boot(['A', 'B']) !== well) assert.ok(++starts <= 7, `not ${well} after ${starts} starts`)
        slots('set-state', well, 'good')
        // The other may have attempts left, and may be first in order: they come to an end.
        while (slots('get-state', other(well)) === 'good' && slots('get-primary') !== well) boot(['A', 'B'])
        assert.equal(boot(['A', 'B']), well)
      }),
      { numRuns: process.env.GATEHOUSE_TEST_LONG ? 500 : 20 },
    )
  })

  test('says how it is used', () => {
    assert.equal(spawnSync('sh', [SLOTS, 'nonsense'], { env: { ...process.env, GATEHOUSE_AB_ENV: env } }).status, 2)
  })
})
