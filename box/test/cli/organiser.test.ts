/** The commands that an organiser uses before doors open: ticket links, and the map. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { parseVerifierKey } from '@gatehouse/proto/verifier-key.ts'
import { parse } from 'csv-parse/sync'
import type { EventFile } from '../../src/event/event.ts'
import { BoxFolder } from '../world/process-box.ts'

const demo = (file: string) => readFileSync(new URL(`../../demo/${file}`, import.meta.url), 'utf8')
const EVENT: EventFile = JSON.parse(demo('event.json'))
const MAP = demo('venue.geojson')

async function gatehouse(folder: BoxFolder, ...args: string[]): Promise<{ code: number | null; out: string }> {
  await using command = folder.command(...args)
  const { code } = await command.exited()
  return { code, out: command.output }
}

describe('gatehouse links', { concurrency: 2 }, () => {
  const TICKETS = [
    'PLAIN,once,,Ana Reis,ana@mail.example,,,valid',
    'COMMA,once,,"Reis, Ana ""Nan""",,,,valid',
    'FORMULA,vip,,"=HYPERLINK(""http://evil.example"",""x"")",@SUM(A1),,,valid',
    'DASH,vip,,-1+1,+351 1,,,valid',
    'WIDE,once,,＝1+1,,,,valid',
    'NOBODY,once,,,,,,valid',
  ]
  let folder: BoxFolder
  before(async () => {
    folder = new BoxFolder({ tickets: TICKETS })
    const imported = await gatehouse(
      folder,
      'import',
      join(folder.environment.GATEHOUSE_EVENT_DIR ?? '', 'tickets.csv'),
    )
    assert.equal(imported.code, 0, imported.out)
  })
  after(() => folder[Symbol.dispose]())

  const rowsOf = (csv: string): Record<string, string>[] => parse(csv, { columns: true })

  it('writes a CSV that a mail program and a spreadsheet read alike, and no formula in it', async () => {
    const { code, out } = await gatehouse(folder, 'links', '--wallet', 'https://tickets.example/w?event=5')
    assert.equal(code, 0)
    assert.match(out, /^code,holder_name,email,link\n/)
    const rows = rowsOf(out)
    assert.deepEqual(
      rows.map(({ code, holder_name, email }) => [code, holder_name, email]),
      [
        ['PLAIN', 'Ana Reis', 'ana@mail.example'],
        ['COMMA', 'Reis, Ana "Nan"', ''],
        ['FORMULA', '\'=HYPERLINK("http://evil.example","x")', "'@SUM(A1)"],
        ['DASH', "'-1+1", "'+351 1"],
        // Spreadsheets of East Asian locales take full-width signs for formulas too.
        ['WIDE', "'＝1+1", ''],
        ['NOBODY', '', ''],
      ],
    )
    const ids = rows.map(({ link = '' }) => {
      const [sent, kept] = link.split('#')
      assert.equal(sent, 'https://tickets.example/w?event=5')
      const { t = '', k = '', ...more } = Object.fromEntries(new URLSearchParams(kept))
      assert.deepEqual(more, {})
      assert.equal(Buffer.from(t, 'base64url').length, 16)
      assert.match(parseVerifierKey(k)?.name ?? '', /^gatehouse\/test-fair\/box-/)
      return t
    })
    assert.equal(new Set(ids).size, TICKETS.length)
    for (const { code = '' } of rows) assert.ok(!ids.includes(code))
    assert.equal((await gatehouse(folder, 'links', '--wallet', 'https://tickets.example/w?event=5')).out, out, 'again')
  })

  it('writes those of one tier, or JSON with unescaped names', async () => {
    const { code, out } = await gatehouse(folder, 'links', '--tier', 'vip', '--json')
    const rows = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.deepEqual([code, rows.map((row) => row.code)], [0, ['FORMULA', 'DASH']])
    assert.equal(rows[1].holder_name, '-1+1')
    assert.match(rows[0].link, /^https:\/\/127\.0\.0\.1:\d+\/wallet\/#t=/)
  })

  it('exits 1 when there is no ticket, and 2 for an unknown tier or an invalid wallet address', async () => {
    const none = await gatehouse(folder, 'links', '--tier', 'crew')
    assert.deepEqual([none.code, rowsOf(none.out.split('\n')[0] ?? '')], [1, []])
    assert.match(none.out, /^There is no such ticket in .*: import tickets first\.$/m)
    for (const [args, message] of [
      [['--tier', 'day'], /^This event has no ticket type "day": choose from once, daily/],
      [['--wallet', 'tickets.example'], /GATEHOUSE_WALLET_URL is "tickets\.example", not a URL/],
      [['--wallet', 'https://tickets.example/#x'], /not a URL without a fragment/],
      [['--wallet', 'javascript:alert(1)'], /not a URL/],
    ] as const) {
      const { code, out } = await gatehouse(folder, 'links', ...args)
      assert.equal(code, 2, out)
      assert.match(out, message)
    }
  })
})

describe('gatehouse venue', { concurrency: 2 }, () => {
  let folder: BoxFolder
  before(() => {
    folder = new BoxFolder({ event: EVENT, venue: MAP, tickets: ['DAY,day,,,,,,valid'] })
  })
  after(() => folder[Symbol.dispose]())
  const file = (name: string) => join(folder.path, name)

  it('compiles to the bytes whose hash is the ETag, the same every time', async () => {
    const { code, out } = await gatehouse(folder, 'venue', 'compile', file('plan.json'))
    assert.equal(code, 0, out)
    const plan = readFileSync(file('plan.json'))
    const [, etag] = /ETag "sha256-([0-9a-f]{64})", written to /.exec(out) ?? assert.fail(out)
    assert.equal(createHash('sha256').update(plan).digest('hex'), etag)
    assert.equal((await gatehouse(folder, 'venue', 'compile', file('again.json'))).code, 0)
    assert.deepEqual(readFileSync(file('again.json')), plan)
    assert.match((await gatehouse(folder, 'venue', 'compile')).out, new RegExp(`no mistake. ETag "sha256-${etag}"`))
  })

  it('draws in the width that it is given', async () => {
    const { code, out } = await gatehouse(folder, 'venue', 'draw', file('map.svg'), '--width', '800')
    assert.deepEqual([code, out], [0, `Drawn to ${file('map.svg')}.\n`])
    assert.match(readFileSync(file('map.svg'), 'utf8'), /^<svg [^>]*\b800\b/)
  })

  it('imports a GTFS folder, and exits 1 with what is wrong with it', async () => {
    mkdirSync(file('gtfs'))
    const stops = (where: string) => `stop_id,stop_name,stop_lat,stop_lon\na,Gate A,${where}\nb,Gate B,38.501,-9.1\n`
    const pathways = (to: string) =>
      `pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional,length\np,a,${to},1,1,120\n`
    writeFileSync(file('gtfs/stops.txt'), stops('38.5,-9.1'))
    writeFileSync(file('gtfs/pathways.txt'), pathways('b'))
    const good = await gatehouse(folder, 'venue', 'import', file('gtfs'), file('imported.geojson'))
    assert.equal(good.code, 0, good.out)
    assert.match(good.out, /^GTFS: \d+ features written to /m)
    assert.equal(JSON.parse(readFileSync(file('imported.geojson'), 'utf8')).type, 'FeatureCollection')
    for (const [stopsFile, pathwaysFile, said] of [
      ['stop_id,stop_lat\n"a,38\n', 'pathway_id\n"p\n', /^error: stops\.txt: .*\nerror: pathways\.txt: /m],
      [
        stops('north,west'),
        pathways('c'),
        /^warning: pathways\.txt "p": .*\n\S+ contains nothing that can be put on a map/m,
      ],
    ] as const) {
      writeFileSync(file('gtfs/stops.txt'), stopsFile)
      writeFileSync(file('gtfs/pathways.txt'), pathwaysFile)
      const bad = await gatehouse(folder, 'venue', 'import', file('gtfs'), file('never.geojson'))
      assert.equal(bad.code, 1, bad.out)
      assert.match(bad.out, said)
    }
    assert.ok(!existsSync(file('never.geojson')))
  })

  it('lists the entrances, zones and languages that an import could name, and takes them as options', async () => {
    mkdirSync(file('named'))
    const stops = [
      'stop_id,stop_name,stop_lat,stop_lon,location_type,level_id',
      'E 1,Street,38.5,-9.1,2,L0',
      'E2,Yard,38.5,-9.1,2,L0',
      'P,Track,38.5,-9.1,0,L1',
    ]
    writeFileSync(file('named/stops.txt'), stops.join('\n'))
    writeFileSync(file('named/levels.txt'), 'level_id,level_index,level_name\nL0,0,Ground\nL1,-1,Tracks\n')
    writeFileSync(file('named/pathways.txt'), 'pathway_id,from_stop_id,to_stop_id,pathway_mode\na,E 1,P,2\nb,E2,P,5\n')
    const translations = ['de,Strasse', 'fr,Rue'].map((text) => `stops,stop_name,${text},E 1`)
    const columns = 'table_name,field_name,language,translation,record_id'
    writeFileSync(file('named/translations.txt'), [columns, ...translations].join('\n'))
    const run = (...more: string[]) =>
      gatehouse(folder, 'venue', 'import', file('named'), file('named.geojson'), ...more)
    const { code, out } = await run()
    assert.equal(code, 0, out)
    assert.match(
      out,
      /^No gate was named: .* has the gates north, .*\n {2}--gate 'E 1=GATE' +Street\n {2}--gate E2=GATE +Yard$/m,
    )
    assert.match(
      out,
      /^No zone was named: .* has the zones arena, .*\n {2}--zone ZONE .*\n {2}--zone L0=ZONE +Ground\n/m,
    )
    assert.match(out, /^Names are in de, fr: --language TAG/m)

    const named = await run('--gate', 'E 1=north', '--zone', 'L1=arena', '--language', 'de')
    assert.deepEqual([named.code, named.out], [0, `GTFS: 7 features written to ${file('named.geojson')}.\n`])
    const { features } = JSON.parse(readFileSync(file('named.geojson'), 'utf8'))
    const gate = features.filter(({ properties }: { properties: { kind: string } }) => properties.kind === 'gate')
    assert.deepEqual(
      gate.map(({ id, properties }: { id: string; properties: object }) => [id, properties]),
      [['north', { kind: 'gate', name: 'Strasse', node: 'E_1' }]],
    )

    const wrong = await run('--gate', 'E1=north')
    assert.equal(wrong.code, 1, wrong.out)
    assert.match(wrong.out, /^error: the folder has no entrance with the id "E1"; did you mean "E 1"\?$/m)
  })

  it('imports plain GeoJSON by rules, and says what is wrong with them', async () => {
    mkdirSync(file('lines'))
    const street = {
      type: 'LineString',
      coordinates: [
        [-9.1, 38.5],
        [-9.11, 38.5],
      ],
    }
    const feature = { type: 'Feature', properties: { class: 'street' }, geometry: street }
    writeFileSync(file('lines/town.geojson'), JSON.stringify({ type: 'FeatureCollection', features: [feature] }))
    const run = (rules: unknown) => {
      writeFileSync(file('rules.json'), JSON.stringify(rules))
      return gatehouse(folder, 'venue', 'import', file('lines'), file('town.geojson'), '--rules', file('rules.json'))
    }
    const good = await run([{ file: 'town.geojson', where: { class: ['street'] }, kind: 'path' }])
    assert.deepEqual([good.code, good.out], [0, `GeoJSON: 1 features written to ${file('town.geojson')}.\n`])
    const bad = await run([{ file: 'town.geojson', where: { class: 5 }, kind: 'paht' }])
    assert.equal(bad.code, 2, bad.out)
    assert.match(bad.out, /\[0\]\.where: must be an object of texts.*\n\[0\]\.kind: must be .*did you mean "path"/)
  })

  it('exits 1 with every mistake of a map and writes nothing; the box refuses to start with it and exits 2', async () => {
    const broken = JSON.parse(MAP)
    for (const { id, properties } of broken.features) {
      if (id === 'crew-way') properties.max_slope = 'steep'
      if (id === 'terrace-lift') properties.to = 'nowhere'
    }
    using own = new BoxFolder({ event: EVENT, venue: JSON.stringify(broken), tickets: ['DAY,day,,,,,,valid'] })
    for (const args of [
      ['compile', join(own.path, 'x')],
      ['draw', join(own.path, 'x')],
    ]) {
      const { code, out } = await gatehouse(own, 'venue', ...args)
      assert.equal(code, 1, out)
      assert.match(out, /^error: path "crew-way": .*\nerror: path "terrace-lift": /m)
      assert.ok(!existsSync(join(own.path, 'x')))
    }
    const { code, out } = await gatehouse(own, 'serve')
    assert.equal(code, 2, out)
    assert.match(out, /^venue\.geojson has mistakes:\nerror: path "crew-way": .*\nerror: path "terrace-lift": /m)
    assert.doesNotMatch(out, /^\s+at /m)
  })

  it('exits 2 with a sentence for wrong arguments', async () => {
    for (const [args, message] of [
      [[], /takes compile, draw or import/],
      [['fly'], /takes compile, draw or import/],
      [['draw'], /takes a file: gatehouse venue draw map\.svg/],
      [['draw', file('x.svg'), '--width', 'wide'], /--width takes a number/],
      [['compile', '--source', file('nothing')], /is not a readable file/],
      [['import', file('nothing')], /takes a folder and a file/],
      [['import', file('nothing'), file('x')], /is not a readable folder/],
      [['import', '.', file('x'), '--gate', 'north'], /--gate takes ID=GATE, not "north"/],
      [['import', '.', file('x'), '--zone', 'a', '--zone', 'b'], /can be given once/],
      [['draw', '/nowhere/x.svg'], /nowhere/],
    ] as const) {
      const { code, out } = await gatehouse(folder, 'venue', ...args)
      assert.equal(code, 2, `${args.join(' ')}: ${out}`)
      assert.match(out, message)
      assert.doesNotMatch(out, /^\s+at /m)
    }
  })
})
