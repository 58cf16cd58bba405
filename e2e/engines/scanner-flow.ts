/** A shift at a gate, from the invite to the last scan that waited, in any engine. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { VerdictClass } from '../../proto/ui/verdict-class.ts'
import { preflightWords } from '../../scanner-pwa/src/words/en/preflight.ts'
import { screenWords } from '../../scanner-pwa/src/words/en/screens.ts'
import { words as ownWords } from '../../scanner-pwa/src/words/en/words.ts'
import { lookForVerdict, noteVerdicts, patternOf } from '../verdict-notes.ts'
import type { World } from '../world.ts'
import { giveCamera, show } from './made-up-camera.ts'
import { Person } from './person.ts'
import { type Tab, until } from './tab.ts'

const words = { ...ownWords, ...screenWords, preflight: preflightWords }
const VERDICT = `[aria-label="${words.verdict.label}"]`

/** From the invite to the scanner, through the preflight. */
export async function pair(world: World, tab: Tab): Promise<Person> {
  const crew = new Person(tab)
  await tab.open(await world.inviteLink())
  await crew.fill(words.pairing.name, 'North 1')
  await giveCamera(tab)
  await crew.press(words.pairing.pair)
  await crew.fill(words.checkpoint.operator, 'Rui')
  await crew.press(/North entry/)
  await crew.sees(/[\d,]+ tickets, version/)
  await crew.sees(words.preflight.offline.ok)
  return crew
}

export async function startScanning(crew: Person): Promise<void> {
  await crew.press(words.preflight.start)
  await crew.sees(words.scan.type)
  await crew.tab.run(noteVerdicts)
}

/** The box in reach: each way to read a code, and the answers. @param refused called while a refusal is on the screen */
export async function scanInReach(crew: Person, refused: () => Promise<void>): Promise<void> {
  await show(crew.tab, 'DAY-1')
  await expectVerdict(crew, 'admit', 'Block 2, seat 1')
  await show(crew.tab, null)
  await gone(crew)
  await wedge(crew, 'DAY-2')
  await expectVerdict(crew, 'admit', 'Block 3, seat 2')
  await gone(crew)
  for (const [code, verdict] of [
    ['DAY-1', 'used'],
    ['REVOKED-1', 'revoked'],
    ['CREW-1', 'elsewhere'],
    ['nonsense', 'invalid'],
  ] as const) {
    await typeCode(crew, code)
    await expectVerdict(crew, verdict)
    if (verdict === 'used') await refused()
    await crew.press(words.verdict.next)
    await gone(crew)
  }
}

/** As long as a hand scanner's code takes to be answered, about. */
const ANSWERED_MS = 5000
const TRIES = 8

/**
 * As a hand scanner types. A driver on a busy machine is as slow as a hand at times, and what it types is then no code, or only the end of
 * one: it is typed again, as a crew would scan again.
 */
async function wedge(crew: Person, code: string): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    await crew.tab.type(`${code}\n`)
    const end = Date.now() + ANSWERED_MS
    while (Date.now() < end) {
      const said = await crew.read(VERDICT)
      if (said === '') {
        await sleep(50)
        continue
      }
      if (!said.toLowerCase().includes(words.verdict.class.invalid.toLowerCase())) return
      await crew.press(words.verdict.next)
      await gone(crew)
      break
    }
  }
  throw new Error(`${TRIES} times the driver typed too slowly for a hand scanner`)
}

/** Codes before the camera, one after the other. @param from how many of them were shown before */
export async function scanMany(crew: Person, count: number, from = 0): Promise<void> {
  for (let n = from + 1; n <= from + count; n++) {
    await show(crew.tab, `PASS-${n}`)
    await expectVerdict(crew, 'admit', new RegExp(`Regular ${n}(?!\\d)|Festival pass`))
    await show(crew.tab, null)
    await gone(crew)
  }
}

/** The box dies; the lane goes on, the page is loaded anew without it, and when it is back it has every admission once. */
export async function scanAlone(world: World, crew: Person): Promise<void> {
  const before = await offlineAdmissions(world)
  await world.stop()
  await typeCode(crew, 'DAY-3')
  await expectVerdict(crew, 'admit', /Offline/)
  await gone(crew)
  await crew.sees(words.link.unsent(1))
  await crew.tab.reload()
  await crew.sees(words.link.unsent(1))
  await crew.tab.run(noteVerdicts)
  await typeCode(crew, 'DAY-3')
  await expectVerdict(crew, 'used')
  await crew.press(words.verdict.next)
  await typeCode(crew, 'DAY-4')
  await expectVerdict(crew, 'admit', /Offline/)
  await gone(crew)
  await crew.sees(words.link.unsent(2))
  await world.start()
  await crew.sees(words.link.unsent(0))
  assert.equal((await offlineAdmissions(world)) - before, 2)
}

/** The box is away for as long as this takes, and has everything afterwards. */
export async function whileAlone(world: World, crew: Person, act: () => Promise<void>): Promise<void> {
  await world.stop()
  await act()
  await world.start()
  await crew.sees(words.link.unsent(0))
}

async function offlineAdmissions({ admin }: World): Promise<number> {
  const { data } = await admin.GET('/v1/admin/log', { params: { query: { kind: 'scan', limit: 500 } } })
  return data?.rows.filter(({ entry }) => entry.offline_admitted).length ?? Number.NaN
}

/** No word of the buttons under the viewfinder is broken in two: Firefox lets a box of a row shrink below its longest word. */
export async function wordsAreWhole(crew: Person): Promise<void> {
  const broken = await crew.tab.run(() =>
    [...document.querySelectorAll<HTMLElement>('.scan-tools > *')].flatMap((button) => {
      const texts = document.createTreeWalker(button, NodeFilter.SHOW_TEXT)
      const found: string[] = []
      for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        for (const { index, 0: word } of (text.nodeValue ?? '').matchAll(/\S+/g)) {
          const range = document.createRange()
          range.setStart(text, index)
          range.setEnd(text, index + word.length)
          if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) found.push(word)
        }
      }
      return found
    }),
  )
  assert.deepEqual(broken, [])
}

export async function report(crew: Person): Promise<void> {
  await crew.press(words.scan.reportLong, 'link')
  await crew.press(words.incidents.kinds.medical)
  await crew.sees(words.incidents.received)
  await crew.press(words.back, 'link')
}

export async function typeCode(crew: Person, code: string): Promise<void> {
  await crew.press(words.scan.type)
  await crew.fill(words.scan.typeLabel, `${code}\n`)
}

/** On the screen now, or there for a moment since the one before. */
export async function expectVerdict(crew: Person, of: VerdictClass, ...texts: (string | RegExp)[]): Promise<void> {
  const wanted = { word: patternOf(new RegExp(`^${words.verdict.class[of]}$`)), texts: texts.map(patternOf) }
  const look = () => crew.tab.run(lookForVerdict, wanted)
  await until(
    `a verdict with ${[words.verdict.class[of], ...texts].join(', ')}`,
    async () => (await look()).found,
    async () => `Shown were:\n${(await look()).shown.join('\n')}`,
  )
}

async function gone(crew: Person): Promise<void> {
  await crew.seesNo(/./, VERDICT)
}

/** Milliseconds from a camera's frame to the verdict on the screen, of every code that this page has seen. */
export function frameToVerdict(tab: Tab): Promise<number[]> {
  return tab.run(() => performance.getEntriesByName('frame-to-verdict').map(({ duration }) => duration))
}
