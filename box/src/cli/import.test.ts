import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import { TEST_EVENT, writeEventFolder } from '../../test/world/event.ts'
import type { Environment } from '../config.ts'
import { GatehouseError } from '../errors.ts'
import { LedgerFileError } from '../ledger/db-errors.ts'
import { UsageError } from '../usage.ts'
import type { Values } from './command.ts'
import { importFile } from './import.ts'

describe('gatehouse import', () => {
  let folder: string
  let environment: Environment
  const file = (name: string, ...lines: string[]) => {
    const path = join(folder, name)
    writeFileSync(path, [...lines, ''].join('\n'))
    return path
  }
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-cli-'))
    environment = {
      GATEHOUSE_DATA_DIR: join(folder, 'data'),
      GATEHOUSE_EVENT_DIR: writeEventFolder(join(folder, 'event')),
    }
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  async function run(t: TestContext, positionals: string[], values: Values = {}, env = environment) {
    const log = t.mock.method(console, 'log', () => {})
    const ok = await importFile.run({ values, positionals, environment: env })
    const output = log.mock.calls.map(({ arguments: [text] }) => String(text)).join('\n')
    log.mock.restore()
    return { ok, output }
  }

  it('tried on a box that has never been opened says what would happen, and makes no ledger', async (t) => {
    const path = file('two.csv', 'code,tier', 'A,once', 'B,Day ticket')
    const { ok, output } = await run(t, [path], { 'dry-run': true })
    assert.ok(ok)
    assert.equal(output, 'Would import gatehouse: 2 read, 2 added, 0 changed, 0 unchanged, 0 rejected.')
    assert.ok(!existsSync(join(folder, 'data')))
  })

  it('imports, and says so', async (t) => {
    const path = file('two.csv', 'code,tier', 'A,once', 'B,Day ticket')
    assert.equal(
      (await run(t, [path])).output,
      'Imported gatehouse: 2 read, 2 added, 0 changed, 0 unchanged, 0 rejected.',
    )
    assert.match((await run(t, [path], { 'dry-run': true })).output, /^Would import .* 0 added, 0 changed, 2 unchanged/)
  })

  it('says which ticket changes from what to what', async (t) => {
    await run(t, [file('one.csv', 'code,tier,seat', 'K,once,Row 1')])
    const { ok, output } = await run(t, [file('one.csv', 'code,tier,seat', 'K,daily,Row 2')], { 'dry-run': true })
    assert.ok(ok)
    assert.match(
      output.split('\n')[1] ?? '',
      /^ {2}row 2, ticket [0-9a-f]{8}: tier once -> daily, seat Row 1 -> Row 2$/,
    )
  })

  it('keeps the tier of a cancelled ticket, and says how to change it', async (t) => {
    await run(t, [file('one.csv', 'code,tier,status', 'L,once,refunded')])
    const path = file('one.csv', 'code,tier,status', 'L,daily,refunded')
    const [, change, kept] = (await run(t, [path])).output.split('\n')
    assert.match(change ?? '', /: tier once -> daily \(kept: the ticket is revoked\)$/)
    assert.match(kept ?? '', /^ {2}1 used or revoked ticket kept the ticket type .* add --used-tiers change/)
    const { output } = await run(t, [path], { 'used-tiers': 'change' })
    assert.match(output, /1 changed/)
    await assert.rejects(
      run(t, [path], { 'used-tiers': 'ask' }),
      /--used-tiers cannot be "ask": choose from keep, change/,
    )
  })

  it('answers no when rows were rejected, lists them, and imports the others', async (t) => {
    const path = file('bad.csv', 'code,tier,colour', 'C,once,red', 'D,golden,red')
    const { ok, output } = await run(t, [path])
    assert.ok(!ok)
    const [summary, rejected, warning] = output.split('\n')
    assert.equal(summary, 'Imported gatehouse: 2 read, 1 added, 0 changed, 0 unchanged, 1 rejected.')
    assert.match(
      rejected ?? '',
      /^ {2}row 3: "golden" fits no ticket type: add --tier "golden=<tier>" with one of once, /,
    )
    assert.match(warning ?? '', /^ {2}warning: Not used: "colour"\./)
    const mapped = await run(t, [path], { tier: ['golden=vip'], json: true })
    assert.ok(mapped.ok)
    const { added, unchanged, dry_run, format } = JSON.parse(mapped.output)
    assert.deepEqual(
      { added, unchanged, dry_run, format },
      { added: 1, unchanged: 1, dry_run: false, format: 'gatehouse' },
    )
  })

  it('takes the names of pretix products from a second file', async (t) => {
    const order = { code: 'O', status: 'p', positions: [{ positionid: 1, item: 5, secret: 'PRETIX-1' }] }
    const orders = file('orders.json', JSON.stringify(order))
    const items = file('items.json', JSON.stringify({ results: [{ id: 5, name: { en: 'VIP' }, admission: true }] }))
    assert.match((await run(t, [orders])).output, /item:5/)
    assert.match((await run(t, [orders], { items })).output, /1 added/)
  })

  const mistakes: [what: string, positionals: string[], Values, kind: new (...a: never[]) => Error, message: RegExp][] =
    [
      ['no file', [], {}, UsageError, /takes one file/],
      [
        'a file that is not there',
        ['/nowhere/x.csv'],
        {},
        UsageError,
        /x\.csv cannot be read \(ENOENT\): check the path/,
      ],
      ['a folder', ['.'], {}, UsageError, /cannot be read \(EISDIR\)/],
      ['an unknown format', ['x.csv'], { format: 'xls' }, UsageError, /no format "xls": choose from auto, gatehouse/],
    ]
  for (const [what, positionals, values, kind, message] of mistakes) {
    it(`cannot ask with ${what}`, async (t) => {
      await assert.rejects(run(t, positionals, values), (error) => error instanceof kind && message.test(error.message))
    })
  }

  it('cannot ask with a file that is none, a broken list of items, or another event’s ledger', async (t) => {
    const cannot = async (
      kind: typeof UsageError | typeof GatehouseError,
      message: RegExp,
      ...args: [string, Values?]
    ) => assert.rejects(run(t, [args[0]], args[1]), (error) => error instanceof kind && message.test(error.message))
    const good = file('good.csv', 'code,tier', 'Z,once')
    await cannot(GatehouseError, /web page/, file('page.csv', '<!doctype html>'))
    await cannot(GatehouseError, /names the ticket type "gold"/, good, { tier: ['x=gold'] })
    await cannot(GatehouseError, /not of the form NAME=TIER/, good, { tier: ['gold'] })
    await cannot(UsageError, /items\.json is not JSON/, good, { with: [file('items.json', 'code,tier')] })
    const other = writeEventFolder(join(folder, 'other'), {
      event: { ...TEST_EVENT, id: 'other-fair' },
    })
    await assert.rejects(
      run(t, [good], {}, { ...environment, GATEHOUSE_EVENT_DIR: other }),
      (error) => error instanceof LedgerFileError && /belongs to the event "test-fair"/.test(error.message),
    )
  })
})
