import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import { writeEventFolder } from '../../test/world/event.ts'
import { ENVIRONMENT, type Environment } from '../config.ts'
import { runCommand } from './commands.ts'

const COMMANDS: Record<string, string[]> = {
  serve: [],
  'check-event': ['--json'],
  import: [
    ...['--dry-run', '--format FORMAT', '--tier NAME=ID', '--column FIELD=COLUMN', '--status WORD=STATUS'],
    ...['--every-tier ID', '--used-tiers CHOICE', '--with FILE', '--items FILE', '--json'],
  ],
  invite: ['--checkpoint ID', '--name NAME', '--minutes MINUTES', '--supervisor', '--json'],
  forget: ['--names', '--ticket CODE', '--yes', '--early', '--actor NAME', '--json'],
  log: ['--kind KIND', '--device ID', '--checkpoint ID', '--ticket CODE', '--rows N', '--after NUMBER', '--json'],
  pair: ['--out FOLDER', '--name NAME', '--json'],
  scan: ['--device FOLDER', '--checkpoint ID', '--json'],
  find: ['--seconds SECONDS', '--json'],
}

describe('the command line', () => {
  let folder: string
  let environment: Environment
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-cli-'))
    environment = {
      GATEHOUSE_DATA_DIR: join(folder, 'data'),
      GATEHOUSE_EVENT_DIR: writeEventFolder(join(folder, 'event')),
    }
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  async function say(t: TestContext, ...args: string[]): Promise<string> {
    const log = t.mock.method(console, 'log', () => {})
    assert.ok(await runCommand(args, environment))
    log.mock.restore()
    return log.mock.calls.map(({ arguments: [text] }) => String(text)).join('\n')
  }

  it('without a command, or asked for help, lists the commands and the settings', async (t) => {
    const help = await say(t)
    for (const word of [...Object.keys(COMMANDS), ...Object.keys(ENVIRONMENT), 'Exit status']) {
      assert.ok(help.includes(word), word)
    }
    for (const asked of ['help', '-h', '--help']) assert.equal(await say(t, asked), help)
  })

  for (const [command, options] of Object.entries(COMMANDS)) {
    it(`explains "${command}", also amid other words`, async (t) => {
      const help = await say(t, command, '--help')
      assert.match(help, new RegExp(`^gatehouse ${command}: .+\n\nUsage: gatehouse ${command}\\b`))
      assert.match(
        help,
        new RegExp(`\n\nExamples?:\n  .*gatehouse ${command}\\b[^]*\n\nExit status:\n  0  .+\n[^]*  2  .+$`),
      )
      assert.deepEqual(
        [...help.matchAll(/^ {2}(--[a-z-]+(?: [A-Z=]+)?) /gm)].map(([, option]) => option),
        options,
      )
      assert.equal(await say(t, command, '--frob', 'x', '-h'), help)
    })
  }

  const link = (invite: object) =>
    `https://gate.example/scanner/#i=${Buffer.from(JSON.stringify(invite)).toString('base64url')}`
  const nobody = link({ u: 'https://127.0.0.1:1', fp: `sha256:${'0'.repeat(64)}`, i: 'x', x: 9e9 })
  const mistakes: [args: string[], message: RegExp, more?: Environment][] = [
    [['frobnicate'], /^There is no command "frobnicate"\.\n\ngatehouse: .+\n\nUsage: gatehouse <command>/],
    [['constructor'], /^There is no command "constructor"\./],
    [['import', '--frob', 'x'], /^Unknown option '--frob'.*\n\nUsage: gatehouse import FILE/s],
    [['import', '--format'], /argument missing/],
    [['import', '--json=yes', 'x'], /does not take an argument/],
    [
      ['import', 'a.csv', 'b.csv'],
      /^"b\.csv" is one word too many\.\n\ngatehouse import: .+\n\nUsage: gatehouse import FILE/,
    ],
    [['import', '/nowhere.csv'], /^\/nowhere\.csv cannot be read \(ENOENT\): check the path\.$/],
    [['import', import.meta.filename], /^there is no folder \/nowhere$/, { GATEHOUSE_EVENT_DIR: '/nowhere' }],
    [['serve', 'now'], /^"now" is one word too many\./],
    [['invite', 'gate'], /^"gate" is one word too many\./],
    [['invite'], /^GATEHOUSE_HTTPS_PORT is 0: set it to the port that the box printed/, { GATEHOUSE_HTTPS_PORT: '0' }],
    [['invite', '--minutes', '0'], /^--minutes is "0", not a whole number from 1 to 10080\.$/],
    [['invite', '--minutes', '10081'], /^--minutes is "10081", not a whole number from 1 to 10080\.$/],
    [['invite', '--minutes', '1.5'], /^--minutes is "1\.5"/],
    [['invite', '--checkpoint', 'z'], /^This event has no such checkpoint: choose from a-in, /],
    [['forget', '--yes'], /^Say what to forget: gatehouse forget --names, or --ticket CODE for one person$/],
    [['log', '--kind', 'gossip'], /^There is no kind "gossip": choose from admin_token, announcement, /],
    [['log', '--rows', 'all'], /^--rows is "all", not a number\.$/],
    [['pair'], /takes one link, in quotes/],
    [['pair', 'https://gate.example'], /^This is not an invite: copy the whole link/],
    [['pair', nobody], /^The box at https:\/\/127\.0\.0\.1:1 does not answer: join its network, then try again\.$/],
    [['scan'], /takes one code, in quotes/],
    [['scan', 'X', '--device', '/nowhere'], /^\/nowhere holds no paired device: run "gatehouse pair '<link>' --out /],
    [['find', '--seconds', 'soon'], /^--seconds takes a number of seconds, 60 at most\.$/],
    [['find', '--seconds', '0'], /^--seconds takes a number/],
  ]
  for (const [args, message, more] of mistakes) {
    const settings = Object.entries(more ?? {}).map(([name, value]) => `${name}=${value} `)
    it(`cannot do: ${settings}gatehouse ${args.join(' ').slice(0, 60)}`, async () => {
      await assert.rejects(runCommand(args, { ...environment, ...more }), (error: Error) => message.test(error.message))
    })
  }
})
