import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { openCheckpoint, signCheckpoint } from './checkpoint.ts'
import { NoteError, type NoteFailure, readVerifierKey, signNote } from './note.ts'
import { signingKey, verifierKey } from './verifier-key.ts'

const NAME = 'gatehouse/test-fair/box-0badcafe'
const SIGNER = { name: NAME, key: signingKey(Buffer.alloc(32, 7)) }
const VERIFIER = readVerifierKey(verifierKey(NAME, SIGNER.key))
const ROOT = Buffer.alloc(32, 0xfe)
const ROOT_TEXT = ROOT.toString('base64')

function failureOf(text: string): NoteFailure | 'none' {
  try {
    openCheckpoint(signNote(text, SIGNER), VERIFIER)
    return 'none'
  } catch (error) {
    if (error instanceof NoteError) return error.code
    throw error
  }
}

describe('a checkpoint', () => {
  it('is three lines in a note, and is read back', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.uint8Array({ minLength: 32, maxLength: 32 }), (size, root) => {
        const note = signCheckpoint({ size, root }, SIGNER)
        assert.ok(note.startsWith(`${NAME}\n${size}\n${Buffer.from(root).toString('base64')}\n\n— ${NAME} `))
        assert.deepEqual(openCheckpoint(note, VERIFIER), { origin: NAME, size, root })
      }),
    )
  })

  it('may have lines of its own after the third', () => {
    assert.equal(failureOf(`${NAME}\n5\n${ROOT_TEXT}\nmore\nand more\n`), 'none')
  })

  it('is refused, by name, in any other form, even when it is signed', () => {
    const cases: [string, NoteFailure][] = [
      ['\n', 'bad_lines'],
      [`${NAME}\n5\n`, 'bad_lines'],
      [`\n5\n${ROOT_TEXT}\n`, 'bad_lines'],
      [`${NAME}\n5\n${ROOT_TEXT}\n\nmore\n`, 'bad_lines'],
      [`${NAME}x\n5\n${ROOT_TEXT}\n`, 'wrong_origin'],
      ...['05', '00', '-1', '+5', '5.0', '5e0', '0x5', ' 5', '5 ', '٥', `${2 ** 53}`, '9'.repeat(400), 'NaN'].map(
        (size): [string, NoteFailure] => [`${NAME}\n${size}\n${ROOT_TEXT}\n`, 'bad_size'],
      ),
      ...[
        'AAAA',
        ROOT_TEXT.slice(0, -1),
        `${ROOT_TEXT} `,
        ROOT_TEXT.replace('=', ''),
        ` ${ROOT_TEXT}`,
        ROOT.toString('base64url'),
        ROOT.toString('hex'),
        `${ROOT_TEXT.slice(0, -2)}5=`,
        Buffer.alloc(33).toString('base64'),
      ].map((root): [string, NoteFailure] => [`${NAME}\n5\n${root}\n`, 'bad_root']),
    ]
    for (const [text, failure] of cases) assert.equal(failureOf(text), failure, JSON.stringify(text))
  })

  it('never ends in another error than a note', () => {
    const part = fc.constantFrom('\n', NAME, '5', '0', ROOT_TEXT, '=', ' ', 'x')
    fc.assert(fc.property(fc.array(part), (parts) => void failureOf(`${parts.join('')}\n`)))
  })
})
