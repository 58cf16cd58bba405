import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { describe, it } from 'node:test'
import { anyText } from '@gatehouse/proto/properties.testing.ts'
import fc from 'fast-check'
import { NoteError, type NoteFailure, type NoteKey, openNote, readVerifierKey, signNote } from './note.ts'
import { keyId, signingKey, verifierKey } from './verifier-key.ts'

const NAME = 'gatehouse/test-fair/box-0badcafe'
const KEY = signingKey(Buffer.alloc(32, 7))
const VERIFIER = readVerifierKey(verifierKey(NAME, KEY))
const TEXT = 'one\n\ntwo — three\n'

function failureOf(work: () => unknown): NoteFailure | 'none' {
  try {
    work()
    return 'none'
  } catch (error) {
    if (error instanceof NoteError) return error.code
    throw error
  }
}

const opening = (note: string, key: NoteKey = VERIFIER) => failureOf(() => openNote(note, key))
const signer = (name: string, key: KeyObject = KEY) => ({ name, key })
const other = generateKeyPairSync('ed25519').privateKey

describe('a verifier key', () => {
  it('is read back from its text', () => {
    const text = verifierKey(NAME, KEY)
    const key = readVerifierKey(text)
    assert.equal(key.name, NAME)
    assert.equal(Buffer.from(key.id).toString('hex'), text.split('+')[1])
  })

  it('is refused when its id is not of its name and key', () => {
    const [, id, key] = verifierKey(NAME, KEY).split('+')
    assert.equal(
      failureOf(() => readVerifierKey(`${NAME}x+${id}+${key}`)),
      'wrong_key_id',
    )
    assert.equal(
      failureOf(() => readVerifierKey(`${NAME}+00000000+${key}`)),
      'wrong_key_id',
    )
  })

  it('is refused where anybody could sign with it: a point of small order, or a number above the prime', () => {
    for (const start of ['01', 'ec', 'ed', 'f0']) {
      const rest = start === '01' ? '0' : 'f'
      const raw = Buffer.from(start.padEnd(64, rest), 'hex')
      const encoded = Buffer.concat([Buffer.of(1), raw]).toString('base64')
      const text = `${NAME}+${keyId(NAME, raw).toString('hex')}+${encoded}`
      assert.equal(
        failureOf(() => readVerifierKey(text)),
        'bad_verifier_key',
        start,
      )
    }
  })

  it('is refused in any other form, and never ends in another error', () => {
    const text = verifierKey(NAME, KEY)
    for (const wrong of ['', NAME, `${text}\n`, text.toUpperCase(), text.replaceAll('+', ' '), text.slice(0, -4)]) {
      assert.equal(
        failureOf(() => readVerifierKey(wrong)),
        'bad_verifier_key',
        wrong,
      )
    }
    fc.assert(fc.property(anyText(), (s) => failureOf(() => readVerifierKey(s)) !== 'none'))
    const mutated = fc.record({ at: fc.nat({ max: text.length - 1 }), to: fc.string({ minLength: 1, maxLength: 1 }) })
    fc.assert(
      fc.property(mutated, ({ at, to }) => {
        const changed = text.slice(0, at) + to + text.slice(at + 1)
        if (changed !== text)
          assert.notEqual(
            failureOf(() => readVerifierKey(changed)),
            'none',
          )
      }),
    )
  })
})

describe('a note', () => {
  it('is opened by the key that signed it', () => {
    const note = signNote(TEXT, signer(NAME))
    assert.match(note, /^one\n\ntwo — three\n\n— gatehouse\/test-fair\/box-0badcafe [A-Za-z0-9+/]+=*\n$/)
    assert.equal(openNote(note, VERIFIER), TEXT)
  })

  it('holds any text of lines', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }).filter((s) => !/\p{Cc}/u.test(s))), (lines) => {
        const text = `${lines.join('\n')}\n`
        assert.equal(openNote(signNote(text, signer(NAME)), VERIFIER), text)
      }),
    )
  })

  it("of Go's own example is opened, and signed the same to the last byte", () => {
    // The documentation of golang.org/x/mod/sumdb/note: its verifier key, the seed of its signer key, and its note.
    const key = readVerifierKey('PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW')
    const seed = Buffer.from('AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz', 'base64').subarray(1)
    const text = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
    const line =
      '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n'
    assert.equal(openNote(`${text}\n${line}`, key), text)
    assert.equal(signNote(text, signer('PeterNeumann', signingKey(seed))), `${text}\n${line}`)
  })

  it('passes over signatures by other keys, also of the same name', () => {
    const note = signNote(TEXT, signer(NAME))
    const lines = [signNote(TEXT, signer(NAME, other)), signNote(TEXT, signer('witness.example', other))].map((n) =>
      n.slice(TEXT.length + 1),
    )
    assert.equal(openNote(note + lines.join(''), VERIFIER), TEXT)
    assert.equal(openNote(`${TEXT}\n${lines.join('')}${note.slice(TEXT.length + 1)}`, VERIFIER), TEXT)
    assert.equal(opening(`${TEXT}\n${lines.join('')}`), 'unknown_key')
  })

  it('with a wrong signature by the key is refused, even beside a good one', () => {
    const note = signNote(TEXT, signer(NAME))
    const wrong = signNote('another\n', signer(NAME)).slice('another\n\n'.length)
    assert.equal(opening(note + wrong), 'wrong_signature')
    const short = Buffer.concat([VERIFIER.id, sign(null, Buffer.from(TEXT), KEY).subarray(0, 63)])
    assert.equal(opening(`${TEXT}\n— ${NAME} ${short.toString('base64')}\n`), 'wrong_signature')
  })

  it('is refused, by name, for every byte of it that is another', () => {
    const bytes = Buffer.from(signNote(TEXT, signer(NAME)))
    for (let at = 0; at < bytes.length; at++) {
      for (const bit of [1, 2, 4, 8, 16, 32, 64, 128]) {
        const tampered = Buffer.from(bytes)
        tampered[at] = (tampered[at] ?? 0) ^ bit
        assert.notEqual(opening(tampered.toString()), 'none', `byte ${at}, bit ${bit}`)
      }
    }
  })

  it('has a form, and is refused by name without it', () => {
    const good = signNote(TEXT, signer(NAME))
    const line = good.slice(TEXT.length + 1)
    const cases: [string, NoteFailure][] = [
      ['', 'no_signature'],
      ['\n', 'no_signature'],
      ['\n\n', 'no_signature'],
      ['one\n', 'no_signature'],
      [TEXT, 'bad_signature_line'],
      [good.slice(0, -1), 'no_signature'],
      [`${good}\n`, 'no_signature'],
      ['one\n— x AAAAAAAA\n', 'no_signature'],
      [`${good}x\n`, 'bad_signature_line'],
      [good.replace('\n— g', '\n- g'), 'bad_signature_line'],
      [good.replace('\n— g', '\n—g'), 'bad_signature_line'],
      [good.replace('\n— g', '\n—  g'), 'bad_signature_line'],
      [good.replace(/\n$/, ' \n'), 'bad_signature_line'],
      [`${TEXT}\n— a+b AAAAAAAA\n`, 'bad_signature_line'],
      [`${TEXT}\n— a\u00a0b AAAAAAAA\n`, 'bad_signature_line'],
      [`${TEXT}\n— a\u0085b AAAAAAAA\n`, 'bad_signature_line'],
      [`${TEXT}\n— ${NAME} AAAA\n`, 'bad_signature_line'],
      [`${TEXT}\n— ${NAME} AAAAAAA\n`, 'bad_signature_line'],
      [`${TEXT}\n— ${NAME} AAAAAB==\n`, 'bad_signature_line'],
      [good.replaceAll('\n', '\r\n'), 'bad_character'],
      [`\t${good}`, 'bad_character'],
      [`\ud800${good}`, 'bad_character'],
      [`\ufeff${good}`, 'wrong_signature'],
      [`${'x'.repeat(256 * 1024)}${good}`, 'too_long'],
      [`two\n\n${line}`, 'wrong_signature'],
    ]
    for (const [note, failure] of cases) assert.equal(opening(note), failure, JSON.stringify(note.slice(0, 80)))
  })

  it('is not made of what cannot be one', () => {
    for (const text of ['', 'no end', 'a\tb\n', '\ud800\n']) {
      assert.equal(
        failureOf(() => signNote(text, signer(NAME))),
        'bad_character',
      )
    }
    for (const name of ['', 'a b', 'a+b', 'a\nb']) {
      assert.equal(
        failureOf(() => signNote(TEXT, signer(name))),
        'bad_character',
      )
    }
  })

  it('never ends in another error than its own, and takes no longer for being long', () => {
    const part = fc.constantFrom('\n', '\n\n', '— ', NAME, ' ', 'AAAAAAAA', '=', 'x', '\u2028', '\ud800')
    fc.assert(fc.property(fc.array(part, { maxLength: 40 }), (parts) => opening(parts.join('')) !== 'none'))
    fc.assert(fc.property(anyText(), (text) => opening(text) !== 'none'))
    for (const long of ['\n', '— ', `— ${NAME} AAAAAAAA\n`]) {
      assert.notEqual(opening(`x\n\n${long.repeat(200_000 / long.length)}`), 'none')
    }
  })
})
