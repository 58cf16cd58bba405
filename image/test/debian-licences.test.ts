/** Licences of Debian's packages, as their files have them. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { licencesIn, licencesOf } from '../steps/debian-licences.ts'

const DEP5 = `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Files: *
Copyright: 2000 Somebody
License: GPL-2+

Files: lib/*
License: Expat or Apache-2.0
 This text has License: in it.

License: GPL-2+
 On Debian systems, see /usr/share/common-licenses/GPL-2.
`

describe('the licences of a Debian package', () => {
  test('are those that a machine-readable file names, each once', () => {
    assert.deepEqual(licencesIn(DEP5), ['Expat or Apache-2.0', 'GPL-2+'])
  })

  test('are those that an older file points to', () => {
    const text =
      'The library is under /usr/share/common-licenses/LGPL-2.1, programs under\n/usr/share/common-licenses/GPL-2.\n'
    assert.deepEqual(licencesIn(text), ['GPL-2', 'LGPL-2.1'])
  })

  test('are found through links within the system; without a file, the list is not made', (t) => {
    const system = mkdtempSync(join(tmpdir(), 'gatehouse-licences-'))
    t.after(() => rmSync(system, { recursive: true, force: true }))
    const doc = join(system, 'usr/share/doc')
    for (const name of ['libone', 'own', 'out']) mkdirSync(join(doc, name), { recursive: true })
    writeFileSync(join(doc, 'libone/copyright'), DEP5)
    symlinkSync('libone', join(doc, 'libone-dev'))
    writeFileSync(join(doc, 'own/copyright'), 'Do what you like.\n')
    symlinkSync('/etc/hostname', join(doc, 'out/copyright'))
    assert.deepEqual(licencesOf('libone-dev', system), ['Expat or Apache-2.0', 'GPL-2+'])
    assert.deepEqual(licencesOf('own', system), ['see /usr/share/doc/own/copyright'])
    for (const name of ['out', 'none']) assert.throws(() => licencesOf(name, system), /has no file copyright/)
  })
})
