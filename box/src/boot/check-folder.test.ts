import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { EventFileError } from '../event/mistakes.ts'
import { checkFolder } from './check-folder.ts'

const DEMO = join(import.meta.dirname, '../../demo')

class Folder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'gatehouse-check-'))

  constructor() {
    cpSync(DEMO, this.path, { recursive: true })
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.path, name), text)
  }

  async mistakes(): Promise<string[]> {
    const error = await checkFolder(this.path).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    assert.ok(error instanceof EventFileError)
    return error.message.split('\n')
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}

describe('an event’s folder', () => {
  it('that a box opens with is the event', async () => {
    assert.equal((await checkFolder(DEMO)).id, 'lantern-quay')
    using folder = new Folder()
    for (const name of ['venue.geojson', 'tickets.csv']) rmSync(join(folder.path, name))
    assert.equal((await checkFolder(folder.path)).id, 'lantern-quay', 'map and tickets may come later')
  })

  it('with mistakes in map and tickets is refused with all of them', async () => {
    using folder = new Folder()
    const map = JSON.parse(readFileSync(join(DEMO, 'venue.geojson'), 'utf8'))
    for (const { id, properties } of map.features) if (id === 'terrace-lift') properties.to = 'nowhere'
    folder.write('venue.geojson', JSON.stringify(map))
    folder.write('tickets.csv', 'Name;Mail\nAna;ana@mail.example\n')
    const [first, second, ...more] = await folder.mistakes()
    assert.match(first ?? '', /^venue\.geojson: path "terrace-lift": /)
    assert.match(second ?? '', /^tickets\.csv: The file is of no known shop, for /)
    assert.deepEqual(more, [])
  })

  it('whatever the map and the tickets are', async () => {
    for (const text of ['', '\0', '{', '[]', 'null', '{"event":', 'code;tier', '"', '\ufeff', 'x'.repeat(100_000)]) {
      using folder = new Folder()
      folder.write('tickets.csv', text)
      assert.match((await folder.mistakes()).join('\n'), /^tickets\.csv: /, JSON.stringify(text.slice(0, 10)))
      folder.write('venue.geojson', text)
      assert.match((await folder.mistakes())[0] ?? '', /^venue\.geojson: /, JSON.stringify(text.slice(0, 10)))
    }
  })

  it('with mistakes in the event itself is refused with these alone: the rest is held against it', async () => {
    using folder = new Folder()
    folder.write('event.json', '{"id": "x"}')
    folder.write('tickets.csv', 'Name;Mail\n')
    assert.doesNotMatch((await folder.mistakes()).join('\n'), /tickets/)
  })
})
