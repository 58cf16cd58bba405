import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { Desk } from '../../test/world/desk.ts'
import { createLogger } from '../log.ts'
import { importFolder } from './import-folder.ts'

class Folder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'gatehouse-folder-'))
  lines: string[] = []

  write(name: string, content: string): void {
    writeFileSync(join(this.path, name), content)
  }

  /** The import at the box's start. */
  async open(desk: Desk): Promise<void> {
    const logger = createLogger('debug', { write: (line: string) => void this.lines.push(line) })
    await importFolder(this.path, { ...desk.deps, logger })
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}

const statusOf = async (desk: Desk, code: string) => (await desk.scan(code, { checkpoint: 'late-in' })).verdict

describe('the tickets in the event’s folder', () => {
  it('are imported at the first start, and again only when the file is another', async () => {
    using desk = await Desk.open({ now: Date.parse('2026-07-04T12:00:00Z') })
    using folder = new Folder()
    await folder.open(desk)
    assert.equal(desk.deps.ledger.size, 0)
    folder.write('tickets.csv', 'code,tier\nA,once\nB,once\n')
    await folder.open(desk)
    assert.equal(await statusOf(desk, 'A'), 'NOT_VALID_NOW')

    await desk.import(['A,once,revoked'])
    desk.restart()
    const size = desk.deps.ledger.size
    await folder.open(desk)
    assert.equal(desk.deps.ledger.size, size, 'what an admin has imported since stands')
    assert.equal(await statusOf(desk, 'A'), 'REVOKED')

    folder.write('tickets.csv', 'code,tier\nA,once\nC,once\n')
    await folder.open(desk)
    for (const code of ['A', 'B', 'C']) assert.equal(await statusOf(desk, code), 'NOT_VALID_NOW')
  })

  it('may be JSON', async () => {
    using desk = await Desk.open({ now: 0 })
    using folder = new Folder()
    const orders = [{ code: 'O', status: 'p', positions: [{ positionid: 1, item: 7, secret: 'S' }] }]
    folder.write('tickets.json', JSON.stringify({ event: { items: [{ id: 7, name: 'Day ticket' }], orders } }))
    await folder.open(desk)
    assert.notEqual(await statusOf(desk, 'S'), 'UNKNOWN')
  })

  it('that have mistakes stop nobody, and the log says where to look, and quotes nothing', async () => {
    using desk = await Desk.open({ now: 0 })
    using folder = new Folder()
    folder.write('tickets.csv', 'code,tier,holder_name\nA,once,Ana Reis\nSECRET,Ana’s tier,Ana Reis\n')
    await folder.open(desk)
    const log = folder.lines.join('')
    assert.match(log, /"tickets_imported".*"added":1.*"rejected":1/)
    assert.match(log, /"tickets_to_check".*gatehouse import tickets\.csv --dry-run/)
    assert.doesNotMatch(log, /Ana|SECRET/)
  })

  it('that are no tickets keep the box from opening, and say why', async () => {
    using desk = await Desk.open({ now: 0 })
    using folder = new Folder()
    folder.write('tickets.csv', '<html>')
    await assert.rejects(folder.open(desk), /web page/)
  })
})
