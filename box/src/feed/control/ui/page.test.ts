import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { runInNewContext, runInThisContext } from 'node:vm'
import { readPage } from './page.ts'

interface Words {
  bytesText(bytes: number): string
  durationText(ms: number): string
  warningsOf(statistics: object): { level: string; text: string }[]
}

/** As in the page: the script's functions without their exports. */
const words: Words = runInThisContext(
  `(() => {${readFileSync(join(import.meta.dirname, 'words.js'), 'utf8').replace(/^export /gm, '')}; return { bytesText, durationText, warningsOf }})()`,
)

const GIB = 1024 ** 3

function statistics(sinks: object[] = [], more: object = {}) {
  return {
    source: { state: 'streaming', lastError: null },
    slot: { exists: true, active: true, retainedWalBytes: 0 },
    publication: { exists: true, allTables: true },
    walLevel: 'logical',
    engine: { stalledBy: [], stalledMs: 0, positionsError: null, sinks },
    ...more,
  }
}

const sink = (more: object) => ({
  id: 'north',
  name: 'North',
  durability: 'durable',
  status: 'running',
  lastError: null,
  attempts: 0,
  stalledBy: [],
  stuckOn: null,
  deadLetterCount: 0,
  queueDiskBytes: 0,
  queueDiskLimit: 2048,
  ...more,
})

const told = (...args: Parameters<typeof statistics>) =>
  words.warningsOf(statistics(...args)).map(({ level, text }) => `${level}: ${text}`)

describe('the dashboard says in words', () => {
  it('how far the existing rows have come', () => {
    const progress = (snapshot: object) => told([], { source: { state: 'snapshot', lastError: null, snapshot } })
    const of = { table: 'public.orders', rows: 1200, estimatedRows: 50_000 }
    assert.deepEqual(progress({ state: 'reading', ...of }), [
      'warn: Existing rows are read first: 1,200 of about 50,000, now of public.orders. Changes come behind them.',
    ])
    assert.deepEqual(progress({ state: 'delivering', ...of }), [
      'warn: All 1,200 existing rows are read, and are still being delivered. Changes come behind them.',
    ])
  })

  it('how much and how long', () => {
    assert.deepEqual([0, 1023, 1024, 1536 * 1024, 5 * GIB, 3 * 1024 * GIB].map(words.bytesText), [
      '0 B',
      '1023 B',
      '1.0 KiB',
      '1.5 MiB',
      '5.0 GiB',
      '3.0 TiB',
    ])
    assert.deepEqual([0, 61_000, 3_660_000, 90_000_000].map(words.durationText), [
      '0 s',
      '1 min 1 s',
      '1 h 1 min',
      '1 d 1 h',
    ])
  })

  it('nothing when everything is well', () => assert.deepEqual(told([sink({})]), []))

  it('who makes the database keep its log, and when that is too much', () => {
    const [paused] = [sink({ status: 'paused', lastError: 'refused' })]
    const slot = (retainedWalBytes: number) => ({ slot: { exists: true, active: true, retainedWalBytes } })
    assert.deepEqual(told([sink({})], slot(GIB - 1)), [])
    assert.deepEqual(told([sink({})], slot(GIB)), ['warn: The database retains 1.0 GiB of log for this feed.'])
    assert.deepEqual(told([paused], slot(10 * GIB)), [
      'alarm: The database retains 10.0 GiB of log for this feed. Held by the paused North: resume or remove it.',
      'alarm: North is paused, and the database keeps its log for it: refused',
    ])
  })

  it('which sink stalls whom', () => {
    const engine = {
      stalledBy: ['north'],
      stalledMs: 61_000,
      positionsError: null,
      sinks: [sink({}), sink({ id: 'south', name: 'South', stalledBy: ['north'] })],
    }
    assert.deepEqual(told([], { engine }), [
      'alarm: Nothing is read for 1 min 1 s: the queue of North is full. South waits with it.',
    ])
  })

  it('what has failed, what is gone, and what is not known; the worst first', () => {
    assert.deepEqual(
      told([sink({ lastError: 'no', attempts: 3 }), sink({ durability: 'ephemeral', status: 'paused' })], {
        source: { state: 'failed', lastError: 'lost' },
        slot: { exists: false, active: false, retainedWalBytes: 0 },
        publication: { exists: false, allTables: false },
      }).map((line) => line.slice(0, 34)),
      [
        'alarm: The source has failed, and ',
        'alarm: The replication slot is gon',
        'alarm: The publication is gone: no',
        'warn: North has failed 3 times and',
        'warn: North is paused.',
      ],
    )
    assert.deepEqual(told([], { slot: null, publication: null, walLevel: null }), [
      'warn: The database does not answer: nothing is known of slot, publication and retained log.',
    ])
  })
})

/** As much of a document as the page's script touches. There is no browser among this project's tools. */
class Element {
  readonly children: Element[] = []
  readonly classes = new Set<string>()
  readonly attributes = new Map<string, string>()
  readonly dataset: Record<string, string> = {}
  readonly listeners = new Map<string, () => unknown>()
  textContent = ''
  disabled = false
  hidden = false
  parent: Element | undefined
  readonly classList = {
    toggle: (name: string, on: boolean) => void (on ? this.classes.add(name) : this.classes.delete(name)),
    add: (name: string) => void this.classes.add(name),
    remove: (name: string) => void this.classes.delete(name),
  }
  set className(names: string) {
    for (const name of names.split(' ').filter(Boolean)) this.classes.add(name)
  }
  get lastElementChild() {
    return this.children.at(-1)
  }
  appendChild(child: Element) {
    child.parent = this
    this.children.push(child)
    return child
  }
  insertRow() {
    return this.appendChild(new Element())
  }
  insertCell() {
    return this.appendChild(new Element())
  }
  remove() {
    this.parent?.children.splice(this.parent.children.indexOf(this), 1)
  }
  setAttribute(name: string, value: string) {
    this.attributes.set(name, value)
  }
  getAttribute(name: string) {
    return this.attributes.get(name)
  }
  addEventListener(name: string, listener: () => unknown) {
    this.listeners.set(name, listener)
  }
  focus() {}
}

/** The page, opened at `/ui/?token=...` in front of a server that answers with `answer`. */
async function open(answer: (path: string) => { status: number; body: object }) {
  const byId = new Map<string, Element>()
  const main = new Element()
  const asked: string[] = []
  const keys: ((event: object) => void)[] = []
  const timers: (() => unknown)[] = []
  const location = {
    search: '?token=a%2Bb',
    pathname: '/ui/',
    replaced: '',
    replace: (url: string) => {
      location.replaced = url
    },
  }
  const [, script = ''] = /<script>([\s\S]*)<\/script>/.exec(readPage().shown.html) ?? []
  runInNewContext(script, {
    location,
    URLSearchParams,
    AbortSignal,
    Date,
    history: {
      replaceState: (_: null, __: string, url: string) => {
        location.search = url.slice('/ui/'.length)
      },
    },
    document: {
      hidden: false,
      getElementById: (id: string) => byId.get(id) ?? byId.set(id, new Element()).get(id),
      createElement: () => new Element(),
      querySelector: () => main,
    },
    fetch: async (
      url: string,
      { method = 'GET', headers }: { method?: string; headers: { authorization: string } },
    ) => {
      asked.push(`${method} ${url} ${headers.authorization}`)
      const { status, body } = answer(url)
      return { ok: status === 200, status, json: async () => structuredClone(body) }
    },
    addEventListener: (_: string, listener: (event: object) => void) => keys.push(listener),
    setTimeout: (run: () => unknown) => timers.push(run),
  })
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  await settled()
  const text = (id: string) => byId.get(id)?.textContent
  const rows = () => byId.get('sinks')?.children ?? []
  const warnings = () => (byId.get('warnings')?.children ?? []).map(({ textContent }) => textContent)
  const tick = async () => {
    await timers.pop()?.()
    await settled()
  }
  return { asked, keys, location, main, rows, settled, text, tick, warnings }
}

describe('the page', () => {
  it('has everything that its script looks for', () => {
    const { html } = readPage().shown
    const script = readFileSync(join(import.meta.dirname, 'page.js'), 'utf8')
    const ids = [...script.matchAll(/byId\('(\w+)'\)/g)].map(([, id]) => id)
    assert.ok(ids.length > 8)
    for (const id of ids) assert.ok(html.includes(`id="${id}"`), id)
    const columns = [...html.matchAll(/<th scope="col"/g)].length
    assert.equal([...script.matchAll(/cell\('/g)].length + 1, columns, 'a cell for each column')
  })

  const figures = { queueDepth: 1234, deliveredCount: 5, droppedCount: 0, ackedLsn: '0/A', lagMs: 61_000 }
  const stats = (status: string) => ({
    ...statistics([sink({ ...figures, status, lastError: status === 'paused' ? '<b>no</b>' : null })]),
    uptimeMs: 61_000,
  })
  const server = (state: { status: string; broken?: boolean; stats?: object }) => (path: string) => {
    if (state.broken) return { status: 401, body: { error: 'unauthorized' } }
    if (path === '../api/stats') return { status: 200, body: withEngine(state.stats ?? stats(state.status)) }
    state.status = path.endsWith('/pause') ? 'paused' : 'running'
    return { status: 200, body: { ok: true } }
  }
  const withEngine = (body: object) => {
    const { engine, source } = body as { engine: object; source: object }
    return {
      ...body,
      source: { kind: 'postgres', ...source },
      engine: { eventsTotal: 7, flushedLsn: '0/9', ...engine },
    }
  }

  it('takes the token out of the address, and shows it to the server in a header', async () => {
    const { asked, location, keys } = await open(server({ status: 'running' }))
    assert.equal(location.search, '')
    assert.deepEqual(asked, ['GET ../api/stats Bearer a+b'])
    const event = { key: 'F5', preventDefault: () => {} }
    keys[0]?.(event)
    assert.equal(location.replaced, '/ui/?token=a%2Bb')
  })

  it('shows the figures, and pauses and resumes', async () => {
    const { asked, rows, settled, text, tick, warnings } = await open(server({ status: 'running' }))
    assert.deepEqual(
      [text('events'), text('flushed'), text('slot'), text('source')],
      ['7', '0/9', 'active', 'streaming'],
    )
    const cells = () => rows()[0]?.children.map(({ textContent }) => textContent) ?? []
    assert.deepEqual(cells().slice(1, 9), ['running', (1234).toLocaleString(), '1 min 1 s', '5', '0', '0', '0/A', ''])
    const button = rows()[0]?.children.at(-1)?.children[0]
    assert.deepEqual([button?.textContent, button?.getAttribute('aria-label')], ['Pause', 'Pause North'])
    await button?.listeners.get('click')?.()
    await settled()
    assert.equal(asked[1], 'POST ../api/sinks/north/pause Bearer a+b')
    assert.deepEqual([button?.textContent, cells()[1], cells()[8]], ['Resume', 'paused', '<b>no</b>'])
    assert.deepEqual(warnings(), ['North is paused, and the database keeps its log for it: <b>no</b>'])
    await button?.listeners.get('click')?.()
    await tick()
    assert.equal(asked[3], 'POST ../api/sinks/north/resume Bearer a+b')
    assert.deepEqual([rows().length, warnings()], [1, []])
  })

  it('skips the event that a sink is stuck on, under its id', async () => {
    const state = { status: 'paused', stats: stats('running') }
    const { asked, rows, settled, tick, warnings } = await open(server(state))
    const skip = () => rows()[0]?.children.at(-1)?.children[1]
    assert.deepEqual([skip()?.hidden, skip()?.textContent], [true, ''])
    const stuck = {
      ...figures,
      queueDiskBytes: 1024,
      status: 'paused',
      lastError: 'no',
      stuckOn: '0/A:1',
      deadLetterCount: 2,
    }
    state.stats = { ...stats('paused'), ...statistics([sink(stuck)]) }
    await tick()
    assert.deepEqual([skip()?.hidden, skip()?.textContent], [false, 'Skip 0/A:1'])
    assert.equal(rows()[0]?.children[2]?.textContent, `${(1234).toLocaleString()}, 1.0 KiB of 2.0 KiB on disk`)
    assert.match(warnings()[1] ?? '', /^2 changes could not be delivered to North/)
    await skip()?.listeners.get('click')?.()
    await settled()
    assert.equal(asked[2], 'POST ../api/sinks/north/skip?event=0/A:1 Bearer a+b')
  })

  it('says that nobody answers, and from when the figures are', async () => {
    const state = { status: 'running', broken: false }
    const { main, text, tick, warnings } = await open(server(state))
    state.broken = true
    await tick()
    assert.equal(text('source'), 'no answer')
    assert.ok(main.classes.has('stale'))
    assert.match(warnings()[0] ?? '', /the token is no longer good.*the figures are from/)
    state.broken = false
    await tick()
    assert.deepEqual([text('source'), warnings(), main.classes.has('stale')], ['streaming', [], false])
  })
})
