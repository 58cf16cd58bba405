/** Every route, in both spellings, with each thing that may be wrong with a request: the answer has the form that the apps read. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Answer, checkBody, listsOf, type PretixApp, pairApp, SETUP } from '../world/pretix-app.ts'
import { World } from '../world/world.ts'

const OF_ORGANIZER = '/api/v1/organizers/gatehouse'
const OF_EVENT = `${OF_ORGANIZER}/events/test-fair`
const RPC = '/proxyapi/v1/rpc'

interface Route {
  method: 'GET' | 'POST'
  /** Without the last slash; LIST stands for the number of a list. */
  path: string
  query?: string
  body?: (list: number) => object
  /** For a request with which nothing is wrong. */
  status: number
}

const GET = (path: string, query?: string): Route => ({ method: 'GET', path, ...(query && { query }), status: 200 })
const POST = (path: string, status: number, body: Route['body'] = () => ({})): Route => ({
  ...{ method: 'POST', path, status, body },
})

const unlisted = (list: number) => {
  const { events_and_checkin_lists: _, ...body } = checkBody(list, 'NO-SUCH') as Record<string, unknown>
  return body
}
const searched = (list: number) => ({ events_and_checkin_lists: { 'test-fair': list }, query: 'ONCE-1', page: 1 })
const redeemed = (list: number) => ({ secret: 'PENDING-1', lists: [list], nonce: 'c', questions_supported: true })

const ROUTES: readonly Route[] = [
  GET('/api/v1/version'),
  GET('/api/v1/device/info'),
  GET('/api/v1/device/eventselection'),
  POST('/api/v1/device/update', 200, () => ({ ...SETUP })),
  GET(`${OF_ORGANIZER}/events`),
  ...['subevents', 'reusablemedia'].map((name) => GET(`${OF_ORGANIZER}/${name}`)),
  GET(OF_EVENT),
  ...['items', 'categories', 'questions', 'badgelayouts', 'badgeitems', 'subevents', 'orders'].map((name) =>
    GET(`${OF_EVENT}/${name}`),
  ),
  ...['revokedsecrets', 'blockedsecrets', 'checkinlists', 'settings'].map((name) => GET(`${OF_EVENT}/${name}`)),
  GET(`${OF_EVENT}/checkinlists/LIST`),
  GET(`${OF_EVENT}/checkinlists/LIST/status`),
  GET(`${OF_EVENT}/checkinlists/LIST/positions`, 'search=ONCE-1&page=1'),
  POST(`${OF_EVENT}/checkinlists/LIST/positions/PENDING-1/redeem`, 400, () => ({ nonce: 'p' })),
  POST(`${OF_EVENT}/checkinlists/LIST/failed_checkins`, 201, () => ({ raw_barcode: 'x', error_reason: 'invalid' })),
  POST(`${OF_EVENT}/orderpositions/1/printlog`, 201),
  GET(`${OF_ORGANIZER}/checkinrpc/search`, 'list=LIST&search=ONCE-1&page=1'),
  POST(`${OF_ORGANIZER}/checkinrpc/redeem`, 400, redeemed),
  POST(`${RPC}/check`, 200, (list) => checkBody(list, 'NO-SUCH')),
  POST(`${RPC}/search`, 200, searched),
  POST(`${RPC}/test-fair/LIST/check`, 200, unlisted),
  POST(`${RPC}/test-fair/LIST/search`, 200, () => ({ query: 'ONCE-1', page: 1 })),
  GET(`${RPC}/test-fair/LIST/status`),
]
const INITIALIZE = POST('/api/v1/device/initialize', 400, () => ({ token: 'nonsense', ...SETUP }))
/** Paths whose requests have nothing in the body that is read. */
const UNREAD = /revoke|failed_checkins|printlog/

let world: World
let app: PretixApp
let lists: Record<string, number>

before(async () => {
  world = await World.open({ environment: { GATEHOUSE_PRETIXSCAN_PORT: '0' } })
  app = await pairApp(world, { checkpoints: ['a-in', 'a-out'] })
  lists = await listsOf(app)
})
after(async () => {
  app[Symbol.dispose]()
  await world[Symbol.asyncDispose]()
})

interface Asked {
  token?: string | undefined
  text?: string
  list?: number
}

/** The same answer in both spellings. */
async function ask({ method, path, query, body }: Route, how: Asked = {}): Promise<Answer> {
  const { list = lists['A entry'] ?? 0, text = body && JSON.stringify(body(list)) } = how
  using other = app.withToken('token' in how ? how.token : app.token)
  const named = (part: string) => part.replace('LIST', String(list))
  const answers: Answer[] = []
  for (const spelling of [path, `${path}/`]) {
    const url = named(spelling) + (query ? `?${named(query)}` : '')
    answers.push(await other.call(url, { method, ...(text !== undefined && { text }) }))
    // A burst of a person's: the next one is as slow as anybody's.
    world.elapsedMs += 1000
  }
  const [one, two] = answers
  assert.ok(one && two)
  assert.deepEqual([one.status, one.text], [two.status, two.text], path)
  return one
}

/** An object whose sentence is where the app looks for it: `title` too, in proxy mode. */
function isRefusal({ json, headers }: Answer, path: string): void {
  assert.match(String(headers['content-type']), /^application\/json/, path)
  const names = path.startsWith(RPC) ? ['detail', 'title'] : ['detail']
  assert.deepEqual(Object.keys(json).sort(), names, path)
  for (const name of names) assert.equal(typeof json[name], 'string', path)
}

describe('every route, in both spellings,', () => {
  test('answers a request with which nothing is wrong', async () => {
    for (const route of [...ROUTES, INITIALIZE]) {
      const { status, text } = await ask(route)
      assert.equal(status, route.status, `${route.path}: ${text}`)
    }
  })

  test('wants a token, and says so in the form that ends no pairing', async () => {
    for (const route of ROUTES) {
      for (const token of [undefined, 'x'.repeat(64), '']) {
        const answer = await ask(route, { token })
        assert.deepEqual([answer.status, answer.json.detail], [401, 'Invalid token.'], route.path)
        assert.equal(answer.headers['www-authenticate'], 'Device')
        isRefusal(answer, route.path)
      }
    }
  })

  test('answers a body that is no JSON, or too long, with a sentence', async () => {
    const long = JSON.stringify({ ticketid: 'x'.repeat(70_000) })
    for (const route of [...ROUTES, INITIALIZE].filter(({ method }) => method === 'POST')) {
      for (const text of ['{"ticketid": ', '{"a":1}{', 'nonsense', long]) {
        const answer = await ask(route, { text })
        assert.equal(answer.status, 400, `${route.path}: ${text.slice(0, 20)}`)
        isRefusal(answer, route.path)
      }
    }
  })

  test('answers JSON of another kind with a sentence, where it reads any', async () => {
    for (const route of [...ROUTES, INITIALIZE].filter(({ method }) => method === 'POST')) {
      for (const text of ['[]', '7', 'null', '"x"']) {
        const answer = await ask(route, { text })
        if (UNREAD.test(route.path)) assert.equal(answer.status, route.status, route.path)
        else {
          assert.equal(answer.status, 400, `${route.path}: ${text}`)
          isRefusal(answer, route.path)
        }
      }
    }
  })

  test('knows no other event, organiser or list: a 404 without an object, or an ERROR card at the gate', async () => {
    for (const route of ROUTES) {
      const others = [route.path.replace('gatehouse', 'other'), route.path.replace('test-fair', 'other')]
      for (const path of others.filter((path) => path !== route.path)) {
        const { status, text } = await ask({ ...route, path })
        assert.deepEqual([status, text], [404, 'Not Found'], path)
      }
      if (!`${route.path}${route.query}${JSON.stringify(route.body?.(-7))}`.match(/LIST|-7/)) continue
      if (route.path.endsWith('failed_checkins')) continue
      const answer = await ask(route, { list: 7 })
      if (!route.path.endsWith('check')) assert.deepEqual([answer.status, answer.text], [404, 'Not Found'], route.path)
      else assert.deepEqual([answer.status, answer.json.type], [200, 'ERROR'])
    }
  })

  test('is never flooded into a 429', async () => {
    using flooder = await pairApp(world)
    world.holdRates()
    const statuses = new Set<number>()
    const pages = Array.from({ length: 140 }, async () => {
      statuses.add((await flooder.call(`${OF_EVENT}/items/`)).status)
    })
    while (!statuses.has(503)) await Promise.race(pages.splice(0, 1))
    world.elapsedMs += 60_000
    await Promise.all(pages)
    assert.deepEqual([...statuses].sort(), [200, 503])
  })

  test('tells a device that was revoked exactly that, and one that gives itself back once', async () => {
    using lost = await pairApp(world)
    assert.deepEqual((await lost.post('/api/v1/device/revoke/', {})).json, {})
    for (const route of [...ROUTES, POST('/api/v1/device/revoke', 200)]) {
      const answer = await ask(route, { token: lost.token })
      assert.deepEqual([answer.status, answer.json.detail], [401, 'Device access has been revoked.'], route.path)
      isRefusal(answer, route.path)
    }
  })
})
