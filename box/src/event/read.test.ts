import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { EventFileError } from './mistakes.ts'
import { readJson } from './read.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-event-'))
})
after(() => rm(folder, { recursive: true }))

async function refusal(path: string): Promise<string> {
  const error = await readJson(path).then(
    () => assert.fail('was read'),
    (error) => error,
  )
  assert.ok(error instanceof EventFileError, String(error))
  return error.message.replaceAll(folder, '.')
}

describe('event.json', () => {
  for (const [what, content, expected] of [
    [
      'a missing comma',
      '{\n  "id": "x"\n  "name": "X"\n}',
      "line 3, column 3: not JSON: Expected ',' or '}' after property value",
    ],
    ['a comma too many', '{"id": 1,}', 'line 1, column 10: not JSON: Expected double-quoted property name'],
    [
      'a value without quotes',
      '{"a": "é",\r\n "id": fair, "x": [1]}',
      "line 2, column 10: not JSON: Unexpected token 'i'",
    ],
    ['a comment', '{ // the fair\n}', "line 1, column 3: not JSON: Expected property name or '}'"],
    ['single quotes', "{'id': 1}", "line 1, column 2: not JSON: Expected property name or '}'"],
    ['a file cut off', '{\n "id": "x', 'line 2, column 10: not JSON: Unterminated string'],
    ['an empty file', '', 'line 1, column 1: not JSON: Unexpected end of JSON input'],
    ['two values', '{}\n{}', 'line 2, column 1: not JSON: Unexpected non-whitespace character after JSON'],
    ['an escape sequence', '[\u001b]', "line 1, column 2: not JSON: Unexpected token '?'"],
    ['a web page', '<!doctype html>', "line 1, column 1: not JSON: Unexpected token '<'"],
    ['UTF-16', Buffer.from('\ufeff{}', 'utf16le'), 'event.json is UTF-16; save it as UTF-8'],
    ['Latin-1', Buffer.from('{"name": "Maré"}', 'latin1'), 'event.json is not UTF-8 text'],
    ['too much of it', Buffer.alloc(4 * 1024 * 1024 + 1, ' '), './event.json is larger than 4 MiB'],
    ['brackets without end', '['.repeat(1e6), /^line 1, column \d+: not JSON: /],
  ] as const) {
    test(`with ${what}`, async () => {
      await writeFile(join(folder, 'event.json'), content)
      const said = await refusal(folder)
      if (typeof expected === 'string') assert.equal(said, expected)
      else assert.match(said, expected)
    })
  }

  test('with the byte order mark of a Windows editor is read', async () => {
    await writeFile(join(folder, 'event.json'), '\ufeff{"id": "x"}')
    assert.deepEqual(await readJson(folder), { id: 'x' })
  })
})

describe('a folder', () => {
  test('that is not there', async () => {
    assert.equal(await refusal(join(folder, 'nowhere')), 'there is no folder ./nowhere')
  })

  test('without an event.json', async () => {
    await mkdir(join(folder, 'empty'))
    assert.equal(await refusal(join(folder, 'empty')), 'the folder ./empty holds no event.json')
  })

  test('that is the file itself', async () => {
    await writeFile(join(folder, 'file'), '{}')
    assert.equal(await refusal(join(folder, 'file')), './file is a file; give the folder that holds event.json')
  })

  test('whose event.json is a folder', async () => {
    await mkdir(join(folder, 'odd', 'event.json'), { recursive: true })
    assert.equal(await refusal(join(folder, 'odd')), './odd/event.json is not a file')
  })

  test('whose event.json is a pipe that nobody writes to', { skip: process.platform === 'win32' }, async () => {
    await mkdir(join(folder, 'pipe'))
    execFileSync('mkfifo', [join(folder, 'pipe', 'event.json')])
    assert.equal(await refusal(join(folder, 'pipe')), './pipe/event.json is not a file')
  })
})
